import { type DayClassification, dayType } from '../analysis/day-type.ts';
import { intradayBars, MINUTE_MS } from '../analysis/sessions.ts';
import type { ValueArea } from '../analysis/volume-profile.ts';
import type { BarColumns, SessionBounds } from '../market/observations.ts';

/**
 * What kind of day it had been after any number of a session's minutes, as the answers of those minutes have it; each is
 * made once.
 *
 * @param minutes of the regular session
 * @param developing edges of the value area after each of them
 */
export function dayTypesOf(
  minutes: BarColumns,
  session: SessionBounds,
  priorValue: ValueArea | null,
  developing: Readonly<Record<keyof ValueArea, Float64Array>>,
): (count: number) => DayClassification | null {
  const known = new Map<number, DayClassification | null>();
  return (count) =>
    known.getOrInsertComputed(count, () => {
      if (count === 0) return null;
      const [val, vah] = [developing.val[count - 1]!, developing.vah[count - 1]!];
      return dayType({
        bars: intradayBars(minutes, '1m', minutes.time[count - 1]! + MINUTE_MS),
        session,
        priorValue,
        developingValue: Number.isNaN(val) ? null : { val, vah },
      });
    });
}
