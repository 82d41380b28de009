import { ramp } from '../scoring/ramps.ts';
import { mean } from '../statistics.ts';
import { binomialPrice } from './binomial-tree.ts';
import { price } from './black-scholes.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';
import { CONSTANT_MATURITY_DAYS } from './surface.ts';

/** What options are worth at the volatility that the stock itself shows, against what the market asks for them. */

/** Sessions over which realised volatility is measured: a month, and a quarter that steadies it. */
export const FORECAST_SESSIONS = [21, 63] as const;
const SESSIONS_A_YEAR = 252;

/**
 * Volatility to expect over the next month, decimal a year: the root of the mean of the variances of the last 21 and
 * the last 63 daily log returns, about a mean of zero. NaN with fewer than 64 closes.
 *
 * @param close completed sessions, oldest first
 * Source: F. Corsi, "A Simple Approximate Long-Memory Model of Realized Volatility" (2009), with equal weights.
 */
export function forecastVolatility(close: Float64Array): number {
  return Math.sqrt(mean(FORECAST_SESSIONS.map((sessions) => realisedVariance(close, sessions))));
}

/** Mean squared log return of the last sessions, a year. */
function realisedVariance(close: Float64Array, sessions: number): number {
  if (close.length < sessions + 1) return Number.NaN;
  let sum = 0;
  for (let row = close.length - sessions; row < close.length; row++) {
    const moved = Math.log(close[row]! / close[row - 1]!);
    sum += moved * moved;
  }
  return (sum / sessions) * SESSIONS_A_YEAR;
}

/** Expirations whose options are compared: the nearest to 30 days within these. */
const EDGE_DAYS = { from: 14, to: 60 } as const;
/** Deltas of the two contracts of each side: at the money and the usual wing. */
const EDGE_DELTAS = [0.5, 0.25] as const;
/** An edge of this much of the market's price, either way, is the whole scale. */
const EDGE_REACH = { from: -0.3, to: 0.3 } as const;

/** Value over market less 1, and the same on the scale of 0 to 10 where 5 is fair. NaN: not quoted. */
export interface PricingEdge {
  readonly calls: number;
  readonly puts: number;
  readonly bull: number;
  readonly bear: number;
}

/**
 * Calls and puts of about 30 days, each at the money and at 25 delta, by a binomial tree at the forecast volatility
 * against the middle of the market: calls below their value speak for longs, puts below theirs for shorts.
 *
 * @param volatility forecast, decimal; NaN gives NaN
 */
export function pricingEdge(chain: PricedChain, volatility: number): PricingEdge {
  const expiration = nearestTo30Days(chain);
  const calls = expiration === undefined ? Number.NaN : edgeOf(chain, expiration, 1, volatility);
  const puts = expiration === undefined ? Number.NaN : edgeOf(chain, expiration, -1, volatility);
  return { calls, puts, bull: 10 * ramp(calls, EDGE_REACH), bear: 10 * ramp(puts, EDGE_REACH) };
}

/** Of equally near ones the sooner. */
function nearestTo30Days({ expirations }: PricedChain): ExpirationQuotes | undefined {
  const away = ({ days }: ExpirationQuotes): number => Math.abs(days - CONSTANT_MATURITY_DAYS);
  return expirations
    .filter(({ days, forward }) => days >= EDGE_DAYS.from && days <= EDGE_DAYS.to && forward > 0)
    .reduce<ExpirationQuotes | undefined>(
      (best, one) => (best !== undefined && away(best) <= away(one) ? best : one),
      undefined,
    );
}

function edgeOf(chain: PricedChain, expiration: ExpirationQuotes, right: 1 | -1, volatility: number): number {
  let [value, market] = [0, 0];
  for (const delta of EDGE_DELTAS) {
    const row = rowAtDelta(chain, expiration, right, delta);
    if (row < 0) return Number.NaN;
    value += valueAt(chain, expiration, right, chain.strikes.strike[row]!, volatility);
    market += chain.mid[contractOf(chain, row, right)]!;
  }
  return value / market - 1;
}

const contractOf = ({ strikes }: PricedChain, row: number, right: 1 | -1): number =>
  right > 0 ? strikes.call[row]! : strikes.put[row]!;

/** The quoted contract with the delta nearest to one; -1 without any within a tenth of it. */
function rowAtDelta(
  chain: PricedChain,
  { from, to }: ExpirationQuotes,
  right: 1 | -1,
  delta: number,
): number {
  let [nearest, away] = [-1, 0.1];
  for (let row = from; row < to; row++) {
    const contract = contractOf(chain, row, right);
    if (contract < 0 || Number.isNaN(chain.mid[contract]!)) continue;
    const own = right * (right > 0 ? chain.strikes.callDelta[row]! : chain.strikes.putDelta[row]!);
    if (Math.abs(own - delta) < away) [nearest, away] = [row, Math.abs(own - delta)];
  }
  return nearest;
}

function valueAt(
  { spot, style }: PricedChain,
  { forward, years, discount }: ExpirationQuotes,
  right: 1 | -1,
  strike: number,
  volatility: number,
): number {
  return style === 'american'
    ? binomialPrice(right, spot, forward, strike, years, volatility, discount)
    : price(right, forward, strike, years, volatility, discount);
}

/** Days of the premium, and those of them that pass. */
const DRAG_DAYS = { life: 30, held: 15 } as const;

/**
 * Share of the premium of a straddle at the money with 30 days that 15 days take when the price stands still and
 * volatility comes as the chain's term structure has it, percent. What is left is the variance that the chain prices
 * from day 15 to day 30: where a report falls into the first half, most of the premium goes with it. A flat term
 * structure gives 29.3 at any volatility. Carry is left out, which moves it by hundredths.
 *
 * @param volatility30 at the money, 30 days, decimal
 * @param volatility15 the same of 15 days
 * @returns NaN when either is not known, or when the chain prices no variance after day 15
 */
export function thetaDrag(volatility30: number, volatility15: number): number {
  const { life, held } = DRAG_DAYS;
  const whole = (volatility30 * volatility30 * life) / 365;
  const left = whole - (volatility15 * volatility15 * held) / 365;
  const worth = (variance: number): number =>
    price(1, 1, 1, 1, Math.sqrt(variance), 1) + price(-1, 1, 1, 1, Math.sqrt(variance), 1);
  return left > 0 ? (1 - worth(left) / worth(whole)) * 100 : Number.NaN;
}
