import { midnightUtcOf } from '../../base/dates.ts';
import type { RefusalReason } from '../refusals.ts';
import { decimal, digitsAt, type FieldScanner, fieldScanner, fieldText } from './fields.ts';
import type { TakeRow } from './source-file.ts';

/** Takes a row of which the named columns lie at `places`, or says why not. */
type TakeFields<Name extends string> = (
  bytes: Uint8Array,
  fields: FieldScanner,
  places: Readonly<Record<Name, number>>,
) => RefusalReason | null;

/** Reads the first row as the names of the columns and leads every other to `take`. */
export function rowsUnder<Name extends string>(names: readonly Name[], take: TakeFields<Name>): TakeRow {
  const fields = fieldScanner(',');
  let places: Record<Name, number> | null = null;
  let width = Number.POSITIVE_INFINITY;
  return (bytes, start, end, line) => {
    const count = fields.scan(bytes, start, end);
    if (line === 1) {
      places = columnPlaces(bytes, fields, count, names);
      width = count;
      return places === null ? 'wrong_columns' : null;
    }
    return places === null || count < width ? 'wrong_columns' : take(bytes, fields, places);
  };
}

/** Where the columns stand, in any order and case; null when one is missing. */
function columnPlaces<Name extends string>(
  bytes: Uint8Array,
  { starts, ends }: FieldScanner,
  count: number,
  names: readonly Name[],
): Record<Name, number> | null {
  const header: string[] = [];
  for (let place = 0; place < count; place++) {
    header.push(fieldText(bytes, starts[place]!, ends[place]!).toUpperCase());
  }
  const places = Object.fromEntries(names.map((name) => [name, header.indexOf(name)]));
  return Object.values(places).includes(-1) ? null : (places as Record<Name, number>);
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Characters of `2018-01-02 10:01:21`, behind which a fraction of the second may stand. */
const WHOLE_SECONDS = 19;

/**
 * Epoch milliseconds, with their fraction, of an instant written `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC; NaN when it is
 * written otherwise or does not exist.
 */
export function utcInstant(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < WHOLE_SECONDS) return Number.NaN;
  const day = midnightUtcOf(
    digitsAt(bytes, start, start + 4),
    digitsAt(bytes, start + 5, start + 7),
    digitsAt(bytes, start + 8, start + 10),
  );
  const hours = digitsAt(bytes, start + 11, start + 13);
  const minutes = digitsAt(bytes, start + 14, start + 16);
  const seconds = decimal(bytes, start + 17, end);
  if (!(hours < 24 && minutes < 60 && seconds >= 0 && seconds < 60)) return Number.NaN;
  return day + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000;
}
