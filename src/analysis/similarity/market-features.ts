import { sma } from '../indicators/averages.ts';
import { type Feature, layOut, returnFeature } from './feature.ts';
import { logOver, logReturns, over, rollingRank, volatility } from './rolling.ts';

/** Daily closes of an index, oldest first, without holes. */
export interface CloseColumns {
  /** Midnight UTC of each trade date, epoch milliseconds. */
  readonly time: Float64Array;
  readonly close: Float64Array;
}

interface IndexColumns extends CloseColumns {
  readonly volatility20: Float64Array;
  readonly volatility60: Float64Array;
}

const YEAR_SESSIONS = 252;
/** An ordinary volatility of a stock index, a year. */
const ORDINARY_VOLATILITY = 0.14;

/** What a state says of the index of the market. */
export const INDEX_FEATURES: readonly Feature<IndexColumns>[] = [
  returnFeature('index_return_1', 1),
  returnFeature('index_return_5', 5),
  returnFeature('index_return_20', 20),
  { name: 'index_distance_sma50', scale: 1, column: (of) => distanceTo(50, of) },
  { name: 'index_distance_sma200', scale: 1, column: (of) => distanceTo(200, of) },
  {
    name: 'index_volatility',
    scale: 0.7,
    column: ({ volatility20 }) =>
      volatility20.map((value) =>
        value === 0 ? 0 : logOver(value * Math.sqrt(YEAR_SESSIONS), ORDINARY_VOLATILITY),
      ),
  },
];

/** What a state says of the market's own fear, from the closes of a volatility index. */
export const FEAR_FEATURES: readonly Feature<CloseColumns>[] = [
  { name: 'vix_rank', scale: null, column: ({ close }) => rollingRank(close, YEAR_SESSIONS) },
  { name: 'vix_change_1', scale: 0.12, column: ({ close }) => logReturns(close) },
  { name: 'vix_change_5', scale: 0.25, column: ({ close }) => logChange(close, 5) },
];

const INDEX_FIRST_ROW = 199;
const FEAR_FIRST_ROW = YEAR_SESSIONS - 1;
const MARKET_WIDTH = INDEX_FEATURES.length + FEAR_FEATURES.length;

/** Log of close over its average, in volatilities of the sessions of the average. */
function distanceTo(period: number, { close, volatility60 }: IndexColumns): Float64Array {
  const average = sma(close, period);
  const root = Math.sqrt(period);
  return close.map((price, row) => over(Math.log(price / average[row]!), volatility60[row]! * root));
}

function logChange(close: Float64Array, sessions: number): Float64Array {
  return close.map((price, row) => (row < sessions ? Number.NaN : Math.log(price / close[row - sessions]!)));
}

/** By trade date (midnight UTC) what states say of the market. */
export type MarketPart = ReadonlyMap<number, Float32Array>;

/**
 * The market's part of a state for every trade date on which an index or a volatility index has a year behind it. A date
 * takes each from the first series that has it; what none has is 0, the ordinary.
 *
 * @param indices runs of closes without holes, those of the better name first
 * @param volatilityIndices the same of volatility indices
 */
export function marketPart(
  indices: readonly CloseColumns[],
  volatilityIndices: readonly CloseColumns[],
): MarketPart {
  const part = new Map<number, Float32Array>();
  // From the last to the first, so that the better name has the last word.
  for (const { time, close } of indices.toReversed()) {
    const returns = logReturns(close);
    const columns = {
      time,
      close,
      volatility20: volatility(returns, 20),
      volatility60: volatility(returns, 60),
    };
    place(part, columns, INDEX_FEATURES, INDEX_FIRST_ROW, 0);
  }
  for (const columns of volatilityIndices.toReversed())
    place(part, columns, FEAR_FEATURES, FEAR_FIRST_ROW, INDEX_FEATURES.length);
  return part;
}

function place<Columns extends CloseColumns>(
  part: Map<number, Float32Array>,
  columns: Columns,
  features: readonly Feature<Columns>[],
  firstRow: number,
  offset: number,
): void {
  const width = features.length;
  const figures = new Float32Array(columns.time.length * width);
  layOut(features, columns, figures, { firstRow, width });
  for (let row = firstRow; row < columns.time.length; row++) {
    const time = columns.time[row]!;
    const vector = part.getOrInsertComputed(time, () => new Float32Array(MARKET_WIDTH));
    vector.set(figures.subarray(row * width, (row + 1) * width), offset);
  }
}
