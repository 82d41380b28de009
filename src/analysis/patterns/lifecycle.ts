import type { BarColumns } from '../../market/observations.ts';
import type { PatternFamily, PatternFinding, PatternReading } from './finding.ts';
import { priceAt } from './lines.ts';

/** How long a finding is still served, in rows since it was confirmed, and since it failed without confirmation. */
export const SERVED_ROWS = {
  chart: { confirmedRows: 60, failedRows: 5 },
  candlestick: { confirmedRows: 10, failedRows: 3 },
} as const satisfies Record<PatternFamily, unknown>;

/** A reading with its later life: confirmation and frozen prices never change again. */
export interface LivePattern {
  readonly reading: PatternReading;
  readonly family: PatternFamily;
  readonly firstSeenRow: number;
  /** 1 bullish, -1 bearish, 0 until a two-way pattern picks its side. */
  side: number;
  status: PatternFinding['status'];
  trigger: number;
  counterTrigger: number;
  stop: number;
  invalidation: number;
  target: number;
  trail: number;
  confirmedRow: number;
  failedRow: number;
  failure: PatternFinding['failure'];
  targetRow: number;
}

/** The reading as of the row that completed it, whose close can confirm it already; null when it invalidates it. */
function openPattern(
  reading: PatternReading,
  family: PatternFamily,
  bars: BarColumns,
  row: number,
): LivePattern | null {
  const side = reading.direction === 'bullish' ? 1 : reading.direction === 'bearish' ? -1 : 0;
  const live: LivePattern = {
    reading,
    family,
    firstSeenRow: row,
    side,
    status: 'forming',
    trigger: Number.NaN,
    counterTrigger: Number.NaN,
    stop: Number.NaN,
    invalidation: Number.NaN,
    target: Number.NaN,
    trail: side >= 0 ? reading.stopLong : reading.stopShort,
    confirmedRow: -1,
    failedRow: -1,
    failure: null,
    targetRow: -1,
  };
  advancePattern(live, bars, row);
  return live.status === 'failed' ? null : live;
}

/** As `openPattern`, with its life up to the last row; what becomes of it does not depend on where the history begins. */
export function livePattern(
  reading: PatternReading,
  family: PatternFamily,
  bars: BarColumns,
  row: number,
): LivePattern | null {
  const live = openPattern(reading, family, bars, row);
  if (live === null) return null;
  for (let at = row + 1; at < bars.close.length && isMoving(live, at - 1); at++)
    advancePattern(live, bars, at);
  return live;
}

/** Moves a pattern on by one row: confirmation, failure, expiry, target. */
function advancePattern(live: LivePattern, bars: BarColumns, row: number): void {
  if (live.status === 'forming') advanceForming(live, bars, row);
  else if (live.status === 'confirmed' && live.targetRow < 0) advanceConfirmed(live, bars, row);
}

function advanceForming(live: LivePattern, bars: BarColumns, row: number): void {
  const { reading } = live;
  const close = bars.close[row]!;
  live.trigger = priceAt(reading.trigger, row);
  live.counterTrigger = reading.counter === null ? Number.NaN : priceAt(reading.counter, row);
  if (live.side === 0) {
    if (!(live.trigger > live.counterTrigger)) fail(live, row, 'expired');
    else if (close > live.trigger) pickSide(live, 1);
    else if (close < live.counterTrigger) pickSide(live, -1);
    else if (row >= reading.expiresRow) fail(live, row, 'expired');
    if (live.side === 0) return;
  }
  if (reading.trailingStop) trailStop(live, bars, row);
  const confirmed = live.side * (close - live.trigger) > 0;
  setPrices(live, confirmed);
  // Two converging lines, or a steep neckline and its shoulder, have met: there is no room left for a trade.
  if (live.side * (live.trigger - live.stop) <= 0) fail(live, row, 'expired');
  else if (confirmed) confirm(live, bars, row);
  else if (live.side * (close - live.invalidation) < 0) fail(live, row, 'invalidated');
  else if (row >= reading.expiresRow) fail(live, row, 'expired');
}

function pickSide(live: LivePattern, side: 1 | -1): void {
  live.side = side;
  if (side === 1) return;
  const upper = live.trigger;
  live.trigger = live.counterTrigger;
  live.counterTrigger = upper;
}

function trailStop(live: LivePattern, bars: BarColumns, row: number): void {
  const extreme = live.side > 0 ? bars.low[row]! : bars.high[row]!;
  if (live.side * (extreme - live.trail) < 0) live.trail = extreme;
}

/** Target, stop and invalidation for the trigger price of this row. */
function setPrices(live: LivePattern, confirmed: boolean): void {
  const { reading, side, trigger } = live;
  const swing = reading.trailingStop ? live.trail : side > 0 ? reading.stopLong : reading.stopShort;
  const wrong = Number.isNaN(reading.invalidation) ? live.counterTrigger : reading.invalidation;
  // The stop is the nearer of swing and far side, as long as it lies behind the trigger.
  const swingIsNearer = side * (swing - wrong) > 0 && side * (trigger - swing) > 0;
  live.stop = swingIsNearer ? swing : wrong;
  // While it forms a sloping far side kills it; once confirmed, only a close beyond both line and swing does.
  live.invalidation = confirmed && side * (swing - wrong) < 0 ? swing : wrong;
  const fixed = reading.target;
  const measured = side * (fixed - trigger) > 0 ? fixed : trigger + side * reading.height;
  // A pattern taller than its trigger price has no target to fall to.
  live.target = measured > 0 ? measured : Number.NaN;
}

function confirm(live: LivePattern, bars: BarColumns, row: number): void {
  live.status = 'confirmed';
  live.confirmedRow = row;
  markTarget(live, bars, row);
}

function advanceConfirmed(live: LivePattern, bars: BarColumns, row: number): void {
  if (live.side * (bars.close[row]! - live.invalidation) < 0) fail(live, row, 'invalidated');
  else markTarget(live, bars, row);
}

function markTarget(live: LivePattern, bars: BarColumns, row: number): void {
  const reached = live.side > 0 ? bars.high[row]! >= live.target : bars.low[row]! <= live.target;
  if (reached) live.targetRow = row;
}

function fail(live: LivePattern, row: number, failure: 'invalidated' | 'expired'): void {
  live.status = 'failed';
  live.failedRow = row;
  live.failure = failure;
}

/** True while a later row may still change it. */
function isMoving(live: LivePattern, row: number): boolean {
  if (live.status === 'forming') return true;
  return live.status === 'confirmed' && live.targetRow < 0 && !isExpired(live, row);
}

/** Whether something was so by a row; -1 for never. */
export const isBy = (since: number, row: number): boolean => since >= 0 && since <= row;

/** True when it is no longer served at a row. */
export function isExpired(live: LivePattern, row: number): boolean {
  const rows = SERVED_ROWS[live.family];
  if (isBy(live.confirmedRow, row)) return row - live.confirmedRow > rows.confirmedRows;
  return isBy(live.failedRow, row) && row - live.failedRow > rows.failedRows;
}

/** True when a pattern that has not failed at a row shares two or more swings with a reading. */
export function isSameIdea(live: LivePattern, reading: PatternReading, row: number): boolean {
  if (isBy(live.failedRow, row)) return false;
  let shared = 0;
  for (const pivot of live.reading.pivots) {
    for (const other of reading.pivots) if (pivot.row === other.row && pivot.kind === other.kind) shared++;
  }
  return shared >= 2;
}

/** The boundaries of a pattern that has not failed at a row, whatever has become of it since; dollars, NaN without one. */
export function boundariesAt({ reading, confirmedRow, trigger, counterTrigger }: LivePattern, row: number) {
  if (isBy(confirmedRow, row)) return { trigger, counterTrigger };
  const counter = reading.counter === null ? Number.NaN : priceAt(reading.counter, row);
  return { trigger: priceAt(reading.trigger, row), counterTrigger: counter };
}

export function findingOf(live: LivePattern): PatternFinding {
  const { reading } = live;
  const bearishTwoWay = reading.direction === 'neutral' && live.side < 0;
  const triggerLine = bearishTwoWay && reading.counter !== null ? reading.counter : reading.trigger;
  return {
    type: reading.type,
    family: live.family,
    direction: live.side > 0 ? 'bullish' : live.side < 0 ? 'bearish' : 'neutral',
    status: live.status,
    pivots: reading.pivots,
    trigger: live.trigger,
    triggerLine,
    counterTrigger: live.counterTrigger,
    counterLine: bearishTwoWay ? reading.trigger : reading.counter,
    target: live.target,
    stop: live.stop,
    invalidation: live.side === 0 ? Number.NaN : live.invalidation,
    height: reading.height,
    firstSeenRow: live.firstSeenRow,
    confirmedRow: live.confirmedRow < 0 ? null : live.confirmedRow,
    failedRow: live.failedRow < 0 ? null : live.failedRow,
    failure: live.failure,
    targetRow: live.targetRow < 0 ? null : live.targetRow,
    confidence: reading.confidence,
  };
}
