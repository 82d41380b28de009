import type { Static } from 'typebox';
import type { DteScores } from '../../derive/dte-scores.ts';
import type { Exposure } from '../../derive/exposure.ts';
import type { FactRegistry } from './fact-registry.ts';

export type ExposureAnswer = Static<typeof Exposure>;
export type DteAnswer = Static<typeof DteScores>;

/** Adds what dealers hold against a chain: `exposure`. Nothing of a chain that could not be priced. */
export function addExposure(registry: FactRegistry, answer: ExposureAnswer): void {
  const { source_time: instant, total } = answer;
  if (instant === null) return;
  registry.addAll('exposure', { instant, source: 'option_chain' }, [
    ['sessions_old', 'age of the option chain in sessions', answer.sessions_old, 'count'],
    ['spot', 'price of the underlying with the chain', answer.spot_price, 'USD'],
    ['regime', 'dealer gamma', answer.regime],
    ['gamma_flip', 'gamma flip', answer.gamma_flip, 'USD'],
    ['call_wall', 'strike with the most call gamma', answer.call_wall, 'USD'],
    ['put_wall', 'strike with the most put gamma', answer.put_wall, 'USD'],
    ['coverage', 'share of open interest with greeks', answer.coverage, 'fraction'],
    ['net_gamma', 'net dealer gamma for a percent of move', total?.net_gamma, 'USD'],
    ['call_open_interest', 'open calls', total?.call_open_interest, 'contracts'],
    ['put_open_interest', 'open puts', total?.put_open_interest, 'contracts'],
  ]);
}

/** Adds the expiration that suits a direction best: `dte.bullish`, `dte.bearish`. */
export function addDte(registry: FactRegistry, answer: DteAnswer): void {
  const { direction, recommended_expiration: date, expirations } = answer;
  // Of two classes of an index that expire on the date, the better one is recommended.
  const [best] = expirations
    .filter(({ expiration }) => expiration === date)
    .toSorted((one, other) => (other.composite_score ?? 0) - (one.composite_score ?? 0));
  if (best === undefined || answer.source_time === null) return;
  registry.addAll(`dte.${direction}`, { instant: answer.source_time, source: 'option_chain' }, [
    ['expiration', `${direction} expiration`, best.expiration],
    ['dte', `days to the ${direction} expiration`, best.dte, 'days'],
    ['confidence', `confidence in the ${direction} expiration`, best.confidence],
    ...AXES.map((axis) => {
      const label = `${axis.replaceAll('_', ' ')} of the ${direction} expiration`;
      return [axis, label, best[axis], 'points'] as const;
    }),
  ]);
}

const AXES = ['composite_score', 'edge_ratio', 'iv_fitness', 'dealer_flow', 'liquidity'] as const;
