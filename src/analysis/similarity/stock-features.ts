import type { BarColumns } from '../../market/observations.ts';
import { technicalColumns } from '../indicators/technical-columns.ts';
import { type Feature, returnFeature } from './feature.ts';
import {
  logOver,
  logReturns,
  over,
  rollingMax,
  rollingMin,
  rollingRank,
  rollingSum,
  volatility,
} from './rolling.ts';

/** The history of one stock with what several features read. */
export type StockColumns = Readonly<ReturnType<typeof stockColumns>>;

const YEAR_SESSIONS = 252;
/** Half a year, against which a stock's average range is ranked. */
const RANGE_RANK_SESSIONS = 126;
/** The average true range of an ordinary stock, as a share of its price. */
const ORDINARY_RANGE = 0.02;

export function stockColumns(bars: BarColumns) {
  const { high, low, close } = bars;
  const logReturn = logReturns(close);
  return {
    ...bars,
    technical: technicalColumns(high, low, close),
    logReturn,
    volatility20: volatility(logReturn, 20),
    volatility60: volatility(logReturn, 60),
    high252: rollingMax(high, YEAR_SESSIONS),
    low252: rollingMin(low, YEAR_SESSIONS),
  };
}

/**
 * What a state says of the stock itself, in the order of its vector. Every figure is a quotient in which the unit of
 * prices and of volumes cancels: a split leaves them as they were.
 */
export const STOCK_FEATURES: readonly Feature<StockColumns>[] = [
  returnFeature('return_1', 1),
  returnFeature('return_5', 5),
  returnFeature('return_20', 20),
  returnFeature('return_60', 60),
  {
    name: 'rsi_14',
    scale: 25,
    // A price that stands still has no RSI and leans to neither side, as every other feature of it.
    column: ({ technical }) => technical.rsi14.map((value) => (Number.isNaN(value) ? 0 : value - 50)),
  },
  {
    name: 'adx_14',
    scale: 15,
    column: (of) => steadyAdx(of, 14).map((value) => value - 25),
  },
  {
    name: 'macd_histogram',
    scale: 0.4,
    column: ({ technical: { macdHistogram, atr14 } }) =>
      macdHistogram.map((value, row) => over(value, atr14[row]!)),
  },
  {
    name: 'bollinger_position',
    scale: 1,
    column: ({ close, technical: { sma20, bollingerUpper } }) =>
      close.map((price, row) => over(price - sma20[row]!, bollingerUpper[row]! - sma20[row]!)),
  },
  { name: 'distance_sma20', scale: 2.5, column: (of) => distanceTo(of.technical.sma20, of) },
  { name: 'distance_sma50', scale: 4, column: (of) => distanceTo(of.technical.sma50, of) },
  { name: 'distance_sma200', scale: 8, column: (of) => distanceTo(of.technical.sma200, of) },
  {
    name: 'range_rank',
    scale: null,
    column: (of) => rollingRank(rangeShare(of), RANGE_RANK_SESSIONS, 14),
  },
  {
    name: 'range_level',
    scale: 0.7,
    column: (of) => rangeShare(of).map((share) => logOver(share, ORDINARY_RANGE)),
  },
  {
    name: 'range',
    scale: 0.6,
    column: ({ high, low, technical: { atr14 } }) =>
      high.map((top, row) => logOver(top - low[row]!, atr14[row]!)),
  },
  { name: 'gap', scale: 0.5, column: gap },
  {
    name: 'close_in_range',
    scale: null,
    column: ({ high, low, close }) => close.map((price, row) => place(price, low[row]!, high[row]!)),
  },
  {
    name: 'volume',
    scale: 0.7,
    column: ({ volume }) => {
      const sum20 = rollingSum(volume, 20);
      return volume.map((shares, row) => logOver(shares, sum20[row]! / 20));
    },
  },
  {
    name: 'volume_trend',
    scale: 0.5,
    column: ({ volume }) => {
      const [sum10, sum60] = [rollingSum(volume, 10), rollingSum(volume, 60)];
      return sum10.map((sum, row) => logOver(sum / 10, sum60[row]! / 60));
    },
  },
  { name: 'volume_balance', scale: 0.5, column: volumeBalance },
  {
    name: 'place_in_year',
    scale: null,
    column: ({ close, high252, low252 }) =>
      close.map((price, row) => place(price, low252[row]!, high252[row]!)),
  },
  {
    name: 'drawdown',
    scale: 12,
    column: ({ close, high252, volatility60 }) =>
      close.map((price, row) => over(Math.log(price / high252[row]!), volatility60[row]!)),
  },
  { name: 'streak', scale: 3, column: streak },
  {
    name: 'volatility_ratio',
    scale: 0.4,
    column: ({ volatility20, volatility60 }) =>
      volatility20.map((value, row) => (value === 0 ? 0 : logOver(value, volatility60[row]!))),
  },
];

/** Close less an average, in average true ranges. */
function distanceTo(average: Float64Array, { close, technical: { atr14 } }: StockColumns): Float64Array {
  return close.map((price, row) => over(price - average[row]!, atr14[row]!));
}

/** Average true range as a share of the close. */
const rangeShare = ({ close, technical: { atr14 } }: StockColumns): Float64Array =>
  atr14.map((range, row) => range / close[row]!);

/** Open less the close before, in average true ranges of the session before: the gap itself widens the newest. */
function gap({ open, close, technical: { atr14 } }: StockColumns): Float64Array {
  return open.map((price, row) => (row === 0 ? Number.NaN : over(price - close[row - 1]!, atr14[row - 1]!)));
}

/** Where a price lies between two others, -1 at the lower one to 1 at the upper one; 0 where they are one. */
const place = (price: number, low: number, high: number): number =>
  high === low ? 0 : (2 * (price - low)) / (high - low) - 1;

/** Volume of the last 20 sessions on which the close rose less that on which it fell, over all of it. */
function volumeBalance({ close, volume }: StockColumns): Float64Array {
  const signed = volume.map((shares, row) =>
    row === 0 ? 0 : shares * Math.sign(close[row]! - close[row - 1]!),
  );
  const [balance, all] = [rollingSum(signed, 20), rollingSum(volume, 20)];
  return balance.map((sum, row) => over(sum, all[row]!));
}

/** Sessions in a row on which the close rose, below zero those on which it fell; an unchanged close begins anew. */
function streak({ close }: StockColumns): Float64Array {
  const sessions = new Float64Array(close.length);
  for (let row = 1; row < close.length; row++) {
    const side = Math.sign(close[row]! - close[row - 1]!);
    const before = sessions[row - 1]!;
    sessions[row] = side === Math.sign(before) ? before + side : side;
  }
  return sessions;
}

/** Moves that differ by less than this share of the price are equal: far below a cent, far above rounding. */
const EQUAL = 1e-9;

/**
 * Average Directional Index as `indicators/directional.ts:adx` has it, but for one point: equal pushes count for neither
 * side also where rounding makes one of them the larger. In cents equal pushes are common, and whether 0.37 up is more than
 * 0.37 down must not follow from the basis that a split puts prices on.
 *
 * @returns a column as long as the bars, 0-100; NaN before row `2 * period - 1`; 0 while nothing has moved
 */
function steadyAdx({ high, low }: Pick<BarColumns, 'high' | 'low'>, period: number): Float64Array {
  const index = new Float64Array(high.length).fill(Number.NaN);
  const keep = (period - 1) / period;
  const firstRow = 2 * period - 1;
  let [up, down, sum] = [0, 0, 0];
  for (let row = 1; row < high.length; row++) {
    const rise = high[row]! - high[row - 1]!;
    const fall = low[row - 1]! - low[row]!;
    const isEqual = Math.abs(rise - fall) < EQUAL * high[row]!;
    const fade = row < period ? 1 : keep;
    up = fade * up + (!isEqual && rise > fall && rise > 0 ? rise : 0);
    down = fade * down + (!isEqual && fall > rise && fall > 0 ? fall : 0);
    if (row < period) continue;
    const oneSided = up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down);
    sum = row <= firstRow ? sum + oneSided / period : keep * sum + oneSided / period;
    if (row >= firstRow) index[row] = sum;
  }
  return index;
}
