import type { DayMoments, SessionBarsSoFar } from '../derive/moments.ts';
import { rowAtOrAfter } from '../market/series.ts';

/** A stock at the end of one of its bars: all that a rule may look at. */
export interface Moment {
  readonly symbol: string;
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Hours of the regular session, epoch milliseconds. */
  readonly session: { readonly open: number; readonly close: number };
  /** False for a minute in which nothing traded: no field is known then. */
  readonly isBar: boolean;
  /** A number at a path, booleans 0 and 1; NaN where absent. */
  readonly number: (path: string) => number;
  readonly text: (path: string) => string | null;
  /** Bars of the regular session, of which `rows` have ended. */
  readonly bars: SessionBarsSoFar;
  readonly rows: number;
  readonly barMs: number;
}

/** The moment at an instant, of a row; with null of a minute in which nothing traded. */
function momentAt(day: DayMoments, at: number, row: number | null): Moment {
  const { symbol, tradeDate, session, bars, barMs } = day;
  return {
    symbol,
    tradeDate,
    at,
    session,
    isBar: row !== null,
    number: (path) => (row === null ? Number.NaN : (day.numbers.get(path)?.[row] ?? Number.NaN)),
    text: (path) => (row === null ? null : (day.texts.get(path)?.[row] ?? null)),
    bars,
    rows: rowAtOrAfter(bars.time, at - barMs + 1),
    barMs,
  };
}

/**
 * The moments of a day in their order, and for rules that count silence the last minute of each span of its session without
 * a bar.
 *
 * @param until where the last silence ends, epoch milliseconds
 */
export function* momentsOf(day: DayMoments, ticks: boolean, until: number): Generator<Moment> {
  let before = day.session.open;
  const silence = (end: number): Moment[] => {
    const at = Math.min(end, day.session.close);
    return ticks && at > before ? [momentAt(day, at, null)] : [];
  };
  for (const [row, at] of day.at.entries()) {
    yield* silence(at - day.barMs);
    yield momentAt(day, at, row);
    before = Math.max(before, at);
  }
  yield* silence(until);
}
