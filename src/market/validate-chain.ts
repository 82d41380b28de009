import { dateOf } from '../base/dates.ts';
import { SETTLEMENTS } from '../base/option-roots.ts';
import { END_INSTANT, FIRST_INSTANT, newYorkDay } from '../base/time-zone.ts';
import { CONTRACT_COLUMNS, type ContractColumns, contractColumns, type OptionChain } from './chains.ts';
import type { RefusalReason, Refused } from './refusals.ts';

/** Shares of a standard contract; anything else is what an adjustment or a mini contract leaves. */
export const STANDARD_MULTIPLIER = 100;
/** The fullest chain, that of the S&P 500 index, has some 25,000 contracts. */
const CONTRACTS_MAX = 100_000;
/** No listed contract, share or index is dearer. */
const PRICE_MAX = 1e9;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** Under a tenth of a percent a year a vendor states no volatility: its solver gave up (0, or its lower bound 1e-5). */
const IV_PLACEHOLDER_MAX = 1e-3;

export interface ValidatedChain {
  /** In the order of `ContractColumns`; null when nothing is left. */
  readonly chain: OptionChain | null;
  /** Contracts counted by reason, with the first of each. */
  readonly refused: readonly Pick<Refused, 'reason' | 'count' | 'example'>[];
}

/**
 * Validates an option chain from any feed. A crossed, one-sided or stale quote stays as it is. Refused are contracts
 * that expired before the chain's date, without a strike, with a negative price or size, repeated (the first is
 * accepted), or saying nothing; and a whole chain of an unknown instant or of another multiplier. A last price of 0
 * means no trade, an implied volatility under 0.1 % none: both become NaN, as does a greek that is none.
 */
export function validateChain(chain: OptionChain): ValidatedChain {
  const fault = refuseHead(chain);
  const { contracts } = chain;
  if (fault !== null) {
    const count = Math.max(1, contracts.strike.length);
    return { chain: null, refused: [{ reason: fault, count, example: headText(chain) }] };
  }
  const refusals = new Map<RefusalReason, { count: number; example: string }>();
  const refuse = (reason: RefusalReason, row: number): void => {
    const known = refusals.get(reason);
    if (known !== undefined) known.count++;
    else refusals.set(reason, { count: 1, example: `${headText(chain)} ${contractText(contracts, row)}` });
  };
  const takenDay = newYorkDay(chain.takenAt);
  const passed: number[] = [];
  for (let row = 0; row < contracts.strike.length; row++) {
    const reason = refuseContract(contracts, row, takenDay);
    if (reason === null) passed.push(row);
    else refuse(reason, row);
  }
  const accepted = withoutRepetition(contracts, inOrder(contracts, passed), refuse);
  return {
    chain: accepted.length === 0 ? null : { ...chain, contracts: cleaned(contracts, accepted) },
    refused: Array.from(refusals, ([reason, { count, example }]) => ({ reason, count, example })),
  };
}

function refuseHead({ takenAt, underlyingPrice, style, multiplier, contracts }: OptionChain) {
  if (!Number.isInteger(takenAt) || takenAt < FIRST_INSTANT || takenAt >= END_INSTANT) return 'bad_time';
  if (underlyingPrice <= 0) return 'price_not_positive';
  if (underlyingPrice > PRICE_MAX) return 'out_of_bounds';
  if (style !== 'american' && style !== 'european') return 'bad_word';
  if (multiplier !== STANDARD_MULTIPLIER) return 'adjusted_contract';
  const rows = contracts.strike.length;
  if (CONTRACT_COLUMNS.some((name) => contracts[name].length !== rows)) return 'wrong_columns';
  return rows > CONTRACTS_MAX ? 'too_large' : null;
}

function refuseContract(contracts: ContractColumns, row: number, takenDay: number): RefusalReason | null {
  const strike = contracts.strike[row]!;
  const expiration = contracts.expiration[row]!;
  if (!(expiration >= FIRST_INSTANT && expiration < END_INSTANT)) return 'bad_time';
  if (Number.isNaN(strike)) return 'not_a_number';
  if (!(strike > 0)) return 'out_of_range';
  if (Math.abs(contracts.right[row]!) !== 1) return 'bad_word';
  if (SETTLEMENTS[contracts.settlement[row]!] === undefined) return 'bad_word';
  if (expiration < takenDay) return 'expired_contract';
  return refuseAmounts(contracts, row, strike);
}

function refuseAmounts(contracts: ContractColumns, row: number, strike: number): RefusalReason | null {
  const bid = contracts.bid[row]!;
  const ask = contracts.ask[row]!;
  const last = contracts.last[row]!;
  const volume = contracts.volume[row]!;
  const openInterest = contracts.openInterest[row]!;
  if (bid < 0 || ask < 0 || last < 0) return 'negative_amount';
  if (volume < 0 || openInterest < 0) return 'volume_negative';
  // NaN, which says that there is none, is above nothing.
  if ([strike, bid, ask, last].some((price) => price > PRICE_MAX)) return 'out_of_bounds';
  if (volume > COUNT_MAX || openInterest > COUNT_MAX) return 'out_of_bounds';
  const saysNothing = Number.isNaN(bid) && Number.isNaN(ask) && !(last > 0) && Number.isNaN(openInterest);
  return saysNothing && !(volume > 0) ? 'missing_value' : null;
}

/** The rows by expiration, settlement, strike and right, calls first; rows of one contract stay as they came. */
function inOrder(contracts: ContractColumns, rows: number[]): number[] {
  const { expiration, settlement, strike, right } = contracts;
  const compare = (a: number, b: number): number =>
    expiration[a]! - expiration[b]! ||
    settlement[a]! - settlement[b]! ||
    strike[a]! - strike[b]! ||
    right[b]! - right[a]! ||
    a - b;
  for (let at = 1; at < rows.length; at++) {
    if (compare(rows[at - 1]!, rows[at]!) > 0) return rows.sort(compare);
  }
  return rows;
}

function withoutRepetition(
  { expiration, settlement, strike, right }: ContractColumns,
  rows: readonly number[],
  refuse: (reason: RefusalReason, row: number) => void,
): number[] {
  return rows.filter((row, at) => {
    const before = rows[at - 1];
    const isRepeated =
      before !== undefined &&
      expiration[before] === expiration[row] &&
      settlement[before] === settlement[row] &&
      strike[before] === strike[row] &&
      right[before] === right[row];
    if (isRepeated) refuse('duplicate', row);
    return !isRepeated;
  });
}

function cleaned(contracts: ContractColumns, rows: readonly number[]): ContractColumns {
  return contractColumns((name) => {
    const column = contracts[name];
    const clean = CLEANING[name];
    return Float64Array.from(rows, (row) => (clean === undefined ? column[row]! : clean(column[row]!)));
  });
}

const CLEANING: Readonly<Partial<Record<keyof ContractColumns, (value: number) => number>>> = {
  last: (price) => (price === 0 ? Number.NaN : price),
  vendorIv: (iv) => (iv > IV_PLACEHOLDER_MAX && iv < Number.POSITIVE_INFINITY ? iv : Number.NaN),
  vendorDelta: (delta) => (Math.abs(delta) <= 1 ? delta : Number.NaN),
  vendorGamma: (gamma) => (gamma >= 0 && gamma < Number.POSITIVE_INFINITY ? gamma : Number.NaN),
};

const headText = ({ symbol, takenAt }: OptionChain): string =>
  `${symbol} ${Number.isInteger(takenAt) && Math.abs(takenAt) < 8.64e15 ? new Date(takenAt).toISOString() : takenAt}`;

function contractText(contracts: ContractColumns, row: number): string {
  const expiration = contracts.expiration[row]!;
  const isDate = expiration >= FIRST_INSTANT && expiration < END_INSTANT;
  const date = isDate ? dateOf(expiration) : String(expiration);
  const right =
    contracts.right[row] === 1 ? 'call' : contracts.right[row] === -1 ? 'put' : contracts.right[row];
  const figures = [contracts.bid, contracts.ask, contracts.last, contracts.volume, contracts.openInterest];
  return `${date} ${contracts.strike[row]} ${right}: ${figures.map((column) => column[row]).join(' ')}`;
}
