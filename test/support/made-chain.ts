import { price } from '../../src/analysis/options/black-scholes.ts';
import {
  AT_THE_OPEN,
  type ChainTerms,
  type PricedChain,
  priceChain,
} from '../../src/analysis/options/quotes.ts';
import { dateOf, midnightUtc, newYorkCalendar } from '../../src/base/calendar.ts';
import { SETTLEMENTS } from '../../src/base/option-roots.ts';
import { type ContractRow, contractColumns, type OptionChain } from '../../src/market/chains.ts';
import { instant } from './views.ts';

/** Option chains of planted volatilities, for tests of what reads them back. */

export interface MadeChain {
  readonly symbol?: string;
  /** Trade date and New York wall clock at which it is taken. */
  readonly date?: string;
  readonly clock?: string;
  readonly spot?: number;
  readonly rate?: number;
  readonly style?: OptionChain['style'];
  readonly expirations?: readonly string[];
  readonly strikes?: readonly number[];
  /** Of ln(K / F) and days to expiration. */
  readonly volatility?: (moneyness: number, days: number) => number;
  /** Contracts open and traded. */
  readonly openInterest?: (strike: number, right: 1 | -1, days: number) => number;
  readonly volume?: (strike: number, right: 1 | -1, days: number) => number;
  /** Half of bid to ask, as a share of the price. */
  readonly halfSpread?: number;
  /** The last change to every contract; null leaves it out. */
  readonly revise?: (contract: ContractRow) => ContractRow | null;
}

/** A Wednesday with the monthly expiration two days ahead. */
export const CHAIN_DATE = '2024-03-13';
const CHAIN_EXPIRATIONS = ['2024-03-15', '2024-03-28', '2024-04-19', '2024-06-21'];

const calendar = newYorkCalendar();

/** Strikes from one to another, both included. */
export const strikesOf = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);

export function madeChain(made: MadeChain = {}): OptionChain {
  const { date = CHAIN_DATE, spot = 100, rate = 0.04, halfSpread = 0.01, style = 'european' } = made;
  const takenAt = instant(date, made.clock ?? '15:00');
  const rows: ContractRow[] = [];
  for (const expiration of made.expirations ?? CHAIN_EXPIRATIONS) {
    const days = (midnightUtc(expiration) - midnightUtc(date)) / 86_400_000;
    const years = (expiryOf(midnightUtc(expiration)) - takenAt) / (365 * 86_400_000);
    const forward = spot * Math.exp(rate * years);
    for (const strike of made.strikes ?? strikesOf(60, 150, 2.5)) {
      for (const right of [1, -1] as const) {
        const volatility = (made.volatility ?? (() => 0.25))(Math.log(strike / forward), days);
        const middle = price(right, forward, strike, years, volatility, Math.exp(-rate * years));
        const row: ContractRow = {
          expiration: midnightUtc(expiration),
          settlement: SETTLEMENTS.indexOf('close'),
          strike,
          right,
          bid: middle * (1 - halfSpread),
          ask: middle * (1 + halfSpread),
          last: middle,
          volume: (made.volume ?? (() => 100))(strike, right, days),
          openInterest: (made.openInterest ?? (() => 1000))(strike, right, days),
          vendorIv: Number.NaN,
          vendorDelta: Number.NaN,
          vendorGamma: Number.NaN,
        };
        const revised = made.revise === undefined ? row : made.revise(row);
        if (revised !== null) rows.push(revised);
      }
    }
  }
  const symbol = made.symbol ?? 'TEST';
  return {
    symbol,
    takenAt,
    underlyingPrice: spot,
    style,
    multiplier: 100,
    contracts: chainColumns(rows),
    simulated: false,
  };
}

const chainColumns = (rows: readonly ContractRow[]): OptionChain['contracts'] =>
  contractColumns((name) => Float64Array.from(rows, (row) => row[name]));

/** The same chain with its contracts in another order. */
export function reordered(chain: OptionChain, order: readonly number[]): OptionChain {
  const contracts = contractColumns((name) => Float64Array.from(order, (row) => chain.contracts[name][row]!));
  return { ...chain, contracts };
}

function expiryOf(expiration: number, settlement?: number): number {
  const date = dateOf(expiration);
  const session = calendar.session(date) ?? calendar.session(calendar.previousSession(date)!);
  return settlement === AT_THE_OPEN ? session!.open : session!.close;
}

/** The terms of a chain taken while its session was open, or at its close. */
export function termsOf(chain: OptionChain, rate = 0.04): ChainTerms {
  const date = calendar.tradeDateOf(chain.takenAt);
  const session = calendar.session(date)!;
  return {
    at: Math.min(chain.takenAt, session.close),
    today: midnightUtc(date),
    spot: chain.underlyingPrice,
    multiplier: chain.multiplier,
    style: chain.style,
    rate,
    expiryOf: (date, settlement) => expiryOf(date, settlement),
  };
}

export const pricedOf = (chain: OptionChain, rate?: number): PricedChain =>
  priceChain(chain.contracts, termsOf(chain, rate));

export const pricedMade = (made: MadeChain = {}): PricedChain => pricedOf(madeChain(made));
