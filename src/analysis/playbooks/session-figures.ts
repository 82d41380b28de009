import type { BarColumns } from '../../market/observations.ts';
import { returnsTo } from '../backtest/signals.ts';
import { ema } from '../indicators/averages.ts';
import { priceRange } from '../sessions.ts';
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
  const retestRun = isMinutes ? retestRuns(session) : () => Number.NaN;
  const atr = dailyAtr > 0 ? dailyAtr : Number.NaN;
  return (count) => {
    const { high, low } = priceRange(bars, { from: 0, to: count });
    const known = isMinutes ? count : 0;
    const vwapRun = runAlong(minutes, vwap, known);
    return {
      session_high: high,
      session_low: low,
      vwap_30m_ago: ago(vwap, VWAP_BARS_AGO, known),
      vwap_run: vwapRun,
      vwap_excursion_atr: excursion(minutes, vwap, vwapRun, known) / atr,
      orb_retest_run: retestRun(count),
      session_ema_9: ago(fast, 0, known),
      session_ema_20: ago(middle, 0, known),
      session_ema_20_excursion_atr: excursion(minutes, middle, runAlong(minutes, middle, known), known) / atr,
      session_ema_50: ago(slow, 0, known),
      session_ema_50_10m_ago: ago(slow, SLOPE_BARS, known),
    };
  };
}

const NO_CLOSES = new Float64Array(0);

/** Value so many bars before the last of the first `count`. */
const ago = (column: Float64Array, bars: number, count: number): number =>
  column[count - 1 - bars] ?? Number.NaN;

/** Newest closes in a row above a line, or minus those below; 0 when the newest lies on it, NaN where not known. */
function runAlong(close: Float64Array, line: Float64Array, count: number): number {
  if (count === 0 || Number.isNaN(ago(line, 0, count))) return Number.NaN;
  let run = 0;
  for (let bar = count - 1; bar >= 0; bar--) {
    const side = Math.sign(close[bar]! - line[bar]!);
    if (!(side * run > 0 || (run === 0 && side !== 0))) break;
    run += side;
  }
  return run;
}

/** Closes beyond the opening range since price last came back to its edge, that close within; minus below the range. */
function retestRuns({ bars: { high, low, close }, orbHigh, orbLow, dailyAtr }: SessionSoFar) {
  if (Number.isNaN(orbHigh + orbLow + dailyAtr)) return () => Number.NaN;
  const left = PLAYBOOK_THRESHOLDS.left_range_atr * dailyAtr;
  const above = returnsTo(orbHigh, left, { low, close });
  const turned = { low: high.map((price) => -price), close: close.map((price) => -price) };
  const below = returnsTo(-orbLow, left, turned);
  return (count: number): number => {
    if (count === 0) return Number.NaN;
    const held = heldSince(above, count, (bar) => close[bar]! > orbHigh);
    if (held > 0) return held;
    // Minus none is none.
    return 0 - heldSince(below, count, (bar) => close[bar]! < orbLow);
  };
}

/** Bars from the newest return on, when all of them hold; else 0. */
function heldSince(returns: Uint8Array, count: number, holds: (bar: number) => boolean): number {
  for (let bar = count - 1; bar >= 0 && holds(bar); bar--) {
    if (returns[bar] === 1) return count - bar;
  }
  return 0;
}

/** The furthest close from a line in the run at the end, dollars, with the sign of its side; 0 without a run. */
function excursion(close: Float64Array, line: Float64Array, run: number, count: number): number {
  if (Number.isNaN(run)) return Number.NaN;
  let furthest = 0;
  for (let bar = count - Math.abs(run); bar < count; bar++) {
    const distance = close[bar]! - line[bar]!;
    if (Math.abs(distance) > Math.abs(furthest)) furthest = distance;
  }
  return furthest;
}
