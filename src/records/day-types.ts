import { type DayClassification, dayType } from '../analysis/day-type.ts';
import type { TrendWalk } from '../analysis/session-trend.ts';
import { intradayBars, MINUTE_MS } from '../analysis/sessions.ts';
import type { ValueArea } from '../analysis/volume-profile.ts';
import type { BarColumns, SessionBounds } from '../market/observations.ts';

/**
 * What kind of day it had been after any number of a session's minutes, as the answers of those minutes have it; each is
 * made once, in their order in one walk over the minutes.
 *
 * @param bars one-minute bars with those of the regular session from a row on
 * @param vwap after each of these
 * @param developing edges of the value area after each of them
 */
export function dayTypesOf(
  bars: BarColumns,
  first: number,
  session: SessionBounds,
  priorValue: ValueArea | null,
  vwap: Float64Array,
  trend: TrendWalk,
  developing: () => Readonly<Record<keyof ValueArea, Float64Array>>,
): (count: number) => DayClassification | null {
  const known = new Map<number, DayClassification | null>();
  let area: ReturnType<typeof developing> | undefined;
  return (count) =>
    known.getOrInsertComputed(count, () => {
      if (count === 0) return null;
      area ??= developing();
      const [val, vah] = [area.val[count - 1]!, area.vah[count - 1]!];
      return dayType({
        bars: intradayBars(bars, '1m', bars.time[first + count - 1]! + MINUTE_MS),
        session,
        priorValue,
        developingValue: Number.isNaN(val) ? null : { val, vah },
        vwap,
        trend,
      });
    });
}
