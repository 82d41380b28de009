import type { Interruptions } from './simulated-interruptions.ts';
import { extendedShare, sessionShape } from './simulated-intraday-shape.ts';
import type { Stream } from './simulated-random.ts';

/** What one symbol's session is made to add up to. Prices in cents, volume in shares. */
export interface SessionFrame {
  readonly priorClose: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Shares of an ordinary print: with the volume it says how many trades there are. */
  readonly printSize: number;
  /** Standard deviation of the symbol's own intraday log return. */
  readonly ownSigma: number;
  /** Log price that market and sector give it at the end of each regular minute, from 0 at the open. */
  readonly common: Float64Array;
  /** Minutes of pre-market and after-hours trading; 0 for what trades in the regular session only. */
  readonly preMinutes: number;
  readonly postMinutes: number;
}

/** The minutes of one session, in the order of time; scratch that is filled anew for each session. */
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

/** Four prices need up to four trades, so that a minute has at least as many shares. */
const MINUTE_VOLUME_MIN = 4;
/** Trades outside the regular session for each trade inside. */
const PRE_TRADES = 0.0035;
const POST_TRADES = 0.0045;
/** Volatility of an extended session as a part of the regular session's own. */
const EXTENDED_SIGMA = 0.18;
const MINUTES_MAX = 960;

export function createSessionMinutes(): SessionMinutes {
  const column = (): Float64Array => new Float64Array(MINUTES_MAX);
  return {
    rows: 0,
    regularFrom: 0,
    regularTo: 0,
    minute: new Int32Array(MINUTES_MAX),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
}

/**
 * Fills `out` with the minutes of a session. Those of the regular session aggregate exactly to the frame:
 * first open, highest high, lowest low, last close, sum of volumes.
 */
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
  fillRegular(out, frame, missing, stream, trades);
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
    const expected = trades * extendedShare(k, minutes, before);
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
const alone = new Uint8Array(MINUTES_MAX);

function fillRegular(
  out: SessionMinutes,
  frame: SessionFrame,
  missing: Interruptions,
  stream: Stream,
  trades: number,
): void {
  const first = out.rows;
  const rows = chooseMinutes(out, frame, missing, stream, trades);
  const highRow = extremeRow(rows, 1);
  const lowRow = extremeRow(rows, -1);
  pinPath(frame, rows, highRow, lowRow, stream);
  setPrices(out, first, rows, frame, highRow, lowRow, stream);
  spreadVolume(out, first, rows, frame.volume);
  out.rows += rows;
}

/**
 * The minutes that trade, their rough log price at the end (`path`), whether they have one trade only
 * (`alone`), and their share of the volume before noise (`weight`).
 */
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
  // A session in which chance left no minute at all would trade in this one.
  const certain = Math.floor(stream.uniform() * Math.min(5, common.length));
  let rows = 0;
  let walk = 0;
  for (let k = 0; k < common.length; k++) {
    const step = shape.sigma[k]! * stream.normal();
    walk += ownSigma * step;
    if (k >= missing.haltFrom && k < missing.haltTo) continue;
    const expected = trades * shape.volume[k]!;
    const draw = stream.uniform();
    const crowded = expected > 30;
    const none = crowded ? 0 : Math.exp(-0.8 * expected);
    if (draw < none && k !== certain) continue;
    out.minute[start + rows] = frame.preMinutes + k;
    path[rows] = common[k]! + walk;
    alone[rows] = !crowded && draw < none * (1 + 0.8 * expected) ? 1 : 0;
    // Prices move where shares trade: a lively minute has more of both.
    const lively = 0.5 + (0.9 * Math.abs(step)) / shape.sigma[k]!;
    weight[rows] = shape.volume[k]! * lively * (0.25 - Math.log(stream.uniform()));
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
 * Bends the path so that it ends at the close and comes near the high and the low where it was highest and
 * lowest: a piecewise linear shift, which leaves the minute-to-minute movement as it was.
 */
function pinPath(frame: SessionFrame, rows: number, highRow: number, lowRow: number, stream: Stream): void {
  const last = rows - 1;
  const room = Math.log(frame.high / frame.low);
  // The extreme is the wick of its minute; the minute closes a little inside.
  const highGoal = Math.log(frame.high / frame.open) - 0.05 * room * stream.uniform();
  const lowGoal = Math.log(frame.low / frame.open) + 0.05 * room * stream.uniform();
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

/**
 * Adds to the rows after `from`, up to and including `to`, a shift that grows from one value to the other.
 */
function shiftBetween(from: number, fromShift: number, to: number, toShift: number): void {
  const slope = to > from ? (toShift - fromShift) / (to - from) : 0;
  for (let row = from + 1; row <= to; row++) path[row] = path[row]! + fromShift + slope * (row - from);
}

function setPrices(
  out: SessionMinutes,
  first: number,
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
    const row = first + r;
    const ends = r === rows - 1;
    let close = ends ? dayClose : between(dayOpen * Math.exp(path[r]!), dayLow, dayHigh);
    let open = last;
    if (alone[r] === 1 && r !== highRow && r !== lowRow) {
      if (r === 0 && !ends) close = dayOpen;
      else if (r > 0) open = close;
    } else if (r > 0) {
      // The first trade of a minute may be at the other side of the spread.
      const tick = stream.uniform();
      open = tick < 0.3 ? last - 1 : tick > 0.7 ? last + 1 : last;
      open = open < dayLow ? dayLow : Math.min(open, dayHigh);
    }
    let high = Math.max(open, close);
    let low = Math.min(open, close);
    if (alone[r] === 0) {
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

/** A price in whole cents within the day's range; what would leave it is thrown back. */
function between(price: number, low: number, high: number): number {
  let cents = Math.round(price);
  if (cents > high) cents = 2 * high - cents;
  if (cents < low) cents = 2 * low - cents;
  return cents > high ? high : Math.max(cents, low);
}

/**
 * Whole shares by weight, at least four a minute, that sum to the session's volume; all zero when that is
 * zero.
 */
function spreadVolume(out: SessionMinutes, first: number, rows: number, volume: number): void {
  let sum = 0;
  for (let r = 0; r < rows; r++) sum += weight[r]!;
  const free = volume - MINUTE_VOLUME_MIN * rows;
  let given = 0;
  let soFar = 0;
  for (let r = 0; r < rows; r++) {
    soFar += weight[r]!;
    const upTo =
      volume === 0
        ? 0
        : r === rows - 1
          ? volume
          : Math.floor((free * soFar) / sum) + MINUTE_VOLUME_MIN * (r + 1);
    out.volume[first + r] = upTo - given;
    given = upTo;
  }
}

/** Takes out the rows whose minute lies in a stretch, as a feed that was down would. */
function dropMinutes(out: SessionMinutes, fromMinute: number, toMinute: number): void {
  let kept = 0;
  let regularLost = 0;
  for (let row = 0; row < out.rows; row++) {
    const minute = out.minute[row]!;
    if (minute >= fromMinute && minute < toMinute) {
      regularLost++;
      continue;
    }
    out.minute[kept] = minute;
    out.open[kept] = out.open[row]!;
    out.high[kept] = out.high[row]!;
    out.low[kept] = out.low[row]!;
    out.close[kept] = out.close[row]!;
    out.volume[kept] = out.volume[row]!;
    kept++;
  }
  out.rows = kept;
  out.regularTo -= regularLost;
}
