import { createHash } from 'node:crypto';
import { nextTurn, stopwatch } from '../../base/timers.ts';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from '../../derive/projection.ts';
import type { StoredScreenRow } from '../../graph/screen-rows.ts';

/** The texts of a column, ascending by code unit, in memory that threads share. */
interface Dictionary {
  readonly id: number;
  readonly words: readonly string[];
  /** The words as JSON text, UTF-8. */
  readonly packed: Uint8Array;
}

export interface ImageColumn {
  /** One value per row, for a text its index in the dictionary; NaN for null. */
  readonly values: Float64Array;
  readonly dictionary: Dictionary | null;
}

/** The rows of a trade date by column, immutable, in memory that threads share. */
export interface ScreenImage {
  readonly tradeDate: string;
  /** A hash of the rows. */
  readonly version: string;
  /** Ascending by code unit, one per row. */
  readonly symbols: readonly string[];
  /** Instants of the rows, epoch milliseconds. */
  readonly asOf: Float64Array;
  readonly rowNames: readonly string[];
  /** By the path of a scalar field. */
  readonly columns: ReadonlyMap<string, ImageColumn>;
  readonly bytes: number;
}

export interface ImageChange {
  /** New rows, and rows whose content changed, in any order. */
  readonly rows: readonly StoredScreenRow[];
  readonly gone: ReadonlySet<string>;
}

/** Longest block of the event loop. */
const TURN_MS = 4;
/** Rows between two checks of the clock. */
const ROWS_AT_ONCE = 32;

/** Memory of a string besides its characters. */
const TEXT_OVERHEAD_BYTES = 24;

export const rowNameOf = ({ asOf, catalogue, digest }: Omit<StoredScreenRow, 'packed' | 'texts'>): string =>
  `${asOf} ${catalogue} ${digest}`;

/** Yields to the event loop once the present turn has taken long enough. */
function eventLoopYielder(): () => Promise<void> {
  let since = stopwatch();
  return async () => {
    if (stopwatch() - since < TURN_MS) return;
    await nextTurn();
    since = stopwatch();
  };
}

/**
 * Makes or updates the image of a trade date. Unchanged columns are shared with the former image.
 *
 * @param former null for the first image of the date
 * @param catalogues text of every catalogue by digest; a row of an unknown one has no values
 */
export async function makeImage(
  tradeDate: string,
  former: ScreenImage | null,
  { rows, gone }: ImageChange,
  catalogues: ReadonlyMap<string, string>,
): Promise<ScreenImage> {
  const yieldLoop = eventLoopYielder();
  const fresh = await readRows(rows, catalogues, yieldLoop);
  const merge = mergeOf(former, fresh.symbols, gone);
  const columns = new Map<string, ImageColumn>();
  for (const [index, { path }] of PACKED_FIELDS.entries()) {
    await yieldLoop();
    const own = former === null ? null : former.columns.get(path)!.values;
    columns.set(path, { values: mergeNumbers(merge, own, fresh.numbers[index]!), dictionary: null });
  }
  for (const [index, { path }] of TEXT_FIELDS.entries()) {
    await yieldLoop();
    columns.set(path, mergeTexts(merge, former?.columns.get(path) ?? null, fresh.texts[index]!));
  }
  await yieldLoop();
  const { symbols } = merge;
  const rowNames = mergeList(merge, former?.rowNames ?? [], fresh.names);
  return {
    tradeDate,
    version: versionOf(tradeDate, symbols, rowNames),
    symbols,
    asOf: mergeNumbers(merge, former?.asOf ?? null, fresh.asOf),
    rowNames,
    columns,
    bytes: bytesOf(columns, symbols, rowNames),
  };
}

/** New rows by column, ascending by symbol; numbers and texts by index in `PACKED_FIELDS` and `TEXT_FIELDS`. */
async function readRows(
  unsorted: readonly StoredScreenRow[],
  catalogues: ReadonlyMap<string, string>,
  yieldLoop: () => Promise<void>,
) {
  // By code unit, unlike the collation of the store.
  const rows = unsorted.toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const numbers: Float64Array[] = [];
  for (const _ of PACKED_FIELDS) {
    await yieldLoop();
    numbers.push(sharedNumbers(rows.length).fill(Number.NaN));
  }
  const texts = TEXT_FIELDS.map(() => new Array<string | null>(rows.length).fill(null));
  const readers = new Map(Array.from(catalogues, ([digest, fields]) => [digest, rowReader(fields)]));
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await yieldLoop();
    const reader = readers.get(row.catalogue);
    reader?.numbers(row.packed, (field, value) => {
      numbers[field]![at] = value;
    });
    for (const [field, text] of reader?.texts(row.texts).entries() ?? []) texts[field]![at] = text;
  }
  return {
    symbols: rows.map(({ symbol }) => symbol),
    names: rows.map(rowNameOf),
    asOf: Float64Array.from(rows, ({ asOf }) => asOf),
    numbers,
    texts,
  };
}

const sharedNumbers = (length: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));

interface Merge {
  readonly symbols: readonly string[];
  /** Row of the former image, or the bitwise complement of that among the fresh rows. */
  readonly from: Int32Array;
  /** True if the former image has the same symbols. */
  readonly inPlace: boolean;
}

function mergeOf(former: ScreenImage | null, fresh: readonly string[], gone: ReadonlySet<string>): Merge {
  const rows: { readonly symbol: string; readonly from: number }[] = [];
  const old = former?.symbols ?? [];
  let next = 0;
  for (let row = 0; row < old.length; row++) {
    const symbol = old[row]!;
    for (; next < fresh.length && fresh[next]! < symbol; next++)
      rows.push({ symbol: fresh[next]!, from: ~next });
    if (fresh[next] === symbol) rows.push({ symbol, from: ~next++ });
    else if (!gone.has(symbol)) rows.push({ symbol, from: row });
  }
  for (; next < fresh.length; next++) rows.push({ symbol: fresh[next]!, from: ~next });
  const inPlace = rows.length === old.length && rows.every(({ symbol }, row) => symbol === old[row]);
  return {
    symbols: inPlace ? old : rows.map(({ symbol }) => symbol),
    from: Int32Array.from(rows, ({ from }) => from),
    inPlace,
  };
}

const mergeList = <T>({ from }: Merge, former: readonly T[], fresh: readonly T[]): T[] =>
  Array.from(from, (row) => (row < 0 ? fresh[~row]! : former[row]!));

function mergeNumbers(
  { from, inPlace }: Merge,
  former: Float64Array | null,
  fresh: Float64Array,
): Float64Array {
  if (former === null) return fresh;
  if (inPlace && from.every((source, row) => source >= 0 || Object.is(former[row], fresh[~source]))) {
    return former;
  }
  const merged = sharedNumbers(from.length);
  for (let row = 0; row < from.length; row++) {
    const source = from[row]!;
    merged[row] = source < 0 ? fresh[~source]! : former[source]!;
  }
  return merged;
}

function mergeTexts(
  merge: Merge,
  former: ImageColumn | null,
  fresh: readonly (string | null)[],
): ImageColumn {
  if (former === null) return textColumn(fresh);
  const textAt = (row: number): string | null => former.dictionary!.words[former.values[row]!] ?? null;
  const { from, inPlace } = merge;
  if (inPlace && from.every((source, row) => source >= 0 || textAt(row) === fresh[~source])) return former;
  return textColumn(Array.from(from, (source) => (source < 0 ? fresh[~source]! : textAt(source))));
}

let dictionaries = 0;

function textColumn(texts: readonly (string | null)[]): ImageColumn {
  // Indices in order of appearance, then sorted: one pass over the column.
  const indices = new Map<string, number>();
  const values = sharedNumbers(texts.length);
  for (const [row, text] of texts.entries()) {
    values[row] = text === null ? Number.NaN : indices.getOrInsertComputed(text, () => indices.size);
  }
  const words = [...indices.keys()].sort();
  const sorted = new Float64Array(words.length);
  for (const [index, word] of words.entries()) sorted[indices.get(word)!] = index;
  for (let row = 0; row < values.length; row++) values[row] = sorted[values[row]!] ?? Number.NaN;
  return { values, dictionary: { id: dictionaries++, words, packed: sharedText(JSON.stringify(words)) } };
}

function sharedText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function versionOf(tradeDate: string, symbols: readonly string[], rowNames: readonly string[]): string {
  const hash = createHash('sha1').update(`${tradeDate} ${SCREEN_CATALOGUE.digest}`);
  hash.update(symbols.map((symbol, row) => `\n${symbol} ${rowNames[row]}`).join(''));
  return hash.digest('base64url');
}

function bytesOf(
  columns: ReadonlyMap<string, ImageColumn>,
  symbols: readonly string[],
  rowNames: readonly string[],
): number {
  let bytes = symbols.length * Float64Array.BYTES_PER_ELEMENT;
  for (const text of symbols) bytes += text.length + TEXT_OVERHEAD_BYTES;
  for (const text of rowNames) bytes += text.length + TEXT_OVERHEAD_BYTES;
  for (const { values, dictionary } of columns.values()) {
    bytes += values.byteLength;
    // Once as words and once packed.
    if (dictionary !== null) {
      bytes += 2 * dictionary.packed.length + dictionary.words.length * TEXT_OVERHEAD_BYTES;
    }
  }
  return bytes;
}
