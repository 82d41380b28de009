import { MINUTE_MS } from '../base/dates.ts';
import type { MarketPath } from './market-path.ts';
import { clamp, type Stream, streamFor } from './random.ts';
import type { Timeline } from './timeline.ts';

const shapes = new Map<number, SessionShape>();
const sessionShape = (minutes: number): SessionShape => shapes.getOrInsertComputed(minutes, newShape);
type SessionShape = ReturnType<typeof newShape>;

/** A regular session of a given number of minutes, minute by minute. */
function newShape(minutes: number) {
  const byMinute = (value: (k: number, toEnd: number) => number): Float64Array =>
    Float64Array.from({ length: minutes }, (_, k) => value(k, minutes - 1 - k));
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const shares = byMinute((k, toEnd) => {
    const fromMiddle = (2 * k + 1) / minutes - 1;
    const auction = k === 0 ? 3 : toEnd === 0 ? 5 : 0;
    const ends = 1.7 * Math.exp(-k / 18) + 1.1 * Math.exp(-toEnd / 14);
    return 0.55 + 0.5 * fromMiddle * fromMiddle + ends + auction;
  });
  const deviations = byMinute((k, toEnd) => 0.75 + 1.5 * Math.exp(-k / 22) + 0.3 * Math.exp(-toEnd / 20));
  const [volume, variance] = [sum(shares), sum(deviations.map((part) => part * part))];
  let soFar = 0;
  return {
    /** Share of the session's volume; they sum to one: the U of a busy open and a busier close. */
    volume: shares.map((share) => share / volume),
    /** Standard deviation relative to the session's; the squares sum to one. High at the open, low at noon. */
    sigma: deviations.map((part) => part / Math.sqrt(variance)),
    /** Sum of the squares up to the end of each minute. */
    varianceSoFar: deviations.map((part) => {
      soFar += (part * part) / variance;
      return soFar;
    }),
  };
}

/** Log prices at the end of each minute of one regular session, from 0 at its open: the market's, then the sectors'. */
export type FactorMinutes = readonly Float64Array[];

/** Minute paths of market and sectors by session, which all companies of a day share; cached. */
export function factorMinutes(
  seed: number,
  timeline: Timeline,
  { market, sectors }: MarketPath,
): (session: number) => FactorMinutes {
  const factors = [market, ...sectors].map((factor, at) => ({
    factor,
    stream: streamFor(seed, at === 0 ? 'market' : `sector ${at - 1}`, 'minutes'),
  }));
  const bridgesOf = (session: number): FactorMinutes => {
    const { open, close } = timeline.sessions[session]!;
    const shape = sessionShape((close - open) / MINUTE_MS);
    return factors.map(({ factor, stream }) =>
      factorBridge(stream(timeline.day[session]!), shape, factor, session),
    );
  };
  const cache = new Map<number, FactorMinutes>();
  return (session) => cache.getOrInsertComputed(session, bridgesOf);
}

/** A random walk that ends at the factor's intraday return. */
function factorBridge(
  stream: Stream,
  shape: SessionShape,
  factor: MarketPath['market'],
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
export type Interruptions = Readonly<typeof COMPLETE>;

export const COMPLETE = {
  /** Trading was halted: nothing traded, and the minutes still sum to the day. */
  haltFrom: 0,
  haltTo: 0,
  /** The feed was down: trades happened, and their minutes are lost. */
  lostFrom: 0,
  lostTo: 0,
  /** No intraday row of the session arrived. */
  dayLost: false,
  /** The daily bar did not arrive. */
  dailyLost: false,
};

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
  /** Bid-ask spread of the regular session as a fraction of the price. */
  readonly spread: number;
  /** Log price of market and sector at the end of each regular minute, from 0 at the open. */
  readonly common: Float64Array;
  /** Minutes of pre-market and after-hours trading; 0 for what trades in the regular session only. */
  readonly preMinutes: number;
  readonly postMinutes: number;
}

/** The minutes of one session, in the order of time; each session overwrites them. */
export type SessionMinutes = ReturnType<typeof createSessionMinutes>;

/** Four prices need up to four trades, so a minute has at least as many shares. */
export const MINUTE_VOLUME_MIN = 4;
/** Trades before and after the regular session, each for a trade inside. */
const EXTENDED_TRADES = 0.004;
/** Volatility of an extended session as a part of the range of the regular one, the market's part included. */
const EXTENDED_SIGMA = 0.12;
/** Spreads are wider outside the regular session. */
export const EXTENDED_SPREAD = 4;
/** Part of the overnight news that the first pre-market trade knows; the rest comes piece by piece until the open. */
const KNOWN_EARLY = 0.5;
const NEWS_PIECES = 4;
/** Chance that the shares of a minute are not whole lots. */
const ODD_LOTS = 0.2;
const LOT = 100;
const MINUTES_MAX = 960;

export function createSessionMinutes() {
  const column = (): Float64Array => new Float64Array(MINUTES_MAX);
  const prices = { open: column(), high: column(), low: column(), close: column() };
  return {
    rows: 0,
    /** Rows of the regular session: from, and up to but not including. */
    regularFrom: 0,
    regularTo: 0,
    /** Start of the minute, counted from the start of pre-market trading. */
    minute: new Int32Array(MINUTES_MAX),
    ...prices,
    volume: column(),
  };
}

/** Fills `out` with the minutes of a session; those of the regular session aggregate exactly to the frame. */
export function fillSessionMinutes(
  out: SessionMinutes,
  frame: SessionFrame,
  missing: Interruptions,
  stream: Stream,
  prints: Stream,
): void {
  out.rows = 0;
  fillExtended(out, frame, stream, prints, 'pre');
  out.regularFrom = out.rows;
  const rows = chooseMinutes(out, frame, missing, stream);
  const highRow = extremeRow(rows, 1);
  const lowRow = extremeRow(rows, -1);
  pinPath(frame, rows, highRow, lowRow, stream);
  setPrices(out, rows, frame, highRow, lowRow, stream);
  spreadVolume(out, rows, frame.volume);
  out.rows += rows;
  out.regularTo = out.rows;
  fillExtended(out, frame, stream, prints, 'post');
  if (missing.lostTo > missing.lostFrom) {
    dropMinutes(out, frame.preMinutes + missing.lostFrom, frame.preMinutes + missing.lostTo);
  }
}

/**
 * Sparse minutes before or after the regular session, most of them within an hour of it. Each is a few prints on either
 * side of a wide spread.
 *
 * @param stream decides which minutes trade, how much, and where the middle of the spread is
 * @param prints decides when news comes, and the prices and lots of the prints
 */
function fillExtended(
  out: SessionMinutes,
  frame: SessionFrame,
  stream: Stream,
  prints: Stream,
  part: 'pre' | 'post',
): void {
  const before = part === 'pre';
  const minutes = before ? frame.preMinutes : frame.postMinutes;
  const firstMinute = before ? 0 : frame.preMinutes + frame.common.length;
  const fromPrice = before ? frame.priorClose : frame.close;
  const gap = before ? Math.log(frame.open / frame.priorClose) : 0;
  const news = Array.from({ length: before ? NEWS_PIECES : 0 }, () => minutes * prints.uniform());
  const trades = EXTENDED_TRADES * (frame.volume / frame.printSize);
  const minuteSigma = (EXTENDED_SIGMA * Math.log(frame.high / frame.low)) / Math.sqrt(minutes);
  const halfSpread = (EXTENDED_SPREAD * frame.spread) / 2;
  let walk = 0;
  for (let k = 0; k < minutes; k++) {
    const distance = before ? minutes - 1 - k : k;
    const expected = trades * ((0.15 + Math.exp(-distance / 55)) / (0.15 * minutes + 55));
    walk += minuteSigma * stream.normal();
    // Trades come in bursts, so that even a busy share has minutes without one.
    if (stream.uniform() < Math.exp(-expected / (1 + 0.5 * expected))) continue;
    const come = news.reduce((count, at) => (at <= k ? count + 1 : count), 0);
    const known = KNOWN_EARLY + ((1 - KNOWN_EARLY) * come) / NEWS_PIECES;
    // The walk ends where the regular session begins.
    const middle = fromPrice * Math.exp(gap * known + walk * (before ? 1 - k / minutes : 1));
    const shares = -frame.printSize * (1 + expected) * Math.log(stream.uniform());
    setPrints(out, firstMinute + k, middle, middle * halfSpread, shares, frame.printSize, prints);
  }
}

/** Appends a minute of up to four prints around a middle in cents; a thin book now and then gives far more away. */
function setPrints(
  out: SessionMinutes,
  minute: number,
  middle: number,
  half: number,
  shares: number,
  printSize: number,
  prints: Stream,
): void {
  const print = (): number => {
    const side = prints.uniform() < 0.5 ? -1 : 1;
    return Math.max(1, Math.round(middle + side * half * (0.5 - 0.5 * Math.log(prints.uniform()))));
  };
  const row = out.rows++;
  const open = print();
  let [high, low, close] = [open, open, open];
  for (let more = Math.min(3, Math.floor(shares / printSize)); more > 0; more--) {
    close = print();
    high = Math.max(high, close);
    low = Math.min(low, close);
  }
  out.minute[row] = minute;
  out.open[row] = open;
  out.high[row] = high;
  out.low[row] = low;
  out.close[row] = close;
  const isOdd = prints.uniform() < ODD_LOTS;
  out.volume[row] = isOdd ? MINUTE_VOLUME_MIN + Math.floor(shares) : LOT * Math.ceil(shares / LOT);
}

const path = new Float64Array(MINUTES_MAX);
const weight = new Float64Array(MINUTES_MAX);

/** Fills `path` (log price before pinning) and `weight` (share of the volume) for the minutes that trade. */
function chooseMinutes(
  out: SessionMinutes,
  { common, ownSigma, volume, printSize, preMinutes }: SessionFrame,
  missing: Interruptions,
  stream: Stream,
): number {
  // An index has no trades; it is calculated in every minute.
  const trades = volume === 0 ? Number.POSITIVE_INFINITY : volume / printSize;
  const shape = sessionShape(common.length);
  // This minute trades when chance leaves no other.
  const fallback = Math.floor(stream.uniform() * Math.min(5, common.length));
  let rows = 0;
  let walk = 0;
  for (let k = 0; k < common.length; k++) {
    const step = shape.sigma[k]! * stream.normal();
    walk += ownSigma * step;
    if (k >= missing.haltFrom && k < missing.haltTo) continue;
    if (stream.uniform() < Math.exp(-0.8 * trades * shape.volume[k]!) && k !== fallback) continue;
    out.minute[out.rows + rows] = preMinutes + k;
    path[rows] = common[k]! + walk;
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

/** Bends the path piece by piece to end at the close and to near high and low where it was highest and lowest. */
function pinPath(frame: SessionFrame, rows: number, highRow: number, lowRow: number, stream: Stream): void {
  const goal = (row: number, cents: number): { row: number; shift: number } => ({
    row,
    shift: Math.log(cents / frame.open) - path[row]!,
  });
  // The extreme is the wick of its minute; the minute closes a little inside.
  const inside = 0.05 * Math.log(frame.high / frame.low);
  const high = goal(highRow, frame.high * Math.exp(-inside * stream.uniform()));
  const low = goal(lowRow, frame.low * Math.exp(inside * stream.uniform()));
  const goals = [...(highRow < lowRow ? [high, low] : [low, high]), goal(rows - 1, frame.close)];
  let from = { row: -1, shift: 0 };
  for (const to of goals) {
    const slope = to.row > from.row ? (to.shift - from.shift) / (to.row - from.row) : 0;
    for (let row = from.row + 1; row <= to.row; row++) path[row]! += from.shift + slope * (row - from.row);
    from = to;
  }
}

function setPrices(
  out: SessionMinutes,
  rows: number,
  frame: SessionFrame,
  highRow: number,
  lowRow: number,
  stream: Stream,
): void {
  const wick = (0.35 * frame.open * Math.log(frame.high / frame.low)) / Math.sqrt(rows);
  const drawWick = (): number => Math.floor(-wick * Math.log(stream.uniform()));
  const within = (cents: number): number => clamp(cents, frame.low, frame.high);
  let last = frame.open;
  for (let r = 0; r < rows; r++) {
    const row = out.rows + r;
    // The first trade of a minute may be at the other side of the spread.
    const open = r === 0 ? last : within(last + Math.floor(3 * stream.uniform()) - 1);
    const close = r === rows - 1 ? frame.close : within(Math.round(frame.open * Math.exp(path[r]!)));
    out.open[row] = open;
    out.high[row] = r === highRow ? frame.high : within(Math.max(open, close) + drawWick());
    out.low[row] = r === lowRow ? frame.low : within(Math.min(open, close) - drawWick());
    out.close[row] = close;
    last = close;
  }
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
  const rowsBefore = (end: number): number =>
    minute.subarray(0, out.rows).reduce((rows, one) => (one < end ? rows + 1 : rows), 0);
  const from = rowsBefore(fromMinute);
  const to = rowsBefore(toMinute);
  for (const column of [minute, open, high, low, close, volume]) column.copyWithin(from, to, out.rows);
  out.rows -= to - from;
  out.regularTo -= to - from;
}
