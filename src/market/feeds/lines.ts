/** Longest line that is still read. A row of market data has some 60 bytes; what is longer is not one. */
export const LINE_BYTES_MAX = 65_536;

/** Takes one line: the bytes from `start` to `end` (exclusive, without its end-of-line), counted from line 1. */
export type TakeLine = (bytes: Uint8Array, start: number, end: number, line: number) => void;

/** Cuts a stream of chunks into lines. `push` each chunk, then `end` once for a last line without a newline. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Lines as byte ranges of the chunks themselves: no string is made of a row that holds only numbers. Endings are LF or
 * CRLF, a byte-order mark is dropped, empty lines are counted and passed over. Every newline ends a line, also one
 * inside quotes: a stray quote must not swallow the rest of a file. Memory is one chunk and at most one line.
 *
 * @param tooLong told of each line over `LINE_BYTES_MAX`, with its first 200 bytes; the lines after it are read on
 */
export function lineReader(take: TakeLine, tooLong: (line: number, beginning: string) => void): LineReader {
  let line = 0;
  let carried: Uint8Array[] = [];
  let carriedBytes = 0;
  let skipping = false;

  const emit = (bytes: Uint8Array, from: number, to: number): void => {
    line++;
    const start = line === 1 && startsWithMark(bytes, from, to) ? from + 3 : from;
    const end = to > start && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
    if (end - start > LINE_BYTES_MAX) tooLong(line, beginningOf(bytes.subarray(start, end)));
    else if (end > start) take(bytes, start, end, line);
  };
  const carry = (rest: Uint8Array): void => {
    if (skipping || rest.length === 0) return;
    carried.push(rest);
    carriedBytes += rest.length;
    if (carriedBytes <= LINE_BYTES_MAX + 1) return;
    tooLong(line + 1, beginningOf(Buffer.concat(carried)));
    skipping = true;
    carried = [];
    carriedBytes = 0;
  };
  const finishProcessed = (): void => {
    if (skipping) line++;
    else {
      const whole = Buffer.concat(carried);
      emit(whole, 0, whole.length);
    }
    skipping = false;
    carried = [];
    carriedBytes = 0;
  };

  return {
    push(chunk) {
      let start = 0;
      if (skipping || carriedBytes > 0) {
        const newline = chunk.indexOf(NEWLINE);
        carry(newline < 0 ? chunk : chunk.subarray(0, newline));
        if (newline < 0) return;
        finishProcessed();
        start = newline + 1;
      }
      for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        emit(chunk, start, end);
        start = end + 1;
      }
      carry(chunk.subarray(start));
    },
    end() {
      if (skipping || carriedBytes > 0) finishProcessed();
    },
  };
}

function startsWithMark(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}

function beginningOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 200)).toString('utf8');
}
