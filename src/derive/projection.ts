import { createHash, hash } from 'node:crypto';
import { DAY_MS } from '../base/calendar.ts';
import type { Block } from '../blocks/block.ts';
import type { Kept } from '../blocks/kept.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { blocksOf, deriveBlocks } from './compose.ts';
import { roundingOf } from './rounding.ts';
import { SCALAR_FIELDS, type ScalarField } from './scalar-fields.ts';
import type { ScreenCatalogue, ScreenRow } from './stock-day.ts';

/**
 * A screen row: every scalar field of a stock-day side by side. Numbers are packed: a presence bit for each field, then
 * the present values as doubles, little-endian, in the order of the fields. Booleans are 0 and 1, dates days and
 * instants milliseconds since 1970-01-01. Texts are a JSON list beside them, null where absent.
 */
const isText = ({ type }: ScalarField): boolean => type === 'text';
const PACKED = SCALAR_FIELDS.filter((field) => !isText(field));
const TEXTS = SCALAR_FIELDS.filter(isText);

const fieldsText = JSON.stringify([
  PACKED.map(({ path, type }) => [path, type]),
  TEXTS.map(({ path }) => [path, 'text']),
]);

/** The fields of this program's rows; rows of another catalogue are read by its names. */
export const SCREEN_CATALOGUE: ScreenCatalogue = {
  digest: hash('sha1', fieldsText, 'base64url'),
  fields: fieldsText,
};

/** Fields in a row that are in one record of a block's values. */
interface Run {
  readonly block: Block;
  readonly isFlat: boolean;
  /** From the values of the block down to the record. */
  readonly within: readonly string[];
  readonly names: readonly string[];
}

const packedRuns = runsOf(PACKED);
const textRuns = runsOf(TEXTS);
const numberOf = PACKED.map(numberReader);

function runsOf(fields: readonly ScalarField[]): Run[] {
  const runs: (Run & { readonly names: string[] })[] = [];
  const recordOf = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1);
  for (const [at, { path }] of fields.entries()) {
    const names = path.split('.');
    const name = names.pop()!;
    const [block] = blocksOf(new Set([names[0] ?? name])).owners;
    const last = at > 0 && recordOf(fields[at - 1]!.path) === recordOf(path) ? runs.at(-1) : undefined;
    if (last?.block === block) last!.names.push(name);
    else runs.push({ block: block!, isFlat: names.length === 0, within: names.slice(1), names: [name] });
  }
  return runs;
}

/** Calls back with each field of the runs by its number, and its value as far as its record is there. */
function read(
  runs: readonly Run[],
  valuesOf: (run: Run) => unknown,
  take: (field: number, value: unknown) => void,
): void {
  let field = 0;
  for (const run of runs) {
    const { names } = run;
    const record = run.within.reduce(inside, valuesOf(run));
    if (typeof record === 'object' && record !== null) {
      for (let at = 0; at < names.length; at++) {
        take(field + at, (record as Record<string, unknown>)[names[at]!]);
      }
    }
    field += names.length;
  }
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;

/** A value as a number of the answer; NaN when absent or of another type. */
function numberReader({ type, unit }: ScalarField): (value: unknown) => number {
  if (type === 'boolean') return (value) => (typeof value === 'boolean' ? Number(value) : Number.NaN);
  if (type === 'instant') return (value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN);
  if (type === 'date') {
    return (value) => (typeof value === 'string' ? Date.parse(`${value}T00:00:00Z`) / DAY_MS : Number.NaN);
  }
  const round = type === 'number' ? roundingOf(unit ?? '') : (value: number) => value;
  return (value) => (typeof value === 'number' ? round(value) : Number.NaN);
}

const bitBytes = (fields: number): number => (fields + 7) >> 3;

/** @param answer top-level fields of StockResult with every known include, parsed or exact */
export const projectStock = (answer: Readonly<Record<string, unknown>>): ScreenRow =>
  rowOf(({ block, isFlat }) => (isFlat ? answer : answer[block.name]));

/** The row of a view and the market, derived by its numbers alone. */
type RowDeriver = (view: StockView, market: MarketView, kept: Kept | null) => ScreenRow;

/**
 * Derives rows by the blocks that have some top-level fields and those that these read; fields of other blocks are absent.
 * For `BAR_FIELDS` a `BarsView` is enough, and no market.
 */
export function rowDeriver(fields: ReadonlySet<string>): RowDeriver {
  const { owners, list } = blocksOf(fields);
  const own = new Set(owners);
  return (view, market, kept) => {
    const derived = deriveBlocks(list, view, market, kept);
    return rowOf(({ block, isFlat }) =>
      own.has(block) ? derived.get(block)![isFlat ? 'flat' : 'nested'] : null,
    );
  };
}

/** The row of a stock-day: equal to `projectStock` of its whole answer. */
export const screenOf = rowDeriver(new Set(SCALAR_FIELDS.map(({ path }) => path.split('.')[0]!)));

/** Memory of the row at hand. */
const bytes = new Uint8Array(bitBytes(PACKED.length) + 8 * PACKED.length);
const view = new DataView(bytes.buffer);

function rowOf(valuesOf: (run: Run) => unknown): ScreenRow {
  bytes.fill(0, 0, bitBytes(PACKED.length));
  let end = bitBytes(PACKED.length);
  read(packedRuns, valuesOf, (field, exact) => {
    const value = numberOf[field]!(exact);
    // JSON has no infinity either.
    if (!Number.isFinite(value)) return;
    bytes[field >> 3]! |= 1 << (field & 7);
    view.setFloat64(end, value, true);
    end += 8;
  });
  const packed = bytes.slice(0, end);
  const known = new Array<string | null>(TEXTS.length).fill(null);
  read(textRuns, valuesOf, (field, value) => {
    known[field] = textOrNull(value);
  });
  const texts = JSON.stringify(known);
  const { digest: catalogue } = SCREEN_CATALOGUE;
  return { catalogue, packed, texts, digest: createHash('sha1').update(packed).update(texts).digest('hex') };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Reads the fields of this program from a row. */
export interface RowReader {
  /** Calls back with the index in `PACKED_FIELDS` and the value of every present field. */
  readonly numbers: (packed: Uint8Array, take: (field: number, value: number) => void) => void;
  /** By index in `TEXT_FIELDS`; null where absent. */
  readonly texts: (texts: string) => readonly (string | null)[];
}

/** Fields with a packed number and fields with a text, by index. */
export const PACKED_FIELDS: readonly ScalarField[] = PACKED;
export const TEXT_FIELDS: readonly ScalarField[] = TEXTS;

/**
 * Reads rows of any catalogue: fields that it lacks, or has with another type, are absent.
 *
 * @param fields text of the catalogue, as `ScreenCatalogue.fields`
 */
export function rowReader(fields: string): RowReader {
  const [packedOf, textsOf] = JSON.parse(fields) as [[string, string][], [string, string][]];
  const indexIn = (known: readonly ScalarField[], [path, type]: readonly [string, string]): number =>
    known.findIndex((field) => field.path === path && field.type === type);
  const packedIndexes = Int32Array.from(packedOf, (field) => indexIn(PACKED, field));
  const textIndexes = textsOf.map((field) => indexIn(TEXTS, field));
  return {
    numbers(packed, take) {
      const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
      let at = bitBytes(packedIndexes.length);
      for (let field = 0; field < packedIndexes.length; field++) {
        if ((packed[field >> 3]! & (1 << (field & 7))) === 0) continue;
        const index = packedIndexes[field]!;
        if (index >= 0) take(index, view.getFloat64(at, true));
        at += 8;
      }
    },
    texts(text) {
      const values = new Array<string | null>(TEXTS.length).fill(null);
      for (const [row, value] of (JSON.parse(text) as (string | null)[]).entries()) {
        const index = textIndexes[row]!;
        if (index >= 0) values[index] = value;
      }
      return values;
    },
  };
}

const ownReader = rowReader(SCREEN_CATALOGUE.fields);

/** Reads one number of this program's rows; NaN where it is absent. */
export function packedNumber(path: string): (packed: Uint8Array) => number {
  const wanted = PACKED.findIndex((field) => field.path === path);
  return (packed) => {
    let found = Number.NaN;
    ownReader.numbers(packed, (field, value) => {
      if (field === wanted) found = value;
    });
    return found;
  };
}
