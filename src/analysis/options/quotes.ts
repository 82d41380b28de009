import { CHARM, DELTA, GAMMA, GREEKS, greeks, VANNA } from './black-scholes.ts';
import { type ImpliedForward, impliedForward } from './forward.ts';
import { impliedVolatility } from './implied-volatility.ts';
import { yearsToExpiry } from './time-to-expiry.ts';

/**
 * A chain's quotes made into volatilities and greeks: every contract is used or excluded with a reason, every strike
 * has at most one volatility. All further figures of a chain are read from what this makes.
 */

/** The columns of a chain that are read, of one length and in any order; see market/chains.ts. NaN: not stated. */
export interface ContractQuotes {
  /** Midnight UTC of the expiration's New York date. */
  readonly expiration: Float64Array;
  readonly strike: Float64Array;
  /** 1 for a call, -1 for a put. */
  readonly right: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly volume: Float64Array;
  readonly openInterest: Float64Array;
}

const COLUMNS = ['expiration', 'strike', 'right', 'bid', 'ask', 'volume', 'openInterest'] as const;

/** What the quotes themselves do not say. */
export interface ChainTerms {
  /** Epoch milliseconds at which the quotes stood; of a chain taken after the close, that close. */
  readonly at: number;
  /** Midnight UTC of the New York date of that instant: days to expiration are counted from it. */
  readonly today: number;
  readonly spot: number;
  readonly multiplier: number;
  readonly style: 'american' | 'european';
  /** Continuously compounded rate a year where the quotes do not tell their own. */
  readonly rate: number;
  /** The instant at which the contracts of an expiration end, by its midnight UTC; NaN where no calendar knows it. */
  readonly expiryOf: (expiration: number) => number;
}

/** Why a contract is not used, in the order in which it is asked. */
export const EXCLUSIONS = [
  'expired',
  'duplicate',
  'no_quote',
  'zero_bid',
  'crossed',
  'wide',
  'stale',
  'no_forward',
  'no_volatility',
] as const;
type Exclusion = (typeof EXCLUSIONS)[number];
/** In the column of exclusions: the contract is used. */
const USED = 255;

/** The contracts of one expiration that still live. */
export interface ExpirationQuotes {
  /** Midnight UTC of its date. */
  readonly date: number;
  /** Calendar days to it. */
  readonly days: number;
  readonly years: number;
  readonly forward: number;
  /** Value today of a dollar at the expiration. */
  readonly discount: number;
  readonly forwardSource: ImpliedForward['source'];
  /** Its rows of `StrikeColumns`, the second exclusive. */
  readonly from: number;
  readonly to: number;
}

/** One row for each strike of each expiration, ascending in both. NaN: not known. */
interface StrikeColumns {
  readonly strike: Float64Array;
  /** Rows of the contracts; -1 where the chain has none. */
  readonly call: Int32Array;
  readonly put: Int32Array;
  readonly callOpenInterest: Float64Array;
  readonly putOpenInterest: Float64Array;
  /** Of the right that is out of the money, where it is quoted; else of the other. One volatility for both rights. */
  readonly volatility: Float64Array;
  readonly gamma: Float64Array;
  readonly callDelta: Float64Array;
  readonly putDelta: Float64Array;
  /** Delta a volatility point. */
  readonly vanna: Float64Array;
  /** Delta a calendar day. */
  readonly callCharm: Float64Array;
  readonly putCharm: Float64Array;
}

export interface PricedChain {
  readonly spot: number;
  readonly multiplier: number;
  readonly style: 'american' | 'european';
  readonly at: number;
  readonly today: number;
  /** In ascending order of expiration, strike and right, calls first. */
  readonly contracts: ContractQuotes;
  /** Middle of bid and ask; NaN where a contract's quote is not used. */
  readonly mid: Float64Array;
  readonly expirations: readonly ExpirationQuotes[];
  readonly strikes: StrikeColumns;
  /** Contracts by the reason for which they are not used. */
  readonly excluded: Readonly<Record<Exclusion, number>>;
}

/**
 * Prices a chain. The order of the contracts does not matter.
 *
 * European volatilities on the forward of each expiration: of a strike that one which is out of the money, where early
 * exercise is worth little and the spread is narrow. By put-call parity it is that of both rights.
 */
export function priceChain(quotes: ContractQuotes, terms: ChainTerms): PricedChain {
  const contracts = inOrder(quotes);
  const excluded = excludedByQuote(contracts, terms);
  excludeStale(contracts, excluded, 1);
  excludeStale(contracts, excluded, -1);
  const mid = contracts.bid.map((bid, row) =>
    excluded[row] === USED ? (bid + contracts.ask[row]!) / 2 : Number.NaN,
  );
  const strikes = emptyStrikes(contracts.strike.length);
  const expirations: ExpirationQuotes[] = [];
  const clean = withoutExcluded(contracts, mid);
  let to = 0;
  for (let first = 0; first < excluded.length; ) {
    const last = endOfExpiration(contracts.expiration, first);
    if (excluded[first] !== EXPIRED) {
      const from = to;
      to = gatherStrikes(strikes, contracts, excluded, first, last, from);
      const expiration = termsOf(clean, first, last, from, to, terms, contracts.expiration[first]!);
      priceStrikes(strikes, expiration, terms, mid, excluded);
      expirations.push(expiration);
    }
    first = last;
  }
  const { spot, multiplier, style, at, today } = terms;
  return {
    spot,
    multiplier,
    style,
    at,
    today,
    contracts,
    mid,
    expirations,
    strikes: firstRows(strikes, to),
    excluded: counted(excluded),
  };
}

const EXPIRED = EXCLUSIONS.indexOf('expired');
const DUPLICATE = EXCLUSIONS.indexOf('duplicate');
const NO_QUOTE = EXCLUSIONS.indexOf('no_quote');
const ZERO_BID = EXCLUSIONS.indexOf('zero_bid');
const CROSSED = EXCLUSIONS.indexOf('crossed');
const WIDE = EXCLUSIONS.indexOf('wide');
const STALE = EXCLUSIONS.indexOf('stale');
const NO_FORWARD = EXCLUSIONS.indexOf('no_forward');
const NO_VOLATILITY = EXCLUSIONS.indexOf('no_volatility');

const DAY_MS = 86_400_000;

/** The contracts in ascending order; the columns themselves when they are. */
function inOrder(quotes: ContractQuotes): ContractQuotes {
  const rows = quotes.strike.length;
  let sorted = true;
  for (let row = 1; row < rows && sorted; row++) sorted = byContract(quotes, row - 1, row) <= 0;
  if (sorted) return quotes;
  // Of equal contracts the quotes decide, so that what becomes of them does not depend on where they stood.
  const order = Uint32Array.from({ length: rows }, (_, row) => row).sort(
    (one, other) => byContract(quotes, one, other) || byQuote(quotes, one, other),
  );
  const columns = COLUMNS.map((name) => [name, Float64Array.from(order, (row) => quotes[name][row]!)]);
  return Object.fromEntries(columns) as unknown as ContractQuotes;
}

function byContract({ expiration, strike, right }: ContractQuotes, one: number, other: number): number {
  return (
    expiration[one]! - expiration[other]! || strike[one]! - strike[other]! || right[other]! - right[one]!
  );
}

function byQuote({ bid, ask, openInterest }: ContractQuotes, one: number, other: number): number {
  return bid[one]! - bid[other]! || ask[one]! - ask[other]! || openInterest[one]! - openInterest[other]! || 0;
}

/** An ask of this many times the bid that lies this share of the spot above it: the middle is nobody's price. */
const WIDE_QUOTE = { times: 3, spotShare: 0.001 } as const;

const isWide = (bid: number, ask: number, spot: number): boolean =>
  ask > WIDE_QUOTE.times * bid && ask - bid > WIDE_QUOTE.spotShare * spot;

/** What a contract's own row says against it. */
function excludedByQuote(contracts: ContractQuotes, { at, spot, expiryOf }: ChainTerms): Uint8Array {
  const { expiration, bid, ask } = contracts;
  const excluded = new Uint8Array(bid.length).fill(USED);
  let [date, lives] = [Number.NaN, false];
  for (let row = 0; row < bid.length; row++) {
    if (expiration[row] !== date) {
      date = expiration[row]!;
      lives = expiryOf(date) > at;
    }
    if (!lives) excluded[row] = EXPIRED;
    else if (row > 0 && byContract(contracts, row - 1, row) === 0) excluded[row] = DUPLICATE;
    else if (Number.isNaN(bid[row]! + ask[row]!)) excluded[row] = NO_QUOTE;
    else if (!(bid[row]! > 0)) excluded[row] = ZERO_BID;
    else if (ask[row]! < bid[row]!) excluded[row] = CROSSED;
    else if (isWide(bid[row]!, ask[row]!, spot)) excluded[row] = WIDE;
  }
  return excluded;
}

/**
 * A call bid above what both calls before it in strike are offered at, or a put above both behind it, has not been
 * quoted anew since the price was elsewhere: two neighbours do not err together.
 */
function excludeStale(contracts: ContractQuotes, excluded: Uint8Array, right: 1 | -1): void {
  const { expiration, bid, ask } = contracts;
  const rows = bid.length;
  let [date, nearer, farther] = [Number.NaN, Number.NaN, Number.NaN];
  for (let step = 0; step < rows; step++) {
    const row = right > 0 ? step : rows - 1 - step;
    if (contracts.right[row] !== right || excluded[row] !== USED) continue;
    if (expiration[row] !== date) [date, nearer, farther] = [expiration[row]!, Number.NaN, Number.NaN];
    if (bid[row]! > Math.max(nearer, farther)) excluded[row] = STALE;
    else [nearer, farther] = [ask[row]!, nearer];
  }
}

/** What parity is read from: bid and ask of used contracts only. */
function withoutExcluded({ strike, right, bid, ask }: ContractQuotes, mid: Float64Array) {
  const used = (column: Float64Array): Float64Array =>
    column.map((value, row) => (Number.isNaN(mid[row]!) ? Number.NaN : value));
  return { strike, right, bid: used(bid), ask: used(ask) };
}

function endOfExpiration(expiration: Float64Array, first: number): number {
  let last = first + 1;
  while (last < expiration.length && expiration[last] === expiration[first]) last++;
  return last;
}

type GrowingStrikes = { -readonly [Name in keyof StrikeColumns]: StrikeColumns[Name] };

/** Room for as many strikes as there are contracts. */
function emptyStrikes(length: number): GrowingStrikes {
  const unknown = (): Float64Array => new Float64Array(length).fill(Number.NaN);
  return {
    strike: unknown(),
    call: new Int32Array(length).fill(-1),
    put: new Int32Array(length).fill(-1),
    callOpenInterest: unknown(),
    putOpenInterest: unknown(),
    volatility: unknown(),
    gamma: unknown(),
    callDelta: unknown(),
    putDelta: unknown(),
    vanna: unknown(),
    callCharm: unknown(),
    putCharm: unknown(),
  };
}

/** Columns of the first rows, without a copy. */
function firstRows(strikes: StrikeColumns, rows: number): StrikeColumns {
  const cut = Object.entries(strikes).map(([name, column]) => [name, column.subarray(0, rows)]);
  return Object.fromEntries(cut) as StrikeColumns;
}

/** Puts calls and puts of an expiration beside each other; returns the row after the last strike. */
function gatherStrikes(
  strikes: GrowingStrikes,
  { strike, right, openInterest }: ContractQuotes,
  excluded: Uint8Array,
  first: number,
  last: number,
  from: number,
): number {
  let row = from - 1;
  for (let contract = first; contract < last; contract++) {
    if (excluded[contract] === DUPLICATE) continue;
    if (row < from || strikes.strike[row] !== strike[contract]) strikes.strike[++row] = strike[contract]!;
    if (right[contract]! > 0) {
      strikes.call[row] = contract;
      strikes.callOpenInterest[row] = openInterest[contract]!;
    } else {
      strikes.put[row] = contract;
      strikes.putOpenInterest[row] = openInterest[contract]!;
    }
  }
  return row + 1;
}

function termsOf(
  clean: Parameters<typeof impliedForward>[0],
  first: number,
  last: number,
  from: number,
  to: number,
  { at, today, spot, style, rate, expiryOf }: ChainTerms,
  date: number,
): ExpirationQuotes {
  const years = yearsToExpiry(at, expiryOf(date));
  const implied = impliedForward(clean, first, last, { spot, years, rate, style, dividends: null });
  const { forward, discount, source } = implied;
  return {
    date,
    days: Math.round((date - today) / DAY_MS),
    years,
    forward,
    discount,
    forwardSource: source,
    from,
    to,
  };
}

/** Volatility and greeks of every strike of an expiration that a used quote tells. */
function priceStrikes(
  strikes: GrowingStrikes,
  expiration: ExpirationQuotes,
  { spot, style }: ChainTerms,
  mid: Float64Array,
  excluded: Uint8Array,
): void {
  const { forward, discount, years, from, to } = expiration;
  // Early exercise is of a right that pays now: where it can be had, the spot decides which one is out of the money.
  const money = style === 'american' ? spot : forward;
  for (let row = from; row < to; row++) {
    const [call, put] = [strikes.call[row]!, strikes.put[row]!];
    if (!(forward > 0)) {
      exclude(excluded, call, NO_FORWARD);
      exclude(excluded, put, NO_FORWARD);
      continue;
    }
    const strike = strikes.strike[row]!;
    const told = (right: 1 | -1): number => {
      const contract = right > 0 ? call : put;
      if (contract < 0 || Number.isNaN(mid[contract]!)) return Number.NaN;
      const volatility = impliedVolatility(right, mid[contract]!, forward, strike, years, discount);
      if (Number.isNaN(volatility)) exclude(excluded, contract, NO_VOLATILITY);
      return volatility;
    };
    const outside = strike >= money ? 1 : -1;
    const own = told(outside);
    const volatility = Number.isNaN(own) ? told(outside > 0 ? -1 : 1) : own;
    strikes.volatility[row] = volatility;
    if (!Number.isNaN(volatility)) fillGreeks(strikes, row, expiration, spot);
  }
}

/** The reason that comes first stays. */
function exclude(excluded: Uint8Array, contract: number, reason: number): void {
  if (contract >= 0 && excluded[contract] === USED) excluded[contract] = reason;
}

const filled = new Float64Array(GREEKS);

function fillGreeks(
  strikes: GrowingStrikes,
  row: number,
  { forward, discount, years }: ExpirationQuotes,
  spot: number,
): void {
  const [strike, volatility] = [strikes.strike[row]!, strikes.volatility[row]!];
  greeks(filled, 1, spot, forward, strike, years, volatility, discount);
  strikes.gamma[row] = filled[GAMMA]!;
  strikes.callDelta[row] = filled[DELTA]!;
  strikes.vanna[row] = filled[VANNA]!;
  strikes.callCharm[row] = filled[CHARM]!;
  greeks(filled, -1, spot, forward, strike, years, volatility, discount);
  strikes.putDelta[row] = filled[DELTA]!;
  strikes.putCharm[row] = filled[CHARM]!;
}

function counted(excluded: Uint8Array): Record<Exclusion, number> {
  const counts = Object.fromEntries(EXCLUSIONS.map((reason) => [reason, 0])) as Record<Exclusion, number>;
  for (const reason of excluded) if (reason !== USED) counts[EXCLUSIONS[reason]!]++;
  return counts;
}
