import type { BarColumns } from '../market/observations.ts';
import { ema } from './indicators/averages.ts';
import { atr } from './indicators/true-range.ts';
import { windowMean } from './statistics.ts';

/** Sessions, the last row included, for which an event is listed. */
export const EVENT_SESSIONS = 20;

/** Sessions whose extreme a close has to pass, shortest first: passing a long one implies passing the shorter. */
const BREAKOUT_SESSIONS = [20, 55, 252] as const;
const AVERAGE_SESSIONS = [20, 50, 200] as const;
/** A smaller difference between open and prior close is the ordinary noise of an open. */
export const GAP_ATR_MIN = 0.25;
const VOLUME_SESSIONS = 20;
export const SURGE = 2;
export const SPIKE = 3;
export const DRY_UP = 0.5;
const CLIMAX_ATR = 2;
const CLIMAX_SESSIONS = 20;

export const PRICE_EVENT_TYPES = [
  'gap_up',
  'gap_down',
  'breakout_20d_high',
  'breakout_55d_high',
  'breakout_252d_high',
  'breakdown_20d_low',
  'breakdown_55d_low',
  'breakdown_252d_low',
  'close_above_sma_20',
  'close_above_sma_50',
  'close_above_sma_200',
  'close_below_sma_20',
  'close_below_sma_50',
  'close_below_sma_200',
  'golden_cross',
  'death_cross',
  'ema_9_above_ema_20',
  'ema_9_below_ema_20',
  'volume_surge',
  'volume_spike',
  'volume_dry_up',
  'buying_climax',
  'selling_climax',
] as const;
type PriceEventType = (typeof PRICE_EVENT_TYPES)[number];

/** Something that happened in one session. Rows are rows of the columns given; NaN and null: not of this event. */
export interface PriceEvent {
  readonly type: PriceEventType;
  readonly direction: 'bullish' | 'bearish' | 'neutral';
  readonly row: number;
  /** The open for a gap, else the close, dollars. */
  readonly price: number;
  /** What was left behind: prior close (gap), extreme (breakout), the slower average (crossover); NaN for volume. */
  readonly level: number;
  /** Distance of `price` from `level` in percent of the level, signed; for a cross of two averages theirs. */
  readonly sizePct: number;
  /** The same distance in ATR(14) of the session before, signed. */
  readonly sizeAtr: number;
  /** Volume of the session over the mean of the 20 before; NaN with fewer sessions or without volume. */
  readonly volumeRatio: number;
  /** Gaps: whether, as of the last row, price has been back at the prior close, and the row on which it first was. */
  readonly filled: boolean | null;
  readonly filledRow: number | null;
}

/** Indicators that the events of a day need. */
type Gauge = Readonly<ReturnType<typeof gaugeOf>>;
/** What a gap needs of them. */
type GapGauge = Pick<Gauge, 'bars' | 'atrBefore' | 'volumeRatioOf'>;

/**
 * The events of the last `sessions` rows of daily bars (oldest first, one price basis), newest first. An event is
 * decided by the rows up to its own and does not change until it ages out; only a gap's fill is as of the last row.
 *
 * - gap: the open beyond the prior day's high or low and at least 0.25 ATR(14) from the prior close, to which size and
 *   fill refer (StockCharts ChartSchool, "Gap Trading Strategies": full gap). It may fill on its own day.
 * - breakout: the close beyond the highest high (lowest low) of the 20, 55 or 252 sessions before, when the close
 *   before did not do the same; the longest of them only (Donchian's channel; 20 and 55 are the Turtles').
 * - crossover: the close through its SMA of 20, 50, 200; SMA 50 through SMA 200 (golden and death cross); EMA 9 through
 *   EMA 20. At the average is not through it.
 * - volume: at least 2 times the mean of the 20 sessions before is a surge, 3 times a spike, half of it or less a
 *   dry-up; direction is that of close on prior close. A climax is a spike on a true range of 2 ATR(14) at a
 *   20-session extreme which the close gave up by a third of the day's range (Wyckoff): bearish at a high.
 */
export function priceEvents(bars: BarColumns, sessions: number = EVENT_SESSIONS): PriceEvent[] {
  const last = bars.close.length - 1;
  const first = Math.max(1, last - sessions + 1);
  const gauge = gaugeOf(bars, first - 1);
  const events: PriceEvent[] = [];
  for (let row = last; row >= first; row--) {
    gap(gauge, row, events);
    breakout(gauge, row, 1, events);
    breakout(gauge, row, -1, events);
    for (const length of AVERAGE_SESSIONS) {
      const types = [`close_above_sma_${length}`, `close_below_sma_${length}`] as const;
      cross(gauge, row, bars.close, gauge.sma[length], types, events);
    }
    cross(gauge, row, gauge.sma[50], gauge.sma[200], ['golden_cross', 'death_cross'], events);
    cross(gauge, row, gauge.ema9, gauge.ema20, ['ema_9_above_ema_20', 'ema_9_below_ema_20'], events);
    volumeEvents(gauge, row, events);
  }
  return events;
}

/**
 * The events of the rows before a running session and what is decided of it, the last row: its gap, and that it fills
 * gaps before it.
 *
 * @param completed `priceEvents` of the rows before it, for one session less than is wanted
 * @param atrBefore ATR(14) of the row before it
 */
export function withRunningSession(
  completed: readonly PriceEvent[],
  bars: BarColumns,
  atrBefore: number,
): PriceEvent[] {
  const row = bars.close.length - 1;
  const events: PriceEvent[] = [];
  if (row > 0) gap({ bars, atrBefore: () => atrBefore, volumeRatioOf: () => Number.NaN }, row, events);
  for (const event of completed) {
    const [backs, side] = event.type === 'gap_up' ? [bars.low, 1 as const] : [bars.high, -1 as const];
    const isFilledNow = event.filled === false && firstRowBack(backs, row, event.level, side) !== null;
    events.push(isFilledNow ? { ...event, filled: true, filledRow: row } : event);
  }
  return events;
}

function gaugeOf(bars: BarColumns, from: number) {
  const { high, low, close } = bars;
  const ranges = atr(high, low, close, 14);
  /** Volume over the mean of the 20 rows before, and simple averages of the close, for the requested rows only. */
  const ratios = volumeRatios(bars.volume, from);
  return {
    bars,
    atrBefore: (row: number): number => ranges[row - 1]!,
    ema9: ema(close, 9),
    ema20: ema(close, 20),
    volumeRatioOf: (row: number): number => ratios[row]!,
    sma: {
      20: meanCloses(close, 20, from),
      50: meanCloses(close, 50, from),
      200: meanCloses(close, 200, from),
    },
  };
}

/**
 * Means of the `length` closes up to each row, from row `from` on; NaN where there are fewer. Each is summed anew, so
 * that a cross does not depend on the rounding of earlier rows.
 */
function meanCloses(close: Float64Array, length: number, from: number): Float64Array {
  const means = new Float64Array(close.length).fill(Number.NaN);
  for (let row = Math.max(from, length - 1); row < close.length; row++) {
    means[row] = windowMean(close, row - length + 1, length);
  }
  return means;
}

function volumeRatios(volume: Float64Array, from: number): Float64Array {
  const ratios = new Float64Array(volume.length).fill(Number.NaN);
  for (let row = Math.max(from, VOLUME_SESSIONS); row < volume.length; row++) {
    let sum = 0;
    for (let at = row - VOLUME_SESSIONS; at < row; at++) sum += volume[at]!;
    if (sum > 0) ratios[row] = (volume[row]! * VOLUME_SESSIONS) / sum;
  }
  return ratios;
}

function event(
  gauge: GapGauge,
  type: PriceEventType,
  direction: PriceEvent['direction'],
  row: number,
  price: number,
  level: number,
  distance: number = price - level,
): PriceEvent {
  const atrBefore = gauge.atrBefore(row);
  return {
    type,
    direction,
    row,
    price,
    level,
    sizePct: (distance / level) * 100,
    sizeAtr: atrBefore > 0 ? distance / atrBefore : Number.NaN,
    volumeRatio: gauge.volumeRatioOf(row),
    filled: null,
    filledRow: null,
  };
}

function gap(gauge: GapGauge, row: number, events: PriceEvent[]): void {
  const { open, high, low, close } = gauge.bars;
  const from = close[row - 1]!;
  const side = open[row]! > high[row - 1]! ? 1 : open[row]! < low[row - 1]! ? -1 : 0;
  const size = Math.abs(open[row]! - from);
  if (side === 0 || !(size >= GAP_ATR_MIN * gauge.atrBefore(row))) return;
  const up = side > 0;
  const filledRow = firstRowBack(up ? low : high, row, from, side);
  events.push({
    ...event(gauge, up ? 'gap_up' : 'gap_down', up ? 'bullish' : 'bearish', row, open[row]!, from),
    filled: filledRow !== null,
    filledRow,
  });
}

/**
 * The first row from `row` on at which price is back at `from`, coming from `side`; null when there is none. It returns
 * from inside the loop: a comparison of the index repeated after the loop was seen to come out wrong once the engine
 * (V8 of Node 26.10) had compiled it.
 */
function firstRowBack(backs: Float64Array, row: number, from: number, side: 1 | -1): number | null {
  for (let at = row; at < backs.length; at++) {
    if (!(side * (backs[at]! - from) > 0)) return at;
  }
  return null;
}

function breakout(gauge: Gauge, row: number, side: 1 | -1, events: PriceEvent[]): void {
  const { close } = gauge.bars;
  const extremes = side > 0 ? gauge.bars.high : gauge.bars.low;
  let longest: (typeof BREAKOUT_SESSIONS)[number] | null = null;
  let level = Number.NaN;
  for (const length of BREAKOUT_SESSIONS) {
    const extreme = extremeBefore(extremes, row, length, side);
    if (!(side * (close[row]! - extreme) > 0)) break;
    // A run of new highs is one breakout: the close before must be known not to have been one as well.
    if (!(side * (close[row - 1]! - extremeBefore(extremes, row - 1, length, side)) <= 0)) continue;
    longest = length;
    level = extreme;
  }
  if (longest === null) return;
  const type: PriceEventType = side > 0 ? `breakout_${longest}d_high` : `breakdown_${longest}d_low`;
  events.push(event(gauge, type, side > 0 ? 'bullish' : 'bearish', row, close[row]!, level));
}

/** Highest (side 1) or lowest value of the `length` rows before the row; NaN when there are fewer. */
function extremeBefore(column: Float64Array, row: number, length: number, side: 1 | -1): number {
  if (row < length) return Number.NaN;
  let extreme = column[row - 1]!;
  for (let at = row - length; at < row; at++) {
    extreme = side > 0 ? Math.max(extreme, column[at]!) : Math.min(extreme, column[at]!);
  }
  return extreme;
}

/** An event where the first column goes through the second, up or down. */
function cross(
  gauge: Gauge,
  row: number,
  fast: Float64Array,
  slow: Float64Array,
  [up, down]: readonly [PriceEventType, PriceEventType],
  events: PriceEvent[],
): void {
  const side = crossing(fast[row - 1]!, slow[row - 1]!, fast[row]!, slow[row]!);
  if (side === 0) return;
  const price = gauge.bars.close[row]!;
  const distance = fast[row]! - slow[row]!;
  const [type, direction] = side > 0 ? ([up, 'bullish'] as const) : ([down, 'bearish'] as const);
  events.push(event(gauge, type, direction, row, price, slow[row]!, distance));
}

/** 1 when the first value goes from at or below the second to above it, -1 mirrored, 0 when it does not or is unknown. */
function crossing(before: number, averageBefore: number, now: number, averageNow: number): 1 | -1 | 0 {
  if (before <= averageBefore && now > averageNow) return 1;
  return before >= averageBefore && now < averageNow ? -1 : 0;
}

function volumeEvents(gauge: Gauge, row: number, events: PriceEvent[]): void {
  const { close } = gauge.bars;
  const ratio = gauge.volumeRatioOf(row);
  const change = close[row]! - close[row - 1]!;
  const direction = change > 0 ? 'bullish' : change < 0 ? 'bearish' : 'neutral';
  if (ratio >= SPIKE) events.push(volumeEvent(gauge, 'volume_spike', direction, row));
  else if (ratio >= SURGE) events.push(volumeEvent(gauge, 'volume_surge', direction, row));
  else if (ratio <= DRY_UP) events.push(volumeEvent(gauge, 'volume_dry_up', 'neutral', row));
  if (!(ratio >= SPIKE)) return;
  if (isClimax(gauge, row, 1)) events.push(volumeEvent(gauge, 'buying_climax', 'bearish', row));
  if (isClimax(gauge, row, -1)) events.push(volumeEvent(gauge, 'selling_climax', 'bullish', row));
}

/** Size is the day's change of the close; there is no level. */
function volumeEvent(
  gauge: Gauge,
  type: PriceEventType,
  direction: PriceEvent['direction'],
  row: number,
): PriceEvent {
  const { close } = gauge.bars;
  return { ...event(gauge, type, direction, row, close[row]!, close[row - 1]!), level: Number.NaN };
}

function isClimax(gauge: Gauge, row: number, side: 1 | -1): boolean {
  const { high, low, close } = gauge.bars;
  const trueRange = Math.max(high[row]!, close[row - 1]!) - Math.min(low[row]!, close[row - 1]!);
  const extremes = side > 0 ? high : low;
  const givenUp = side * (extremes[row]! - close[row]!);
  return (
    trueRange >= CLIMAX_ATR * gauge.atrBefore(row) &&
    side * (extremes[row]! - extremeBefore(extremes, row, CLIMAX_SESSIONS, side)) > 0 &&
    givenUp >= (high[row]! - low[row]!) / 3
  );
}
