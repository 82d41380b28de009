import type { TUnsafe } from 'typebox';
import {
  type ChainCounts,
  chainCounts,
  unusualActivity,
  withTradedVolume,
} from '../analysis/options/chain-figures.ts';
import { type GammaExposure, gammaExposure } from '../analysis/options/gamma-exposure.ts';
import { forecastVolatility } from '../analysis/options/pricing-edge.ts';
import { AT_THE_OPEN, forwardsOf, type PricedChain, priceChain } from '../analysis/options/quotes.ts';
import {
  type SmilePoint,
  type SurfaceFigures,
  smiles,
  surfaceFigures,
  volatilityPercentile,
  volatilityRank,
} from '../analysis/options/surface.ts';
import { barLengthMs, rowAtOrAfter } from '../analysis/sessions.ts';
import { columnDigest } from '../base/column-digest.ts';
import { DAY_MS, midnightUtc } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
import type { ContractColumns, OptionChain, VolatilityColumns } from '../market/chains.ts';
import type { StockView } from '../market/stock-view.ts';
import { type Known, nestedBlock } from './block.ts';
import type { Keeping, Kept } from './kept.ts';
import { priceVolume } from './price-volume.ts';

/** The source of the option blocks and endpoints. Missing is NaN, as the mathematics expects. */
export interface ChainState {
  readonly takenAt: number;
  /** Sessions between the one in which it was taken and the trade date: 0 or 1, since a view has no older chain. */
  readonly sessionsOld: number;
  readonly counts: ChainCounts;
  readonly unusual: boolean;
  /** Null when the price of the underlying is unknown. */
  readonly priced: PricedState | null;
}

export interface PricedState {
  readonly chain: PricedChain;
  readonly smiles: readonly SmilePoint[];
  readonly surface: SurfaceFigures;
  readonly exposure: GammaExposure;
}

/** Volatility of the stock over its last year. */
export interface VolatilityState {
  /** 30-day implied volatility now: of the chain, else the newest stated one; NaN without either. */
  readonly implied: number;
  readonly rank: number;
  readonly percentile: number;
  /** Days of the history behind rank and percentile. */
  readonly historyDays: number;
  /** Forecast from the stock's closes. */
  readonly forecast: number;
}

/**
 * Continuously compounded annual rate where a chain's quotes imply none. Forwards still come from put-call parity, so
 * an error of one point moves a 30-day volatility by a thousandth of itself.
 */
export const ASSUMED_RATE = 0.04;

/**
 * Chains whose forwards are kept, on the shelf too: a few hundred bytes each, so that every symbol of a running session has
 * a place.
 */
const FORWARDS: Keeping<ReturnType<typeof forwardsOf>> = { max: 8192, onShelf: true };
/** Memory of priced chains in a thread, those of some hundred symbols: a chain comes again until the next is taken. */
const [CONTRACT_COLUMNS, STRIKE_COLUMNS, STATE_BYTES] = [10, 12, 8_192];
const PRICED: Keeping<PricedState> = {
  maxSize: 24 * 1_048_576,
  sizeCalculation: ({ chain: { mid, strikes } }) =>
    STATE_BYTES + 8 * (CONTRACT_COLUMNS * mid.length + STRIKE_COLUMNS * strikes.strike.length),
};

/** Prices the chain once for all blocks that read it. Not on the wire. */
export const chainState = nestedBlock({
  name: 'chain_state',
  schema: null as TUnsafe<{
    readonly chain: ChainState | null;
    readonly volatility: VolatilityState;
  }> | null,
  reads: [priceVolume],
  derive(view, known, _market, kept) {
    const chain = view.chain === null ? null : stateIn(view, view.chain, known, kept);
    const implied = chain?.priced?.surface.atTheMoney30 ?? Number.NaN;
    const forecast = forecastOf(view.daily.close);
    const volatility = volatilityState(view.volatility, implied, midnightUtc(view.tradeDate), forecast);
    return { chain, volatility };
  },
});

/** The state of the chain; null without one. */
export function chainOf(known: Known): ChainState | null {
  return stateOfChain(known).chain;
}

export function volatilityOf(known: Known): VolatilityState {
  return stateOfChain(known).volatility;
}

function stateOfChain(known: Known) {
  const state = known(chainState).nested;
  if (state === null) throw new Error('chain_state derives a state for every view');
  return state;
}

function stateIn(view: StockView, chain: OptionChain, known: Known, kept: Kept | null): ChainState {
  const sessionsOld = Number(chain.takenAt <= view.session.preOpen);
  const { close } = sessionsOld === 0 ? view.session : view.priorSession;
  const ends = endsOf(chain.contracts, view.sessionOn);
  const spot = spotOf(view, chain, known);
  return stateOf(chain, sessionsOld, close, spot, ends, lastEnd(ends, view.chainAt), kept);
}

/**
 * @param close of the session of the chain's quotes
 * @param settledAt what has ended by then is out of every sum
 */
const stateOf = onceFor(
  (
    { contracts: stated, ...chain }: OptionChain,
    sessionsOld: number,
    close: number,
    spot: number,
    ends: Ends,
    settledAt: number,
    kept: Kept | null,
  ): ChainState => {
    const contracts = withTradedVolume(stated);
    const living = new Map(Array.from(ends, ([key, end]) => [key, end > settledAt ? end : Number.NaN]));
    // Quotes of the evening, a night or a weekend are those of the close. New York's afternoon is on the same UTC date.
    const [at, today] = [Math.min(chain.takenAt, close), close - (close % DAY_MS)];
    return {
      takenAt: chain.takenAt,
      sessionsOld,
      counts: chainCounts(contracts, contractState(contracts, living)),
      unusual: unusualActivity(contracts, today),
      priced: spot > 0 ? pricedState({ ...chain, contracts }, living, { at, today, spot }, kept) : null,
    };
  },
);

/** The price that came with the chain, else the stock's by then, in regular hours at least its newest of that date. */
function spotOf(view: StockView, chain: OptionChain, known: Known): number {
  if (!Number.isNaN(chain.underlyingPrice)) return chain.underlyingPrice;
  const { todayRow, session, intraday, intradayInterval } = view;
  if (chain.takenAt <= session.preOpen) return Number.NaN;
  const ended = rowAtOrAfter(intraday.time, chain.takenAt - barLengthMs(intradayInterval) + 1) - 1;
  if (ended >= 0) return intraday.close[ended]!;
  const isPreMarket = chain.takenAt < session.open;
  return (todayRow < 0 || isPreMarket ? null : known(priceVolume).flat.last_price) ?? Number.NaN;
}

function pricedState(
  { contracts, multiplier, style }: OptionChain,
  living: Ends,
  { at, today, spot }: Pick<PricedChain, 'at' | 'today' | 'spot'>,
  kept: Kept | null,
): PricedState {
  const { expiration, settlement, strike, right, bid, ask, volume, openInterest } = contracts;
  const terms = [spot, multiplier, Number(style === 'american'), at, today, ...living.values()];
  // All that the state follows from.
  const key = columnDigest([expiration, settlement, strike, right, bid, ask, volume, openInterest, terms]);
  const known = kept?.of(PRICED).get(key);
  if (known !== undefined) return known;
  const forwards = kept?.of(FORWARDS).get(key);
  const chain = priceChain(contracts, {
    at,
    today,
    spot,
    multiplier,
    style,
    rate: ASSUMED_RATE,
    expiryOf: (date, settles) => living.get(expiryKey(date, settles))!,
    forwards,
  });
  if (forwards === undefined) kept?.of(FORWARDS).set(key, forwardsOf(chain));
  const points = smiles(chain);
  const state: PricedState = {
    chain,
    smiles: points,
    surface: surfaceFigures(chain, points),
    exposure: gammaExposure(chain),
  };
  kept?.of(PRICED).set(key, state);
  return state;
}

const expiryKey = (expiration: number, settlement: number): number => expiration + settlement;

/** The instant at which each class of each expiration ends, by `expiryKey`; NaN where it is not known or has passed. */
type Ends = ReadonlyMap<number, number>;

const endsOf = onceFor(({ expiration, settlement }: ContractColumns, on: StockView['sessionOn']): Ends => {
  const ends = new Map<number, number>();
  for (let row = 0; row < expiration.length; row++) {
    const [date, settles] = [expiration[row]!, settlement[row]!];
    const key = expiryKey(date, settles);
    if (!ends.has(key)) ends.set(key, endOf(on, date, settles));
  }
  return ends;
});

/** The last of the ends up to an instant: between two of them nothing settles. */
const lastEnd = (ends: Ends, until: number): number =>
  ends.values().reduce((last, end) => (end <= until && end > last ? end : last), Number.NEGATIVE_INFINITY);

/** What of each contract counts. */
function contractState({ expiration, settlement }: ContractColumns, living: Ends) {
  return (row: number) => {
    if (!Number.isNaN(living.get(expiryKey(expiration[row]!, settlement[row]!))!)) return 'living';
    return settlement[row] === AT_THE_OPEN ? 'settled' : 'traded';
  };
}

/** The longest closure since 1933 with a weekend on either side. */
export const CLOSED_DAYS_MAX = 10;

/** The open or the close of an expiration's session, or of the session before; NaN outside the calendar. */
function endOf(sessionOn: StockView['sessionOn'], expiration: number, settlement: number): number {
  for (let back = 0; back < CLOSED_DAYS_MAX; back++) {
    const session = sessionOn(expiration - back * DAY_MS);
    if (session !== null) return settlement === AT_THE_OPEN ? session.open : session.close;
  }
  return Number.NaN;
}

const forecastOf = onceFor(forecastVolatility);

/** @param own 30-day volatility of the chain; NaN without one */
const volatilityState = onceFor(
  (stated: VolatilityColumns, own: number, tradeDay: number, forecast: number): VolatilityState => {
    const [history, implied] = historyBefore(stated, own, tradeDay);
    return {
      implied,
      rank: volatilityRank(history, implied),
      percentile: volatilityPercentile(history, implied),
      historyDays: history.length,
      forecast,
    };
  },
);

/** The present volatility, without a chain the newest stated one, and the earlier days that it is ranked in. */
function historyBefore(
  { time, implied }: VolatilityColumns,
  own: number,
  tradeDay: number,
): [history: Float64Array, implied: number] {
  let rows = time.length;
  if (!Number.isNaN(own)) {
    while (rows > 0 && time[rows - 1]! >= tradeDay) rows--;
    return [implied.subarray(0, rows), own];
  }
  while (rows > 0 && Number.isNaN(implied[rows - 1]!)) rows--;
  const newest = rows - 1;
  const isRecent = newest >= 0 && tradeDay - time[newest]! <= RECENT_DAYS * DAY_MS;
  return isRecent ? [implied.subarray(0, newest), implied[newest]!] : [implied.subarray(0, rows), Number.NaN];
}

/** Maximum age of a stated day that counts as present: a long weekend and a day. */
const RECENT_DAYS = 5;
