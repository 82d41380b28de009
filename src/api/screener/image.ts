import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from '../../derive/projection.ts';
import type { StoredScreenRow } from '../../graph/screen-rows.ts';

/** The texts of a column, ascending by code unit, in memory that threads share. */
interface Dictionary {
  /** Names it among those of this process. */
  readonly id: number;
  readonly words: readonly string[];
  /** The same as JSON text, UTF-8. */
  readonly packed: Uint8Array;
}

export interface ImageColumn {
  /** One value for each row; of a text the place in the dictionary, NaN where nothing is known. */
  readonly values: Float64Array;
  readonly dictionary: Dictionary | null;
}

/** The rows of a trade date by columns, in memory that threads share. Nothing in it changes once it is made. */
export interface ScreenImage {
  readonly tradeDate: string;
  /** Follows from the rows: whoever makes an image of the same rows gives it the same name. */
  readonly version: string;
  /** Ascending by code unit, one for each row. */
  readonly symbols: readonly string[];
  /** Epoch milliseconds of the instant that each row speaks for. */
  readonly asOf: Float64Array;
  /** What each row's content is called. */
  readonly rowNames: readonly string[];
  /** By the path of a scalar field. */
  readonly columns: ReadonlyMap<string, ImageColumn>;
  readonly bytes: number;
}

/** What is different from an earlier image of the same date. */
export interface ImageChange {
  /** New rows, and rows whose content changed, in any order. */
  readonly rows: readonly StoredScreenRow[];
  /** Symbols whose row is gone. */
  readonly gone: ReadonlySet<string>;
}

/** How long the event loop is held at a time. */
const TURN_MS = 4;
/** Rows that are read between two looks at the clock. */
const ROWS_AT_ONCE = 32;

/** What a symbol costs beside its letters, and a word of a dictionary beside its bytes. */
const TEXT_OVERHEAD_BYTES = 24;

export const rowNameOf = ({ asOf, catalogue, digest }: Omit<StoredScreenRow, 'packed' | 'texts'>): string =>
  `${asOf} ${catalogue} ${digest}`;

/** Lets others have their turn once the present one has taken long enough. */
function turnTaker(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await turn();
    since = performance.now();
  };
}

/**
 * Makes the image of a trade date, or brings one up to date. Columns that did not change are those of the former image.
 *
 * @param former null for the first image of the date
 * @param catalogues text of every catalogue by its digest; a row of one that is not there has nothing to say
 */
export async function makeImage(
  tradeDate: string,
  former: ScreenImage | null,
  { rows, gone }: ImageChange,
  catalogues: ReadonlyMap<string, string>,
): Promise<ScreenImage> {
  const takeTurns = turnTaker();
  const fresh = await readRows(rows, catalogues, takeTurns);
  const merge = mergeOf(former, fresh.symbols, gone);
  const columns = new Map<string, ImageColumn>();
  for (const [place, { path }] of PACKED_FIELDS.entries()) {
    await takeTurns();
    const own = former === null ? null : former.columns.get(path)!.values;
    columns.set(path, { values: mergeNumbers(merge, own, fresh.numbers[place]!), dictionary: null });
  }
  for (const [place, { path }] of TEXT_FIELDS.entries()) {
    await takeTurns();
    columns.set(path, mergeTexts(merge, former?.columns.get(path) ?? null, fresh.texts[place]!));
  }
  await takeTurns();
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

/** Rows by columns, ascending by symbol. */
interface FreshRows {
  readonly symbols: readonly string[];
  readonly names: readonly string[];
  readonly asOf: Float64Array;
  /** By the place of the field among `PACKED_FIELDS`. */
  readonly numbers: readonly Float64Array[];
  /** By the place of the field among `TEXT_FIELDS`. */
  readonly texts: readonly (string | null)[][];
}

async function readRows(
  unsorted: readonly StoredScreenRow[],
  catalogues: ReadonlyMap<string, string>,
  takeTurns: () => Promise<void>,
): Promise<FreshRows> {
  // By code unit, which no collation of a store need follow.
  const rows = unsorted.toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const numbers: Float64Array[] = [];
  for (const _ of PACKED_FIELDS) {
    await takeTurns();
    numbers.push(sharedNumbers(rows.length).fill(Number.NaN));
  }
  const texts = TEXT_FIELDS.map(() => new Array<string | null>(rows.length).fill(null));
  const readers = new Map(Array.from(catalogues, ([digest, fields]) => [digest, rowReader(fields)]));
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await takeTurns();
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

/** Where each row of an image comes from. */
interface Merge {
  readonly symbols: readonly string[];
  /** The row of the former image, or -1 less the place among fresh rows. */
  readonly from: Int32Array;
  /** True where every row stands where it stood in the former image. */
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
  // Places in the order of meeting first: a column of few words is gone through once.
  const met = new Map<string, number>();
  const values = sharedNumbers(texts.length);
  for (const [row, text] of texts.entries()) {
    values[row] = text === null ? Number.NaN : met.getOrInsertComputed(text, () => met.size);
  }
  const words = [...met.keys()].sort();
  const placeOf = new Float64Array(words.length);
  for (const [place, word] of words.entries()) placeOf[met.get(word)!] = place;
  for (let row = 0; row < values.length; row++) values[row] = placeOf[values[row]!] ?? Number.NaN;
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
