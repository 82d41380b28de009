import type { TextFile } from './archive.ts';
import { JSON_BYTES_MAX, parsedJson } from './json.ts';

/** Bytes of a file that are values at one time; one value may have more. */
const BATCH_BYTES = 2 ** 16;

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** Of both kinds of brackets; the bit of a small letter makes one of the other. */
const OPENED = 123;
const CLOSED = 125;
const SMALL = 32;

/** What of a file can be read value by value: the items of a list, or a value a line. */
export type Listing = 'items' | 'lines';

/** Some values in their order, and the byte at which they begin. */
export interface Batch {
  readonly values: readonly unknown[];
  readonly at: number;
}

/** How a file that begins so can be read value by value; null where it is one value, or has lines too long to tell. */
export function listingOf(beginning: string): Listing | null {
  const end = beginning.indexOf('\n');
  const isLines =
    end > 0 && /\S/.test(beginning.slice(end)) && parsedJson(beginning.slice(0, end)) !== undefined;
  return isLines ? 'lines' : beginning.startsWith('[') ? 'items' : null;
}

/**
 * The values of a list or of lines, some at a time, so that the memory taken does not grow with the file. The parser of the
 * engine reads them: one that goes byte by byte takes six times as long.
 *
 * @param from where a batch begins, to go on from there
 * @throws SyntaxError where the file is anything else, damaged or cut short
 */
export async function* valuesOf(file: TextFile, listing: Listing, from = 0): AsyncGenerator<Batch> {
  const cutAt = listing === 'lines' ? lineEnds : itemEnds(from);
  let held: Uint8Array[] = [];
  let bytes = 0;
  let at = from;
  let passed = 0;
  const take = (isLast: boolean): Batch => {
    const text = new TextDecoder('utf-8', { ignoreBOM: at > 0 }).decode(Buffer.concat(held));
    const values = listing === 'lines' ? linesIn(text) : itemsIn(text, at === 0, isLast);
    if (values === undefined) throw new SyntaxError(`no values from byte ${at} on`);
    return { values, at };
  };
  for await (const chunk of file.chunks()) {
    let start = Math.max(from - passed, 0);
    passed += chunk.length;
    while (start < chunk.length) {
      const cut = cutAt(chunk, start, Math.max(start, start + BATCH_BYTES - bytes));
      const end = cut < 0 ? chunk.length : cut;
      held.push(chunk.subarray(start, end));
      bytes += end - start;
      if (bytes > JSON_BYTES_MAX) throw new SyntaxError('a value is too long');
      start = end;
      if (cut < 0) break;
      yield take(false);
      start++;
      at += bytes + 1;
      [held, bytes] = [[], 0];
    }
  }
  yield take(true);
}

const lineEnds = (bytes: Uint8Array, _start: number, earliest: number): number =>
  bytes.indexOf(NEWLINE, earliest);

/** Finds the commas between the items of a list, from its beginning or from an item on. */
function itemEnds(from: number) {
  let depth = from === 0 ? 0 : 1;
  let isText = false;
  let isEscaped = false;
  return (bytes: Uint8Array, start: number, earliest: number): number => {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isText) {
        if (byte === QUOTE && !isEscaped) isText = false;
        isEscaped = byte === BACKSLASH && !isEscaped;
      } else if (byte === QUOTE) isText = true;
      else if ((byte | SMALL) === OPENED) depth++;
      else if ((byte | SMALL) === CLOSED) depth--;
      else if (byte === COMMA && depth === 1 && at >= earliest) return at;
    }
    return -1;
  };
}

/** Items between two commas of a list; the first have its bracket before them, the last behind. */
function itemsIn(text: string, isFirst: boolean, isLast: boolean): unknown[] | undefined {
  const values = parsedJson(`${isFirst ? '' : '['}${text}${isLast ? '' : ']'}`);
  return Array.isArray(values) && (values.length > 0 || (isFirst && isLast)) ? values : undefined;
}

/** A value a line; undefined of any other text. */
export function linesIn(text: string): unknown[] | undefined {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsedJson);
  return values.includes(undefined) ? undefined : values;
}
