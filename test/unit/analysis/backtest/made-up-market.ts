import type { BacktestSession, SessionColumns } from '../../../../src/analysis/backtest/session-columns.ts';
import { mergeBars } from '../../../../src/analysis/sessions.ts';
import type { BarColumns, SessionBounds } from '../../../../src/market/observations.ts';
import { columnsFrom } from '../../../support/bar-columns.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { barsFrom, DAY, type Row, summerSession } from '../made-up-days.ts';

/** Sessions before the first that is walked: what an ATR needs. */
const WARM_UP = 16;
export const FIRST_DAY = Date.UTC(2024, 5, 3);

/** Trade days of a made-up market, one each calendar day: the walk knows no weekend. */
export function tradeDays(count: number): number[] {
  return Array.from({ length: count }, (_, at) => FIRST_DAY + (WARM_UP + at) * DAY);
}

/** Minute bars in 64ths of a dollar, exact in binary: a sum of two of them has no rounding. */
export function randomMinutes(
  draw: () => number,
  session: SessionBounds,
  from: number,
  minutes = 390,
): BarColumns {
  const drift = (draw() - 0.5) * 2;
  let price = Math.round(from * 64);
  const step = (width: number): number => Math.round((draw() - 0.5) * width);
  const rows: Row[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    if (minute > 0 && draw() < 0.02) continue;
    const open = price + step(4);
    price = open + step(26) + Math.round(drift * draw() * 2);
    const high = Math.max(open, price) + Math.round(draw() * 5);
    const low = Math.min(open, price) - Math.round(draw() * 5);
    rows.push([minute, open / 64, high / 64, low / 64, price / 64, 1 + Math.floor(draw() * 900)]);
  }
  return barsFrom(session.open, rows);
}

/** The sessions of a random stock that an optimisation is given, oldest first. */
export function randomSessions(seed: number, count: number): BacktestSession[] {
  const draw = mulberry32(seed);
  const days: { session: SessionBounds; bars: BarColumns }[] = [];
  let close = 80 + 40 * draw();
  for (let at = 0; at < WARM_UP + count; at++) {
    const session = summerSession(FIRST_DAY + at * DAY);
    const bars = randomMinutes(draw, session, close + (draw() - 0.5) * 2);
    close = bars.close.at(-1)!;
    days.push({ session, bars });
  }
  return sessionsFrom(days);
}

/** Sessions with their daily history from whole days of minutes; the first `history` of them are nothing else. */
export function sessionsFrom(
  days: readonly { session: SessionBounds; bars: BarColumns }[],
  history = WARM_UP,
): BacktestSession[] {
  const merged = days.map(({ session, bars }) => ({
    ...mergeBars(bars, { from: 0, to: bars.time.length })!,
    time: Math.floor(session.open / DAY) * DAY,
  }));
  return days.slice(history).map(({ session, bars }, walked): BacktestSession => {
    const at = history + walked;
    return {
      daily: columnsFrom((name) => Float64Array.from(merged.slice(0, at), (day) => day[name])),
      priorRow: at - 1,
      intraday: bars,
      intradayInterval: '1m',
      intradayWhole: true,
      priorIntraday: days[at - 1]!.bars,
      priorIntradayInterval: '1m',
      priorIntradayWhole: true,
      session,
      priorSession: days[at - 1]!.session,
    };
  });
}

/** A hand-made session for the walk: what a trade needs and nothing else. */
export function walkDay(
  rows: readonly (readonly [number, number, number, number])[],
  dailyAtr = 1,
): SessionColumns {
  const column = (at: number): Float64Array => Float64Array.from(rows, (row) => row[at]!);
  const none = new Float64Array(rows.length).fill(Number.NaN);
  return {
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    vwap: none,
    ema9: none,
    ema20: none,
    ema50: none,
    dailyAtr,
    openingRange: { high: Number.NaN, low: Number.NaN, knownFrom: rows.length },
    initialBalance: { high: Number.NaN, low: Number.NaN, knownFrom: rows.length },
    zones: [],
  };
}
