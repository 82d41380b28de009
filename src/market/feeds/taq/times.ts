import { midnightUtcOf } from '../../../base/dates.ts';
import { decimal, digitsAt } from '../fields.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** `2018-01-02 10:01:21`, behind which a fraction of the second may stand. */
const WHOLE_SECONDS = 19;

/**
 * Epoch milliseconds of an instant written `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC, with the fraction of a millisecond;
 * NaN when it is written otherwise or does not exist.
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
  // A microsecond of today's epoch is beyond what a double tells apart from its neighbours; a thousandth of it is not.
  return day + hours * HOUR_MS + minutes * MINUTE_MS + Math.round(seconds * 1e6) / 1e3;
}
