import { DAY_MS } from '../sessions.ts';
import { CHARM, DELTA, GAMMA, GREEKS, greeks, VANNA } from './black-scholes.ts';
import { type ImpliedForward, impliedForward, type QuoteColumns } from './forward.ts';
import { impliedVolatility } from './implied-volatility.ts';

/** Volatilities and greeks of the quotes of a chain, from which all other figures of the chain are read. */

/** The columns of a chain that are read, of one length and in any order; see market/chains.ts. NaN: not stated. */
export interface ContractQuotes extends QuoteColumns {
  /** Midnight UTC of the expiration's New York date. */
  readonly expiration: Float64Array;
  /** A number for each class of a date, which may end at different times; 0: at the open. */
  readonly settlement: Float64Array;
  readonly volume: Float64Array;
  readonly openInterest: Float64Array;
}

/** In the column of settlements: the contract ends at the open of its date. */
export const AT_THE_OPEN = 0;

const COLUMNS = [
  'expiration',
  'settlement',
  'strike',
  'right',
  'bid',
  'ask',
  'volume',
  'openInterest',
] as const;

/** A chain's underlying and the instant of its quotes. */
interface ChainContext {
  readonly spot: number;
  readonly multiplier: number;
  readonly style: 'american' | 'european';
  /** Epoch milliseconds of the quotes: when the chain was taken; of one taken after a close, that close. */
  readonly at: number;
  /** Midnight UTC of the New York date of that instant: days to expiration are counted from it. */
  readonly today: number;
}

/** What the quotes themselves do not say. */
export interface ChainTerms extends ChainContext {
  /** Continuously compounded rate a year where the quotes do not imply their own. */
  readonly rate: number;
  /** The instant at which the contracts of a class of an expiration end; NaN where no calendar knows it or they have. */
  readonly expiryOf: (expiration: number, settlement: number) => number;
  /** What `forwardsOf` gave for the same chain and terms before; its early exercise takes most of the time. */
  readonly forwards?: readonly Forward[] | undefined;
}

/** The forward of an expiration, and where it comes from. */
type Forward = Omit<ImpliedForward, 'pairs'>;

/** Why a contract is not used; the first reason that applies counts. */
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
const CODE = Object.fromEntries(EXCLUSIONS.map((reason, code) => [reason, code])) as Record<
  Exclusion,
  number
>;
/** In the column of exclusions: the contract is used. */
const USED = 255;

/** The contracts of one expiration that still live. */
export interface ExpirationQuotes {
  /** Midnight UTC of its date. */
  readonly date: number;
  readonly settlement: number;
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
type StrikeColumns = Readonly<ReturnType<typeof emptyStrikes>>;

export interface PricedChain extends ChainContext {
  /** In ascending order of expiration, settlement, strike and right, calls first. */
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
  const { expiration, settlement, strike, right } = contracts;
  const excluded = excludedByQuote(contracts, terms);
  excludeStale(contracts, excluded, 1);
  excludeStale(contracts, excluded, -1);
  const [mid, bid, ask] = [contracts.bid.slice(), contracts.bid.slice(), contracts.ask.slice()];
  for (let row = 0; row < mid.length; row++) {
    if (excluded[row] === USED) mid[row] = (bid[row]! + ask[row]!) / 2;
    else mid[row] = bid[row] = ask[row] = Number.NaN;
  }
  const clean = { strike, right, bid, ask };
  const strikes = emptyStrikes(strike.length);
  const expirations: ExpirationQuotes[] = [];
  let to = 0;
  for (let first = 0, last = 0; first < excluded.length; first = last) {
    const [date, settles] = [expiration[first]!, settlement[first]!];
    while (last < excluded.length && expiration[last] === date && settlement[last] === settles) last++;
    if (excluded[first] === CODE.expired) continue;
    const from = to;
    to = gatherStrikes(strikes, contracts, excluded, first, last, from);
    const days = Math.round((date - terms.today) / DAY_MS);
    const years = yearsToExpiry(terms.at, terms.expiryOf(date, settles));
    const { forward, discount, source } =
      terms.forwards?.[expirations.length] ?? impliedForward(clean, first, last, { ...terms, years });
    const own = {
      date,
      settlement: settles,
      days,
      years,
      forward,
      discount,
      forwardSource: source,
      from,
      to,
    };
    priceStrikes(strikes, own, terms, mid, excluded);
    expirations.push(own);
  }
  const columns = Object.entries(strikes).map(([name, column]) => [name, column.slice(0, to)]);
  const counts = Object.fromEntries(EXCLUSIONS.map((reason) => [reason, 0])) as Record<Exclusion, number>;
  for (const code of excluded) if (code !== USED) counts[EXCLUSIONS[code]!]++;
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
    strikes: Object.fromEntries(columns) as StrikeColumns,
    excluded: counts,
  };
}

/** What `ChainTerms.forwards` takes, of a priced chain. */
export function forwardsOf({ expirations }: PricedChain): Forward[] {
  return expirations.map(({ forward, discount, forwardSource: source }) => ({ forward, discount, source }));
}

/**
 * The shortest time that counts, 30 minutes. Gamma at the money grows without bound as time runs out, while the quotes
 * of a chain are up to a quarter of an hour old and are made in whole cents: below this the figures would be noise.
 */
export const LIFE_MIN_MS = 30 * 60_000;

/**
 * Calendar time from the instant of the quotes to the end of the contracts, in years of 365 days; never less than 30
 * minutes while the contracts live.
 *
 * @param asOf epoch milliseconds of the quotes; for a chain taken after the close, that close
 * @param expiry epoch milliseconds at which the contracts end: the close of their last session
 * @returns NaN at the expiry and after it, and for an instant that is not finite
 */
export function yearsToExpiry(asOf: number, expiry: number): number {
  const left = expiry - asOf;
  return left > 0 && left < Number.POSITIVE_INFINITY
    ? Math.max(left, LIFE_MIN_MS) / (365 * DAY_MS)
    : Number.NaN;
}

/** The contracts in ascending order; the columns themselves when they are. */
function inOrder(quotes: ContractQuotes): ContractQuotes {
  const rows = quotes.strike.length;
  let sorted = true;
  for (let row = 1; row < rows && sorted; row++) sorted = byContract(quotes, row - 1, row) <= 0;
  if (sorted) return quotes;
  // Of equal contracts the quotes decide, so that the answer does not depend on their order.
  const order = Uint32Array.from({ length: rows }, (_, row) => row).sort(
    (one, other) => byContract(quotes, one, other) || byQuote(quotes, one, other),
  );
  const columns = COLUMNS.map((name) => [name, Float64Array.from(order, (row) => quotes[name][row]!)]);
  return Object.fromEntries(columns) as unknown as ContractQuotes;
}

function byContract(
  { expiration, settlement, strike, right }: ContractQuotes,
  one: number,
  other: number,
): number {
  return (
    expiration[one]! - expiration[other]! ||
    settlement[one]! - settlement[other]! ||
    strike[one]! - strike[other]! ||
    right[other]! - right[one]!
  );
}

function byQuote({ bid, ask, openInterest }: ContractQuotes, one: number, other: number): number {
  return bid[one]! - bid[other]! || ask[one]! - ask[other]! || openInterest[one]! - openInterest[other]! || 0;
}

/** Quotes this wide do not trade at the middle: the ask over the bid, and the spread over the spot. */
const WIDE_QUOTE = { times: 3, spotShare: 0.001 } as const;

/** Excludes contracts for what their own row says. */
function excludedByQuote(contracts: ContractQuotes, { at, spot, expiryOf }: ChainTerms): Uint8Array {
  const { expiration, settlement, bid, ask } = contracts;
  const excluded = new Uint8Array(bid.length).fill(USED);
  let [date, settles, lives] = [Number.NaN, Number.NaN, false];
  for (let row = 0; row < bid.length; row++) {
    if (expiration[row] !== date || settlement[row] !== settles) {
      [date, settles] = [expiration[row]!, settlement[row]!];
      lives = expiryOf(date, settles) > at;
    }
    const [low, high] = [bid[row]!, ask[row]!];
    if (!lives) excluded[row] = CODE.expired;
    else if (row > 0 && byContract(contracts, row - 1, row) === 0) excluded[row] = CODE.duplicate;
    else if (Number.isNaN(low + high)) excluded[row] = CODE.no_quote;
    else if (!(low > 0)) excluded[row] = CODE.zero_bid;
    else if (high < low) excluded[row] = CODE.crossed;
    else if (high > WIDE_QUOTE.times * low && high - low > WIDE_QUOTE.spotShare * spot)
      excluded[row] = CODE.wide;
  }
  return excluded;
}

/**
 * A call bid above what both calls before it in strike are offered at, or a put above both behind it, has not been
 * quoted anew since the price was elsewhere: two neighbours do not err together.
 */
function excludeStale(contracts: ContractQuotes, excluded: Uint8Array, right: 1 | -1): void {
  const { expiration, settlement, bid, ask } = contracts;
  const rows = bid.length;
  let [date, settles, nearer, farther] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  for (let step = 0; step < rows; step++) {
    const row = right > 0 ? step : rows - 1 - step;
    if (contracts.right[row] !== right || excluded[row] !== USED) continue;
    if (expiration[row] !== date || settlement[row] !== settles) {
      [date, settles, nearer, farther] = [expiration[row]!, settlement[row]!, Number.NaN, Number.NaN];
    }
    if (bid[row]! > Math.max(nearer, farther)) excluded[row] = CODE.stale;
    else [nearer, farther] = [ask[row]!, nearer];
  }
}

/** Room for as many strikes as there are contracts. */
function emptyStrikes(length: number) {
  const unknown = (): Float64Array => new Float64Array(length).fill(Number.NaN);
  return {
    strike: unknown(),
    /** Rows of the contracts; -1 where the chain has none. */
    call: new Int32Array(length).fill(-1),
    put: new Int32Array(length).fill(-1),
    callOpenInterest: unknown(),
    putOpenInterest: unknown(),
    /**
     * One for both rights, of that which is out of the money. What the other one is worth beyond its payoff is less than
     * its spread, so where the first is not quoted there is none.
     */
    volatility: unknown(),
    /**
     * What greeks are of: the same, and where only the right in the money is quoted, above its payoff, that of the smile.
     * Dealers hold those contracts too.
     */
    smile: unknown(),
    gamma: unknown(),
    callDelta: unknown(),
    putDelta: unknown(),
    /** Delta a volatility point. */
    vanna: unknown(),
    /** Delta a calendar day. */
    callCharm: unknown(),
    putCharm: unknown(),
  };
}

/** Puts calls and puts of an expiration beside each other; returns the row after the last strike. */
function gatherStrikes(
  strikes: StrikeColumns,
  { strike, right, openInterest }: ContractQuotes,
  excluded: Uint8Array,
  first: number,
  last: number,
  from: number,
): number {
  let row = from - 1;
  for (let contract = first; contract < last; contract++) {
    if (excluded[contract] === CODE.duplicate) continue;
    if (row < from || strikes.strike[row] !== strike[contract]) strikes.strike[++row] = strike[contract]!;
    const isCall = right[contract]! > 0;
    (isCall ? strikes.call : strikes.put)[row] = contract;
    (isCall ? strikes.callOpenInterest : strikes.putOpenInterest)[row] = openInterest[contract]!;
  }
  return row + 1;
}

/** Volatility and greeks of every strike of an expiration that used quotes give. */
function priceStrikes(
  strikes: StrikeColumns,
  { forward, discount, years, from, to }: ExpirationQuotes,
  { spot, style }: ChainTerms,
  mid: Float64Array,
  excluded: Uint8Array,
): void {
  if (!(forward > 0)) {
    const contracts = [strikes.call, strikes.put].flatMap((side) => [...side.subarray(from, to)]);
    const used = contracts.filter((contract) => contract >= 0 && excluded[contract] === USED);
    for (const contract of used) excluded[contract] = CODE.no_forward;
    return;
  }
  // Early exercise is of a right that pays now: where it can be had, the spot decides which one is out of the money.
  const money = style === 'american' ? spot : forward;
  const outsideOf = (row: number): 1 | -1 => (strikes.strike[row]! >= money ? 1 : -1);
  const impliedBy = (row: number, right: 1 | -1): number => {
    const contract = right > 0 ? strikes.call[row]! : strikes.put[row]!;
    if (contract < 0 || Number.isNaN(mid[contract]!)) return Number.NaN;
    const strike = strikes.strike[row]!;
    const volatility = impliedVolatility(right, mid[contract]!, forward, strike, years, discount);
    if (Number.isNaN(volatility) && excluded[contract] === USED) excluded[contract] = CODE.no_volatility;
    return volatility;
  };
  for (let row = from; row < to; row++) strikes.volatility[row] = impliedBy(row, outsideOf(row));
  const found = new Float64Array(GREEKS);
  let [below, above] = [-1, from];
  for (let row = from; row < to; row++) {
    const strike = strikes.strike[row]!;
    let volatility = strikes.volatility[row]!;
    if (!Number.isNaN(volatility)) below = row;
    else {
      // What it is worth beyond its payoff says that there is a volatility, and not which.
      if (Number.isNaN(impliedBy(row, outsideOf(row) > 0 ? -1 : 1))) continue;
      while (above < to && (above < row || Number.isNaN(strikes.volatility[above]!))) above++;
      volatility = smileBetween(strikes, below, above < to ? above : -1, strike);
      if (Number.isNaN(volatility)) continue;
    }
    strikes.smile[row] = volatility;
    greeks(found, 1, spot, forward, strike, years, volatility, discount);
    strikes.gamma[row] = found[GAMMA]!;
    strikes.callDelta[row] = found[DELTA]!;
    strikes.vanna[row] = found[VANNA]!;
    strikes.callCharm[row] = found[CHARM]!;
    greeks(found, -1, spot, forward, strike, years, volatility, discount);
    strikes.putDelta[row] = found[DELTA]!;
    strikes.putCharm[row] = found[CHARM]!;
  }
}

/** Volatility whose variance is straight in ln(K) between two rows of an expiration; of one at the edge its own. */
function smileBetween(
  { strike, volatility }: StrikeColumns,
  below: number,
  above: number,
  at: number,
): number {
  if (below < 0 || above < 0) return volatility[Math.max(below, above)] ?? Number.NaN;
  const [low, high] = [volatility[below]! ** 2, volatility[above]! ** 2];
  const share = Math.log(at / strike[below]!) / Math.log(strike[above]! / strike[below]!);
  return Math.sqrt(low + share * (high - low));
}
