import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { peerDivergenceV1 } from '../blocks/peer-divergence-v1.ts';
import { blocksOf } from './compose.ts';
import { DERIVATION } from './derivation.ts';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from './projection.ts';
import type { ScalarField } from './scalar-fields.ts';
import type { ColumnParts, ScreenRow } from './stock-day.ts';

/**
 * Scalar fields of consecutive stock-days as columns, so that a few fields of many days are few bytes. The fields of a
 * block are a part: a Zstandard frame of the number of days and a column of doubles for each number (NaN: absent), in the
 * order and with the meaning of screen rows, then a JSON list of the columns of texts. What follows from peers is left
 * out: it may still be measured.
 */
interface Part {
  readonly name: string;
  /** Indexes in `PACKED_FIELDS` and in `TEXT_FIELDS`. */
  readonly numbers: readonly number[];
  readonly texts: readonly number[];
}

/** Of which formulas and fields the columns of this program are. */
export const COLUMNS_PROGRAM = { derivation: DERIVATION, catalogue: SCREEN_CATALOGUE.digest };

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

type TextColumn = (string | null)[];

/** A column of a field by days. */
export type ScalarColumn = Float64Array | readonly (string | null)[];

const blockOf = ({ path }: ScalarField): string =>
  blocksOf(new Set([path.split('.', 1)[0]!])).owners[0]!.name;
const PARTS: readonly Part[] = partsOf();
const partNames = new Map(
  PARTS.flatMap(({ name, numbers, texts }) =>
    [...numbers.map((at) => PACKED_FIELDS[at]!), ...texts.map((at) => TEXT_FIELDS[at]!)].map(
      (field) => [field, name] as const,
    ),
  ),
);
const reader = rowReader(SCREEN_CATALOGUE.fields);

function partsOf(): Part[] {
  const parts = new Map<string, { name: string; numbers: number[]; texts: number[] }>();
  for (const [kind, fields] of [['numbers', PACKED_FIELDS] as const, ['texts', TEXT_FIELDS] as const]) {
    for (const [at, field] of fields.entries()) {
      const name = blockOf(field);
      if (name === peerDivergenceV1.name) continue;
      parts.getOrInsertComputed(name, () => ({ name, numbers: [], texts: [] }))[kind].push(at);
    }
  }
  return [...parts.values()];
}

/** The part of a field; null where no columns have it. */
export const partOfField = (field: ScalarField): string | null => partNames.get(field) ?? null;

/**
 * Columns of the first `kept` days of stored parts, then of some rows of this program.
 *
 * @param stored by name every part of some days; empty without any
 */
export function packColumns(stored: ColumnParts, kept: number, rows: readonly ScreenRow[]): ColumnParts {
  const days = kept + rows.length;
  const numbers = PACKED_FIELDS.map(() => new Float64Array(days).fill(Number.NaN));
  const texts = TEXT_FIELDS.map((): TextColumn => []);
  for (const part of kept === 0 ? [] : PARTS) {
    const known = openPart(part, stored[part.name]!);
    for (const [at, field] of part.numbers.entries())
      numbers[field]!.set(known.numbers(at).subarray(0, kept));
    for (const [at, column] of known.texts().entries())
      texts[part.texts[at]!]!.push(...column.slice(0, kept));
  }
  for (const [at, { packed, texts: own }] of rows.entries()) {
    reader.numbers(packed, (field, value) => {
      numbers[field]![kept + at] = value;
    });
    for (const [field, value] of reader.texts(own).entries()) texts[field]!.push(value);
  }
  return Object.fromEntries(
    PARTS.map((part) => {
      const columns = part.numbers.map((field) => bytesOf(numbers[field]!));
      const words = Buffer.from(JSON.stringify(part.texts.map((field) => texts[field])));
      const whole = Buffer.concat([bytesOf(Float64Array.of(days)), ...columns, words]);
      return [part.name, zstdCompressSync(whole, COMPRESSION)];
    }),
  );
}

const bytesOf = ({ buffer }: Float64Array<ArrayBuffer>): Uint8Array => new Uint8Array(buffer);

/** A packed part by its name, and which of its fields are read. */
export interface PackedPart {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly fields: readonly ScalarField[];
}

/** Columns of some fields of packed parts, for each part; in one go, since a decoder takes as long to make as to run. */
export function readColumns(packedParts: readonly PackedPart[]): Map<ScalarField, ScalarColumn>[] {
  if (packedParts.length === 0) return [];
  const whole = zstdDecompressSync(Buffer.concat(packedParts.map(({ packed }) => packed)));
  let end = 0;
  return packedParts.map(({ name, packed, fields }) => {
    const from = end;
    end += contentBytes(packed);
    return columnsOf(name, new Uint8Array(whole.subarray(from, end)), fields);
  });
}

/** Bytes of the content of a Zstandard frame by its header (RFC 8878, section 3.1.1.1), as `zstdCompressSync` writes it. */
function contentBytes(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const at = isSingle ? 5 : 6;
  const sizes = [
    isSingle ? view.getUint8(at) : null,
    256 + view.getUint16(at, true),
    view.getUint32(at, true),
  ];
  const size = sizes[descriptor >> 6] ?? null;
  if (size === null) throw new Error('A frame of columns does not say how long its content is');
  return size;
}

function columnsOf(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  fields: readonly ScalarField[],
): Map<ScalarField, ScalarColumn> {
  const part = PARTS.find((each) => each.name === name)!;
  const open = openBytes(part, bytes);
  const texts = fields.some(({ type }) => type === 'text') ? open.texts() : [];
  const found = new Map<ScalarField, ScalarColumn>();
  for (const field of fields) {
    const number = part.numbers.indexOf(PACKED_FIELDS.indexOf(field));
    const text = part.texts.indexOf(TEXT_FIELDS.indexOf(field));
    if (number >= 0) found.set(field, open.numbers(number));
    else if (text >= 0) found.set(field, texts[text]!);
  }
  return found;
}

const openPart = (part: Part, packed: Uint8Array) =>
  openBytes(part, new Uint8Array(zstdDecompressSync(packed)));

function openBytes({ numbers }: Part, whole: Uint8Array<ArrayBuffer>) {
  const doubles = new Float64Array(whole.buffer, 0, Math.floor(whole.length / DOUBLE));
  const days = doubles[0]!;
  return {
    numbers: (at: number): Float64Array => doubles.subarray(1 + at * days, 1 + (at + 1) * days),
    texts: (): TextColumn[] =>
      JSON.parse(Buffer.from(whole.buffer, (1 + numbers.length * days) * DOUBLE).toString()),
  };
}
