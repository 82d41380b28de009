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
