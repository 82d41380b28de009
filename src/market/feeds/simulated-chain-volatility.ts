import { DAY_MS } from '../../base/dates.ts';
import type { Delivery } from '../feed.ts';
import type { SimulatedMarket, SimulatedSymbol } from './simulated-market.ts';
import { normalQuantile } from './simulated-random.ts';
import { beliefsOf } from './simulated-chain-beliefs.ts';
import { rhythmOf } from './simulated-chains.ts';
import { europeanValues } from './simulated-chain-surface.ts';

const MATURITY_YEARS = 30 / 365;
/** Volatility is the same at any price. */
const SPOT = 100;

/**
 * The 30-day volatility at the money of each session from one on, as the option market of that session has it; null of
 * what has no options. Realised volatility is left to the bars.
 */
export function volatilityDelivery(
  market: SimulatedMarket,
  of: SimulatedSymbol,
  fromSession: number,
): Delivery | null {
  const { path, symbol, company } = of;
  const from = Math.max(fromSession, path.firstSession);
  const rows = path.firstSession + path.rows - from;
  if (company === null || rhythmOf(of) === null || rows <= 0) return null;
  const sessions = Array.from({ length: rows }, (_, row) => from + row);
  const impliedIn = (session: number): number => {
    const surface = beliefsOf(market, company, path, session - path.firstSession, SPOT);
    const growth = surface.rate - surface.dividendYield;
    const forward = SPOT * Math.exp(growth * MATURITY_YEARS);
    const { calls } = europeanValues(surface, MATURITY_YEARS, [forward]);
    const share = calls[0]! / (forward * Math.exp(-surface.rate * MATURITY_YEARS));
    // Black at the forward: C / (D F) = 2 N(deviation / 2) - 1.
    return (2 * normalQuantile((1 + share) / 2)) / Math.sqrt(MATURITY_YEARS);
  };
  return {
    kind: 'volatility',
    symbol,
    columns: {
      time: Float64Array.from(sessions, (session) => market.timeline.day[session]! * DAY_MS),
      implied: Float64Array.from(sessions, impliedIn),
      realised: new Float64Array(rows).fill(Number.NaN),
    },
  };
}
