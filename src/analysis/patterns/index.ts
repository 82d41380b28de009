import type { BarColumns } from '../../market/observations.ts';
import { boundaries } from './boundaries.ts';
import { candlesticks } from './candlesticks.ts';
import { type CupWithoutHandle, cup, cupAndHandle } from './cup-and-handle.ts';
import { doubleTopOrBottom, tripleTopOrBottom } from './double-triple.ts';
import type {
  ChartPatternType,
  PatternFinding,
  PatternReading,
  Scan,
  SwingPoint,
  SwingReader,
} from './finding.ts';
import { flagOrPennant, isFlagPossible, type Pole, pole } from './flags-pennants.ts';
import { headAndShoulders } from './head-and-shoulders.ts';
import {
  advancePattern,
  findingOf,
  isExpired,
  isMoving,
  isSameIdea,
  type LivePattern,
  openPattern,
} from './lifecycle.ts';
import { MAJOR_SWING, MINOR_SWING, meanTrueRange, RANGE_ROWS, swingPoints } from './pivots.ts';
import { rectangle, triangleOrWedge } from './triangles-rectangles.ts';
import { volatilityContraction } from './vcp.ts';

const triangleOrRectangle: SwingReader = (swings, count, scan) => {
  const lines = boundaries(swings, count, scan);
  return lines === null ? null : (rectangle(lines) ?? triangleOrWedge(lines));
};

const SWING_READERS: readonly SwingReader[] = [
  doubleTopOrBottom,
  tripleTopOrBottom,
  headAndShoulders,
  triangleOrRectangle,
  volatilityContraction,
];

/** A fuller reading takes the place of a forming one on the same swings. */
const REPLACES: Readonly<Partial<Record<string, ChartPatternType>>> = {
  triple_top: 'double_top',
  triple_bottom: 'double_bottom',
  volatility_contraction: 'volatility_contraction',
};

/** The state of a scan: opened patterns, and those that wait for their last part. */
interface ScanState {
  /** All opened patterns, oldest first: none is opened twice. */
  readonly opened: LivePattern[];
  /** Opened patterns that a later row may still change. */
  moving: LivePattern[];
  cups: CupWithoutHandle[];
  poles: Pole[];
}

/**
 * Chart patterns and candlesticks as of the last row of daily bars (oldest first, one price basis), newest first:
 * forming ones, confirmed ones up to 60 rows after their confirmation (candlesticks 10), and those that failed without
 * confirmation up to 5 rows after (candlesticks 3).
 *
 * Nothing repaints. One forward scan counts swings from the row that confirmed them, opens a pattern from what was
 * known at its row, and afterwards moves only its status. The answer on a prefix is what was reported then, and
 * everything confirmed in it is reported again, with the same prices, until it expires.
 *
 * All measures use a fixed number of past rows or swings. A window that begins later gives the same patterns from its
 * first few common swings on.
 */
export function detectPatterns(bars: BarColumns): PatternFinding[] {
  const last = bars.close.length - 1;
  if (last < RANGE_ROWS) return [];
  const scan: Scan = { bars, range: meanTrueRange(bars), row: last };
  const live = [...chartPatterns(scan), ...candlesticks({ ...scan, row: last })];
  return live.map(findingOf).sort(newestFirst);
}

function chartPatterns(scan: Scan): LivePattern[] {
  const { bars, range } = scan;
  const last = scan.row;
  const minor = swingPoints(bars, range, MINOR_SWING);
  const major = swingPoints(bars, range, MAJOR_SWING);
  const state: ScanState = { opened: [], moving: [], cups: [], poles: [] };
  let minorSeen = 0;
  let majorSeen = 0;
  for (let row = RANGE_ROWS; row <= last; row++) {
    scan.row = row;
    advanceMoving(state.moving, scan);
    if (minor[minorSeen]?.confirmedRow === row) readSwings(minor, ++minorSeen, state, scan);
    if (major[majorSeen]?.confirmedRow === row) readSwings(major, ++majorSeen, state, scan);
    if (state.cups.length > 0) readHandles(state, scan);
    readFlags(state, scan);
  }
  return state.opened.filter((pattern) => !isExpired(pattern, last));
}

function advanceMoving(moving: LivePattern[], scan: Scan): void {
  let count = 0;
  for (let at = 0; at < moving.length; at++) {
    const pattern = moving[at]!;
    advancePattern(pattern, scan.bars, scan.row);
    if (isMoving(pattern, scan.row)) moving[count++] = pattern;
  }
  moving.length = count;
}

function readSwings(swings: readonly SwingPoint[], count: number, state: ScanState, scan: Scan): void {
  for (const read of SWING_READERS) {
    const reading = read(swings, count, scan);
    if (reading !== null) open(reading, state, scan);
  }
  const found = cup(swings, count, scan);
  if (found !== null) state.cups.push(found);
}

function readHandles(state: ScanState, scan: Scan): void {
  for (const waiting of state.cups) {
    const reading = waiting.readyRow === scan.row ? cupAndHandle(waiting, scan) : null;
    if (reading !== null) open(reading, state, scan);
  }
  state.cups = state.cups.filter((waiting) => waiting.readyRow > scan.row);
}

function readFlags(state: ScanState, scan: Scan): void {
  const found = pole(scan, 1) ?? pole(scan, -1);
  if (found !== null) state.poles.push(found);
  if (state.poles.length > 0) advancePoles(state, scan);
}

function advancePoles(state: ScanState, scan: Scan): void {
  state.poles = state.poles.filter((at) => {
    if (!isFlagPossible(at, scan)) return false;
    const reading = flagOrPennant(at, scan);
    if (reading !== null) open(reading, state, scan);
    return reading === null;
  });
}

/** Opens a reading unless it repeats another pattern. */
function open(reading: PatternReading, state: ScanState, scan: Scan): void {
  for (let at = state.opened.length - 1; at >= 0; at--) {
    const other = state.opened[at]!;
    if (haveSameAnchors(other.reading, reading)) return;
    if (isSameIdea(other, reading.type, reading) && !isReplaceable(other, reading)) return;
  }
  const pattern = openPattern(reading, 'chart', scan.bars, scan.row);
  if (pattern === null) return;
  if (REPLACES[reading.type] !== undefined) dropReplaced(state, reading);
  state.opened.push(pattern);
  if (isMoving(pattern, scan.row)) state.moving.push(pattern);
}

function isReplaceable(other: LivePattern, reading: PatternReading): boolean {
  const lastRow = (of: PatternReading) => of.pivots[of.pivots.length - 1]!.row;
  const isForming = other.reading.type === REPLACES[reading.type] && other.status === 'forming';
  return isForming && lastRow(other.reading) <= lastRow(reading);
}

function dropReplaced(state: ScanState, reading: PatternReading): void {
  for (const other of state.moving) {
    if (isReplaceable(other, reading) && isSameIdea(other, other.reading.type, reading))
      other.replaced = true;
  }
  state.moving = state.moving.filter((other) => !other.replaced);
}

function haveSameAnchors(a: PatternReading, b: PatternReading): boolean {
  if (a.type !== b.type || a.pivots.length !== b.pivots.length) return false;
  for (let at = a.pivots.length - 1; at >= 0; at--) if (a.pivots[at]!.row !== b.pivots[at]!.row) return false;
  return true;
}

function newestFirst(a: PatternFinding, b: PatternFinding): number {
  if (a.firstSeenRow !== b.firstSeenRow) return b.firstSeenRow - a.firstSeenRow;
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  return (a.pivots[0]?.row ?? 0) - (b.pivots[0]?.row ?? 0);
}
