import type { BarColumns } from '../../market/observations.ts';
import { returnsTo } from '../backtest/signals.ts';
import { ema } from '../indicators/averages.ts';
import { extremesSoFar } from '../sessions.ts';
import type { PlaybookInput } from './inputs.ts';
import { PLAYBOOK_THRESHOLDS } from './thresholds.ts';

export interface SessionSoFar {
  /** Its finished bars, of any length; no rows before the first. */
  readonly bars: BarColumns;
  /** False when they are longer than a minute: counts of minutes and averages of them then mean nothing. */
  readonly isMinutes: boolean;
  /** Running VWAP after each bar, dollars. */
  readonly vwap: Float64Array;
  /** Edges of the first fifteen minutes, dollars; NaN until they are over. */
  readonly orbHigh: number;
  readonly orbLow: number;
  /** Daily ATR(14) of the session before, dollars. */
  readonly dailyAtr: number;
}

/** The inputs of playbooks that are read from the bars of the session. */
export type SessionFigures = Readonly<
  Record<
    Extract<
      PlaybookInput,
      `session_${string}` | 'vwap_30m_ago' | 'vwap_run' | 'vwap_excursion_atr' | 'orb_retest_run'
    >,
    number
  >
>;

const VWAP_BARS_AGO = 30;
const SLOPE_BARS = 10;

/** As `INPUT_MEANINGS` tells them; NaN before the first bar, and for what is younger than its window. */
export const sessionFigures = (session: SessionSoFar): SessionFigures =>
  sessionFiguresAfter(session)(session.bars.close.length);

/** The figures after any number of the bars, which are those of a session that has no more. */
export function sessionFiguresAfter(session: SessionSoFar): (count: number) => SessionFigures {
  const { bars, isMinutes, vwap, dailyAtr } = session;
  const { close } = bars;
  const minutes = isMinutes ? close : NO_CLOSES;
  const [fast, middle, slow] = [ema(minutes, 9), ema(minutes, 20), ema(minutes, 50)];
  const extremes = extremesSoFar(bars);
  const [alongVwap, alongMiddle] = [runsAlong(minutes, vwap), runsAlong(minutes, middle)];
  const retestRun = isMinutes ? retestRuns(session) : NO_CLOSES;
  const atr = dailyAtr > 0 ? dailyAtr : Number.NaN;
  return (count) => ({
    session_high: ago(extremes.high, 0, count),
    session_low: ago(extremes.low, 0, count),
    vwap_30m_ago: isMinutes ? ago(vwap, VWAP_BARS_AGO, count) : Number.NaN,
    vwap_run: ago(alongVwap.run, 0, count),
    vwap_excursion_atr: ago(alongVwap.excursion, 0, count) / atr,
    orb_retest_run: ago(retestRun, 0, count),
    session_ema_9: ago(fast, 0, count),
    session_ema_20: ago(middle, 0, count),
    session_ema_20_excursion_atr: ago(alongMiddle.excursion, 0, count) / atr,
    session_ema_50: ago(slow, 0, count),
    session_ema_50_10m_ago: ago(slow, SLOPE_BARS, count),
  });
}

const NO_CLOSES = new Float64Array(0);

/** Value so many bars before the last of the first `count`. */
const ago = (column: Float64Array, bars: number, count: number): number =>
  column[count - 1 - bars] ?? Number.NaN;

/**
 * After each bar the closes in a row above a line, or minus those below, and the furthest of them from it in dollars, with
 * the sign of its side; 0 when the newest lies on it, NaN where not known.
 */
function runsAlong(close: Float64Array, line: Float64Array) {
  const run = new Float64Array(close.length);
  const excursion = new Float64Array(close.length);
  for (let bar = 0; bar < run.length; bar++) {
    const distance = close[bar]! - line[bar]!;
    const side = Math.sign(distance);
    const goesOn = bar > 0 && side * run[bar - 1]! > 0;
    run[bar] = goesOn ? run[bar - 1]! + side : side;
    const isFurther = !goesOn || Math.abs(distance) > Math.abs(excursion[bar - 1]!);
    excursion[bar] = isFurther ? distance : excursion[bar - 1]!;
  }
  return { run, excursion };
}

/**
 * After each bar the closes beyond the opening range since price last came back to its edge, that close within; minus below
 * the range.
 */
function retestRuns({ bars: { high, low, close }, orbHigh, orbLow, dailyAtr }: SessionSoFar): Float64Array {
  if (Number.isNaN(orbHigh + orbLow + dailyAtr)) return NO_CLOSES;
  const left = PLAYBOOK_THRESHOLDS.left_range_atr * dailyAtr;
  const above = heldSince(returnsTo(orbHigh, left, { low, close }), (bar) => close[bar]! > orbHigh);
  const turned = { low: high.map((price) => -price), close: close.map((price) => -price) };
  const below = heldSince(returnsTo(-orbLow, left, turned), (bar) => close[bar]! < orbLow);
  // Minus none is none.
  return above.map((held, bar) => (held > 0 ? held : 0 - below[bar]!));
}

/** After each bar those from the newest return on, when all of them hold; else 0. */
function heldSince(returns: Uint8Array, holds: (bar: number) => boolean): Float64Array {
  const held = new Float64Array(returns.length);
  for (let bar = 0; bar < held.length; bar++) {
    if (!holds(bar)) continue;
    const before = held[bar - 1] ?? 0;
    held[bar] = returns[bar] === 1 ? 1 : before > 0 ? before + 1 : 0;
  }
  return held;
}
