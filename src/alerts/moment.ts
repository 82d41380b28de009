import type { DayMoments, SessionBarsSoFar } from '../derive/moments.ts';

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

/** The moment of a row. */
function momentAt(day: DayMoments, row: number): Moment {
  const { symbol, tradeDate, session, bars, barMs } = day;
  const at = day.at[row]!;
  return {
    symbol,
    tradeDate,
    at,
    session,
    isBar: true,
    number: (path) => day.numbers.get(path)?.[row] ?? Number.NaN,
    text: (path) => day.texts.get(path)?.[row] ?? null,
    bars,
    rows: rowsUntil(bars, barMs, at),
    barMs,
  };
}

/** How many bars have ended by an instant. */
function rowsUntil({ time }: SessionBarsSoFar, barMs: number, at: number): number {
  let [from, to] = [0, time.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (time[middle]! + barMs <= at) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The moments of a day in their order, and for rules that count silence the minutes of its session without a bar.
 *
 * @param until where the last silence ends, epoch milliseconds
 */
export function* momentsOf(day: DayMoments, ticks: boolean, until: number): Generator<Moment> {
  let before = 0;
  for (let row = 0; row < day.at.length; row++) {
    const moment = momentAt(day, row);
    if (ticks) yield* silence(day, before, moment.at - day.barMs);
    yield moment;
    before = moment.at;
  }
  if (ticks) yield* silence(day, before, until);
}

type Silent = Pick<DayMoments, 'symbol' | 'tradeDate' | 'session' | 'bars' | 'barMs'>;

/** The end of a silence that began with a moment, or with the open; nothing where it has no minute. */
function* silence({ symbol, tradeDate, session, bars, barMs }: Silent, after: number, until: number) {
  const at = Math.min(until, session.close);
  if (at <= Math.max(after, session.open)) return;
  const rows = rowsUntil(bars, barMs, at);
  const unknown = { number: () => Number.NaN, text: () => null };
  yield { symbol, tradeDate, session, bars, barMs, rows, ...unknown, at, isBar: false } satisfies Moment;
}
