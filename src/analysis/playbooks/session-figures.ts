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
export function sessionFigures(session: SessionSoFar): SessionFigures {
  const { bars, isMinutes, vwap, dailyAtr } = session;
  const { close } = bars;
  const { high, low } = priceRange(bars, { from: 0, to: close.length });
  const minutes = isMinutes ? close : NO_CLOSES;
  const vwapRun = runAlong(minutes, vwap);
  const middle = ema(minutes, 20);
  const slow = ema(minutes, 50);
  const atr = dailyAtr > 0 ? dailyAtr : Number.NaN;
  return {
    session_high: high,
    session_low: low,
    vwap_30m_ago: isMinutes ? ago(vwap, VWAP_BARS_AGO) : Number.NaN,
    vwap_run: vwapRun,
    vwap_excursion_atr: excursion(minutes, vwap, vwapRun) / atr,
    orb_retest_run: isMinutes ? retestRun(session) : Number.NaN,
    session_ema_9: ago(ema(minutes, 9), 0),
    session_ema_20: ago(middle, 0),
    session_ema_20_excursion_atr: excursion(minutes, middle, runAlong(minutes, middle)) / atr,
    session_ema_50: ago(slow, 0),
    session_ema_50_10m_ago: ago(slow, SLOPE_BARS),
  };
}

const NO_CLOSES = new Float64Array(0);

const ago = (column: Float64Array, bars: number): number => column[column.length - 1 - bars] ?? Number.NaN;

/** Newest closes in a row above a line, or minus those below; 0 when the newest lies on it, NaN where not known. */
function runAlong(close: Float64Array, line: Float64Array): number {
  if (close.length === 0 || Number.isNaN(ago(line, 0))) return Number.NaN;
  let run = 0;
  for (let bar = close.length - 1; bar >= 0; bar--) {
    const side = Math.sign(close[bar]! - line[bar]!);
    if (!(side * run > 0 || (run === 0 && side !== 0))) break;
    run += side;
  }
  return run;
}

/** Closes beyond the opening range since price last came back to its edge, that close within; minus below the range. */
function retestRun({ bars: { high, low, close }, orbHigh, orbLow, dailyAtr }: SessionSoFar): number {
  if (Number.isNaN(orbHigh + orbLow + dailyAtr) || close.length === 0) return Number.NaN;
  const left = PLAYBOOK_THRESHOLDS.left_range_atr * dailyAtr;
  const held = heldSince(returnsTo(orbHigh, left, { low, close }), (bar) => close[bar]! > orbHigh);
  if (held > 0) return held;
  const turned = { low: high.map((price) => -price), close: close.map((price) => -price) };
  // Minus none is none.
  return 0 - heldSince(returnsTo(-orbLow, left, turned), (bar) => close[bar]! < orbLow);
}

/** Bars from the newest return on, when all of them hold; else 0. */
function heldSince(returns: Uint8Array, holds: (bar: number) => boolean): number {
  for (let bar = returns.length - 1; bar >= 0 && holds(bar); bar--) {
    if (returns[bar] === 1) return returns.length - bar;
  }
  return 0;
}

/** The furthest close from a line in the run at the end, dollars, with the sign of its side; 0 without a run. */
function excursion(close: Float64Array, line: Float64Array, run: number): number {
  if (Number.isNaN(run)) return Number.NaN;
  let furthest = 0;
  for (let bar = close.length - Math.abs(run); bar < close.length; bar++) {
    const distance = close[bar]! - line[bar]!;
    if (Math.abs(distance) > Math.abs(furthest)) furthest = distance;
  }
  return furthest;
}
