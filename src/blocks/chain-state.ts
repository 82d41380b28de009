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

/** Chains whose forwards are kept: a few hundred bytes each, so that every symbol of a running session has a place. */
const FORWARDS: Keeping<ReturnType<typeof forwardsOf>> = { max: 8192 };
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
    const chain = view.chain === null ? null : stateOf(view, view.chain, known, kept);
    return { chain, volatility: volatilityState(view, chain) };
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

function stateOf(view: StockView, stated: OptionChain, known: Known, kept: Kept | null): ChainState {
  const chain = { ...stated, contracts: withTradedVolume(stated.contracts) };
  const { at, today } = quotedAt(view, chain.takenAt);
  const spot = spotOf(view, chain, today, known);
  const expiries = expiriesOf(view, chain.contracts);
  return {
    takenAt: chain.takenAt,
    sessionsOld: Number(chain.takenAt <= view.session.preOpen),
    counts: chainCounts(chain.contracts, contractState(chain.contracts, expiries)),
    unusual: unusualActivity(chain.contracts, today),
    priced: spot > 0 ? pricedState(chain, expiries, { at, today, spot }, kept) : null,
  };
}

/**
 * The instant of the quotes, epoch milliseconds, and midnight UTC of its New York date: when the chain was taken from the
 * pre-market on, and the close for one of the evening, a night or a weekend, whose quotes are those of the close.
 */
function quotedAt(
  { tradeDate, session, priorSession }: StockView,
  takenAt: number,
): { at: number; today: number } {
  if (takenAt > session.preOpen)
    return { at: Math.min(takenAt, session.close), today: midnightUtc(tradeDate) };
  // New York's afternoon is on the same UTC date.
  const today = priorSession.close - (priorSession.close % DAY_MS);
  return { at: Math.min(takenAt, priorSession.close), today };
}

/** The price that came with the chain, else the stock's by then, in regular hours at least its newest of that date. */
function spotOf(view: StockView, chain: OptionChain, today: number, known: Known): number {
  if (!Number.isNaN(chain.underlyingPrice)) return chain.underlyingPrice;
  const { tradeDate, todayRow, session, intraday, intradayInterval } = view;
  if (today !== midnightUtc(tradeDate)) return Number.NaN;
  const ended = rowAtOrAfter(intraday.time, chain.takenAt - barLengthMs(intradayInterval) + 1) - 1;
  if (ended >= 0) return intraday.close[ended]!;
  const isPreMarket = chain.takenAt < session.open;
  return (todayRow < 0 || isPreMarket ? null : known(priceVolume).flat.last_price) ?? Number.NaN;
}

function pricedState(
  { contracts, multiplier, style }: OptionChain,
  expiries: Expiries,
  { at, today, spot }: { readonly at: number; readonly today: number; readonly spot: number },
  kept: Kept | null,
): PricedState {
  const { expiration, settlement, strike, right, bid, ask, volume, openInterest } = contracts;
  const terms = [spot, multiplier, Number(style === 'american'), at, today, ...expiries.values()];
  // All that the state follows from.
  const key = columnDigest([expiration, settlement, strike, right, bid, ask, volume, openInterest, terms]);
  const known = kept?.of(PRICED).get(key);
  if (known !== undefined) return known;
  const chain = priceChain(contracts, {
    at,
    today,
    spot,
    multiplier,
    style,
    rate: ASSUMED_RATE,
    expiryOf: (date, settles) => expiries.get(expiryKey(date, settles))!,
    forwards: kept?.of(FORWARDS).get(key),
  });
  kept?.of(FORWARDS).set(key, forwardsOf(chain));
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

/** The instant at which each class of each expiration ends, by `expiryKey`; NaN for what has ended by then. */
type Expiries = ReadonlyMap<number, number>;

function expiriesOf(view: StockView, { expiration, settlement }: ContractColumns): Expiries {
  const expiries = new Map<number, number>();
  for (let row = 0; row < expiration.length; row++) {
    const [date, settles] = [expiration[row]!, settlement[row]!];
    const key = expiryKey(date, settles);
    if (expiries.has(key)) continue;
    const expiry = expiryOf(view, date, settles);
    expiries.set(key, expiry > view.chainAt ? expiry : Number.NaN);
  }
  return expiries;
}

/** What of each contract counts. */
function contractState({ expiration, settlement }: ContractColumns, expiries: Expiries) {
  return (row: number) => {
    if (!Number.isNaN(expiries.get(expiryKey(expiration[row]!, settlement[row]!))!)) return 'living';
    return settlement[row] === AT_THE_OPEN ? 'settled' : 'traded';
  };
}

/** The longest closure since 1933 with a weekend on either side. */
const CLOSED_DAYS_MAX = 10;

/** The open or the close of an expiration's session, or of the session before; NaN outside the calendar. */
function expiryOf({ sessionOn }: StockView, expiration: number, settlement: number): number {
  for (let back = 0; back < CLOSED_DAYS_MAX; back++) {
    const session = sessionOn(expiration - back * DAY_MS);
    if (session !== null) return settlement === AT_THE_OPEN ? session.open : session.close;
  }
  return Number.NaN;
}

function volatilityState(view: StockView, chain: ChainState | null): VolatilityState {
  const { volatility, daily } = view;
  const forecast = forecastVolatility(daily.close);
  const own = chain?.priced?.surface.atTheMoney30 ?? Number.NaN;
  const [history, implied] = historyBefore(volatility, own, midnightUtc(view.tradeDate));
  return {
    implied,
    rank: volatilityRank(history, implied),
    percentile: volatilityPercentile(history, implied),
    historyDays: history.length,
    forecast,
  };
}

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
