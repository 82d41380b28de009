import { type CompanyPath, emptyPath, setPrices } from './simulated-company-path.ts';
import type { MarketPath } from './simulated-market-path.ts';
import { streamFor } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

/** How far the volatility index moves, as a multiple of the market's move against it. */
export const VOLATILITY_INDEX_BETA = -3.5;
/** Part of the session's change that is there at the open. */
const OPENING_SHARE = 0.35;
const OWN_SIGMA = 0.028;

/**
 * The volatility index as a path like any other; it is calculated, not traded, so that its volume is zero.
 */
export function volatilityIndexPath(seed: number, timeline: Timeline, path: MarketPath): CompanyPath {
  const columns = emptyPath(0, timeline.day.length);
  columns.ownSigma.fill(OWN_SIGMA);
  const daily = streamFor(seed, 'volatility index', 'range');
  let last = Math.round(path.volatilityIndex[0]! * 100);
  for (let s = 0; s < columns.rows; s++) {
    const stream = daily(timeline.day[s]!);
    const close = Math.round(path.volatilityIndex[s]! * 100);
    const open = Math.round(last * Math.exp(OPENING_SHARE * Math.log(close / last) + 0.01 * stream.normal()));
    const marketPart = VOLATILITY_INDEX_BETA * path.market.intradaySigma[s]!;
    setPrices(columns, s, open, close, OWN_SIGMA * OWN_SIGMA + marketPart * marketPart, stream);
    columns.priorClose[s] = last;
    last = close;
  }
  return columns;
}
