/** The bytes that a file has been made into, as `TextFile` reads them. */
export const contentOf = (content: Uint8Array) => ({
  async *chunks(): AsyncGenerator<Uint8Array> {
    yield content;
  },
  async piece(place: number, bytes: number): Promise<Uint8Array> {
    const start = Math.max(Math.floor((content.length - bytes) * place), 0);
    return content.subarray(start, start + bytes);
  },
});

const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of a delimited table; a cell is of one line too. */
export const lineOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(cell.replace(/[\r\n]+/g, ' '))).join(',')}\n`;
