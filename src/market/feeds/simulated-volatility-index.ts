import { bridgeHigh, type CompanyPath } from './simulated-company-path.ts';
import type { MarketPath } from './simulated-market-path.ts';
import { createStream, streamKey } from './simulated-random.ts';
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
  const rows = timeline.day.length;
  const column = (): Float64Array => new Float64Array(rows);
  const columns = { priorClose: column(), open: column(), high: column(), low: column(), close: column() };
  const key = streamKey(seed, 'volatility index', 'range');
  const stream = createStream();
  let last = Math.round(path.volatilityIndex[0]! * 100);
  for (let s = 0; s < rows; s++) {
    stream.restart(key, timeline.day[s]!);
    const close = Math.round(path.volatilityIndex[s]! * 100);
    const open = Math.round(last * Math.exp(OPENING_SHARE * Math.log(close / last) + 0.01 * stream.normal()));
    const marketPart = VOLATILITY_INDEX_BETA * path.market.intradaySigma[s]!;
    const variance = OWN_SIGMA * OWN_SIGMA + marketPart * marketPart;
    const x = Math.log(close / open);
    const up = bridgeHigh(x, variance, stream.uniform());
    const down = -bridgeHigh(-x, variance, stream.uniform());
    columns.priorClose[s] = last;
    columns.open[s] = open;
    columns.close[s] = close;
    columns.high[s] = Math.max(open, close, Math.round(open * Math.exp(up)));
    columns.low[s] = Math.min(open, close, Math.round(open * Math.exp(down)));
    last = close;
  }
  return {
    firstSession: 0,
    rows,
    ...columns,
    volume: column(),
    ownSigma: column().fill(OWN_SIGMA),
    actions: [],
  };
}
