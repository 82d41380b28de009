import { MINUTE_MS } from '../../base/dates.ts';
import type { FactorPath, MarketPath } from './simulated-market-path.ts';
import { type Stream, streamFor } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

/** A regular session of a given number of minutes, minute by minute. */
interface SessionShape {
  /** Share of the session's volume; they sum to one: the U of a busy open and a busier close. */
  readonly volume: Float64Array;
  /** Standard deviation relative to the session's; the squares sum to one. High at the open, low at noon. */
  readonly sigma: Float64Array;
  /** Sum of the squares up to the end of each minute. */
  readonly varianceSoFar: Float64Array;
}

const shapes = new Map<number, SessionShape>();
const sessionShape = (minutes: number): SessionShape => shapes.getOrInsertComputed(minutes, newShape);

function newShape(minutes: number): SessionShape {
  const volume = new Float64Array(minutes);
  const sigma = new Float64Array(minutes);
  const varianceSoFar = new Float64Array(minutes);
  for (let k = 0; k < minutes; k++) {
    const toEnd = minutes - 1 - k;
    const fromMiddle = (2 * k + 1) / minutes - 1;
    const auction = k === 0 ? 3 : toEnd === 0 ? 5 : 0;
    volume[k] =
      0.55 + 0.5 * fromMiddle * fromMiddle + 1.7 * Math.exp(-k / 18) + 1.1 * Math.exp(-toEnd / 14) + auction;
    sigma[k] = 0.75 + 1.5 * Math.exp(-k / 22) + 0.3 * Math.exp(-toEnd / 20);
  }
  const volumeSum = volume.reduce((sum, share) => sum + share, 0);
  const variance = sigma.reduce((sum, part) => sum + part * part, 0);
  let soFar = 0;
  for (let k = 0; k < minutes; k++) {
    volume[k]! /= volumeSum;
    sigma[k]! /= Math.sqrt(variance);
    soFar += sigma[k]! * sigma[k]!;
    varianceSoFar[k] = soFar;
  }
  return { volume, sigma, varianceSoFar };
}

/** Log price of the common factors at the end of each minute of one regular session, from 0 at its open. */
export interface FactorMinutes {
  readonly market: Float64Array;
  readonly sectors: readonly Float64Array[];
}

/** Minute paths of market and sectors by session, which all companies of a day share; cached. */
export function factorMinutes(
  seed: number,
  timeline: Timeline,
  path: MarketPath,
): (session: number) => FactorMinutes {
  const market = streamFor(seed, 'market', 'minutes');
  const sectors = path.sectors.map((_, sector) => streamFor(seed, `sector ${sector}`, 'minutes'));
  const bridgesOf = (session: number): FactorMinutes => {
    const { open, close } = timeline.sessions[session]!;
    const shape = sessionShape((close - open) / MINUTE_MS);
    const day = timeline.day[session]!;
    return {
      market: factorBridge(market(day), shape, path.market, session),
      sectors: path.sectors.map((factor, at) => factorBridge(sectors[at]!(day), shape, factor, session)),
    };
  };
  const cache = new Map<number, FactorMinutes>();
  return (session) => cache.getOrInsertComputed(session, bridgesOf);
}

/** A random walk that ends at the factor's intraday return. */
function factorBridge(
  stream: Stream,
  shape: SessionShape,
  factor: FactorPath,
  session: number,
): Float64Array {
  let sum = 0;
  const walk = shape.sigma.map((sigma) => {
    sum += factor.intradaySigma[session]! * sigma * stream.normal();
    return sum;
  });
  const excess = sum - factor.intraday[session]!;
  return walk.map((value, k) => value - excess * shape.varianceSoFar[k]!);
}

/** Missing stretches of one symbol's session, in minutes from the open; an empty stretch has `from === to`. */
export interface Interruptions {
  /** Trading was halted: nothing traded, and the minutes still sum to the day. */
  readonly haltFrom: number;
  readonly haltTo: number;
  /** The feed was down: trades happened, and their minutes are lost. */
  readonly lostFrom: number;
  readonly lostTo: number;
  /** No intraday row of the session arrived. */
  readonly dayLost: boolean;
  /** The daily bar did not arrive. */
  readonly dailyLost: boolean;
}

/** What the minutes of one symbol's session aggregate to. Prices in cents, volume in shares. */
export interface SessionFrame {
  readonly priorClose: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Shares of an ordinary print: volume over it is the number of trades. */
  readonly printSize: number;
  /** Standard deviation of the symbol's own intraday log return. */
  readonly ownSigma: number;
  /** Log price of market and sector at the end of each regular minute, from 0 at the open. */
  readonly common: Float64Array;
  /** Minutes of pre-market and after-hours trading; 0 for what trades in the regular session only. */
  readonly preMinutes: number;
  readonly postMinutes: number;
}

/** The minutes of one session, in the order of time; each session overwrites them. */
export interface SessionMinutes {
  rows: number;
  /** Rows of the regular session: from, and up to but not including. */
  regularFrom: number;
  regularTo: number;
  /** Start of the minute, counted from the start of pre-market trading. */
  readonly minute: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Four prices need up to four trades, so a minute has at least as many shares. */
const MINUTE_VOLUME_MIN = 4;
/** Trades outside the regular session for each trade inside. */
const PRE_TRADES = 0.0035;
const POST_TRADES = 0.0045;
/** Volatility of an extended session as a part of the regular session's own. */
const EXTENDED_SIGMA = 0.18;
const MINUTES_MAX = 960;

export function createSessionMinutes(): SessionMinutes {
  const column = (): Float64Array => new Float64Array(MINUTES_MAX);
  const prices = { open: column(), high: column(), low: column(), close: column() };
  const minute = new Int32Array(MINUTES_MAX);
  return { rows: 0, regularFrom: 0, regularTo: 0, minute, ...prices, volume: column() };
}

/** Fills `out` with the minutes of a session; those of the regular session aggregate exactly to the frame. */
export function fillSessionMinutes(
  out: SessionMinutes,
  frame: SessionFrame,
  missing: Interruptions,
  stream: Stream,
): void {
  out.rows = 0;
  // An index has no trades; it is calculated in every minute.
  const trades = frame.volume === 0 ? Number.POSITIVE_INFINITY : frame.volume / frame.printSize;
  const { preMinutes, postMinutes } = frame;
  // The overnight news is in the price from the first pre-market trade on, more and more.
  const gap = Math.log(frame.open / frame.priorClose);
  fillExtended(out, frame, stream, 0, preMinutes, trades * PRE_TRADES, frame.priorClose, gap);
  out.regularFrom = out.rows;
  const rows = chooseMinutes(out, frame, missing, stream, trades);
  const highRow = extremeRow(rows, 1);
  const lowRow = extremeRow(rows, -1);
  pinPath(frame, rows, highRow, lowRow, stream);
  setPrices(out, rows, frame, highRow, lowRow, stream);
  spreadVolume(out, rows, frame.volume);
  out.rows += rows;
  out.regularTo = out.rows;
  const postFrom = preMinutes + frame.common.length;
  fillExtended(out, frame, stream, postFrom, postMinutes, trades * POST_TRADES, frame.close, 0);
  if (missing.lostTo > missing.lostFrom) {
    dropMinutes(out, preMinutes + missing.lostFrom, preMinutes + missing.lostTo);
  }
}

/** Sparse minutes before (with a gap to grow into) or after the regular session. */
function fillExtended(
  out: SessionMinutes,
  frame: SessionFrame,
  stream: Stream,
  firstMinute: number,
  minutes: number,
  trades: number,
  fromPrice: number,
  gap: number,
): void {
  const before = firstMinute === 0;
  const minuteSigma = (EXTENDED_SIGMA * frame.ownSigma) / Math.sqrt(minutes);
  let walk = 0;
  let last = fromPrice;
  for (let k = 0; k < minutes; k++) {
    // Trading gathers towards the open and ebbs away after the close, over about an hour.
    const distance = before ? minutes - 1 - k : k;
    const expected = trades * ((0.15 + Math.exp(-distance / 55)) / (0.15 * minutes + 55));
    walk += minuteSigma * stream.normal();
    // Trades come in bursts, so that even a busy share has minutes without one.
    if (stream.uniform() < Math.exp(-expected / (1 + 0.5 * expected))) continue;
    const grown = before ? 0.5 + (0.5 * k) / minutes : 0;
    // The walk ends where the regular session begins.
    const price = fromPrice * Math.exp(gap * grown + walk * (before ? 1 - k / minutes : 1));
    const close = Math.max(1, Math.round(price));
    const single = stream.uniform() < Math.exp(-0.7 * expected);
    const open = single ? close : last;
    const row = out.rows++;
    out.minute[row] = firstMinute + k;
    out.open[row] = open;
    out.high[row] = Math.max(open, close);
    out.low[row] = Math.min(open, close);
    out.close[row] = close;
    out.volume[row] = printVolume(stream, frame.printSize * (single ? 1 : 1 + expected));
    last = close;
  }
}

const printVolume = (stream: Stream, mean: number): number =>
  MINUTE_VOLUME_MIN + Math.floor(-mean * Math.log(stream.uniform()));

const path = new Float64Array(MINUTES_MAX);
const weight = new Float64Array(MINUTES_MAX);
const isSingle = new Uint8Array(MINUTES_MAX);

/** Fills `path` (log price before pinning), `isSingle` and `weight` (share of the volume) for the minutes that trade. */
function chooseMinutes(
  out: SessionMinutes,
  frame: SessionFrame,
  missing: Interruptions,
  stream: Stream,
  trades: number,
): number {
  const { common, ownSigma } = frame;
  const shape = sessionShape(common.length);
  const start = out.rows;
  // This minute trades when chance leaves no other.
  const fallback = Math.floor(stream.uniform() * Math.min(5, common.length));
  let rows = 0;
  let walk = 0;
  for (let k = 0; k < common.length; k++) {
    const step = shape.sigma[k]! * stream.normal();
    walk += ownSigma * step;
    if (k >= missing.haltFrom && k < missing.haltTo) continue;
    const expected = trades * shape.volume[k]!;
    const draw = stream.uniform();
    const isBusy = expected > 30;
    const none = isBusy ? 0 : Math.exp(-0.8 * expected);
    if (draw < none && k !== fallback) continue;
    out.minute[start + rows] = frame.preMinutes + k;
    path[rows] = common[k]! + walk;
    isSingle[rows] = !isBusy && draw < none * (1 + 0.8 * expected) ? 1 : 0;
    // Prices move where shares trade.
    const activity = 0.5 + (0.9 * Math.abs(step)) / shape.sigma[k]!;
    weight[rows] = shape.volume[k]! * activity * (0.25 - Math.log(stream.uniform()));
    rows++;
  }
  return rows;
}

/** The row of the highest (sign 1) or lowest (sign -1) point of the path. */
function extremeRow(rows: number, sign: number): number {
  let best = 0;
  for (let row = 1; row < rows; row++) if (sign * path[row]! > sign * path[best]!) best = row;
  return best;
}

/**
 * Bends the path by a piecewise linear shift: it ends at the close and nears high and low where it was highest and
 * lowest.
 */
function pinPath(frame: SessionFrame, rows: number, highRow: number, lowRow: number, stream: Stream): void {
  const last = rows - 1;
  const range = Math.log(frame.high / frame.low);
  // The extreme is the wick of its minute; the minute closes a little inside.
  const highGoal = Math.log(frame.high / frame.open) - 0.05 * range * stream.uniform();
  const lowGoal = Math.log(frame.low / frame.open) + 0.05 * range * stream.uniform();
  const highShift = highGoal - path[highRow]!;
  const lowShift = lowGoal - path[lowRow]!;
  const endShift = Math.log(frame.close / frame.open) - path[last]!;
  const highFirst = highRow < lowRow;
  const middle = Math.min(highRow, lowRow);
  const later = Math.max(highRow, lowRow);
  shiftBetween(-1, 0, middle, highFirst ? highShift : lowShift);
  shiftBetween(middle, highFirst ? highShift : lowShift, later, highFirst ? lowShift : highShift);
  shiftBetween(later, highFirst ? lowShift : highShift, last, endShift);
}

/** Adds a shift that grows from one value to the other to the rows after `from` up to and including `to`. */
function shiftBetween(from: number, fromShift: number, to: number, toShift: number): void {
  const slope = to > from ? (toShift - fromShift) / (to - from) : 0;
  for (let row = from + 1; row <= to; row++) path[row] = path[row]! + fromShift + slope * (row - from);
}

function setPrices(
  out: SessionMinutes,
  rows: number,
  frame: SessionFrame,
  highRow: number,
  lowRow: number,
  stream: Stream,
): void {
  const { open: dayOpen, high: dayHigh, low: dayLow, close: dayClose } = frame;
  const wick = (0.35 * dayOpen * Math.log(dayHigh / dayLow)) / Math.sqrt(rows);
  let last = dayOpen;
  for (let r = 0; r < rows; r++) {
    const row = out.rows + r;
    const isLast = r === rows - 1;
    let close = isLast ? dayClose : between(dayOpen * Math.exp(path[r]!), dayLow, dayHigh);
    let open = last;
    if (isSingle[r] === 1 && r !== highRow && r !== lowRow) {
      if (r === 0 && !isLast) close = dayOpen;
      else if (r > 0) open = close;
    } else if (r > 0) {
      // The first trade of a minute may be at the other side of the spread.
      const tick = stream.uniform();
      open = tick < 0.3 ? last - 1 : tick > 0.7 ? last + 1 : last;
      open = open < dayLow ? dayLow : Math.min(open, dayHigh);
    }
    let high = Math.max(open, close);
    let low = Math.min(open, close);
    if (isSingle[r] === 0) {
      high = Math.min(dayHigh, high + Math.floor(-wick * Math.log(stream.uniform())));
      low = Math.max(dayLow, low - Math.floor(-wick * Math.log(stream.uniform())));
    }
    out.open[row] = open;
    out.high[row] = r === highRow ? dayHigh : high;
    out.low[row] = r === lowRow ? dayLow : low;
    out.close[row] = close;
    last = close;
  }
}

/** A price in whole cents, reflected at the ends of the day's range. */
function between(price: number, low: number, high: number): number {
  let cents = Math.round(price);
  if (cents > high) cents = 2 * high - cents;
  if (cents < low) cents = 2 * low - cents;
  return cents > high ? high : Math.max(cents, low);
}

/** Whole shares by weight, at least four a minute, that sum to the session's volume; all zero when that is zero. */
function spreadVolume(out: SessionMinutes, rows: number, volume: number): void {
  let sum = 0;
  for (let r = 0; r < rows; r++) sum += weight[r]!;
  const free = volume - MINUTE_VOLUME_MIN * rows;
  let given = 0;
  let soFar = 0;
  for (let r = 0; r < rows; r++) {
    soFar += weight[r]!;
    const share = Math.floor((free * soFar) / sum) + MINUTE_VOLUME_MIN * (r + 1);
    const upTo = volume === 0 ? 0 : r === rows - 1 ? volume : share;
    out.volume[out.rows + r] = upTo - given;
    given = upTo;
  }
}

/** Removes the rows of lost minutes. */
function dropMinutes(out: SessionMinutes, fromMinute: number, toMinute: number): void {
  const { minute, open, high, low, close, volume } = out;
  const from = lowerBound(minute, out.rows, fromMinute);
  const to = lowerBound(minute, out.rows, toMinute);
  for (const column of [minute, open, high, low, close, volume]) column.copyWithin(from, to, out.rows);
  out.rows -= to - from;
  out.regularTo -= to - from;
}

/** The first row of a minute or a later one. */
function lowerBound(minutes: Int32Array, rows: number, minute: number): number {
  let row = 0;
  while (row < rows && minutes[row]! < minute) row++;
  return row;
}
