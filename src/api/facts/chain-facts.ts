import type { Static } from 'typebox';
import type { DteScores } from '../../derive/dte-scores.ts';
import type { Exposure } from '../../derive/exposure.ts';
import type { FactRegistry, Origin } from './fact-registry.ts';

export type ExposureAnswer = Static<typeof Exposure>;
export type DteAnswer = Static<typeof DteScores>;

/** Adds what dealers hold against a chain: `exposure`. Nothing of a chain that could not be priced. */
export function addExposure(registry: FactRegistry, answer: ExposureAnswer): void {
  const { source_time: instant, total } = answer;
  if (instant === null) return;
  const of: Origin = { instant, source: 'option_chain' };
  registry.add('exposure.spot', 'price of the underlying with the chain', answer.spot_price, 'USD', of);
  registry.add('exposure.regime', 'dealer gamma', answer.regime, null, of);
  registry.add('exposure.gamma_flip', 'gamma flip', answer.gamma_flip, 'USD', of);
  registry.add('exposure.call_wall', 'strike with the most call gamma', answer.call_wall, 'USD', of);
  registry.add('exposure.put_wall', 'strike with the most put gamma', answer.put_wall, 'USD', of);
  registry.add('exposure.coverage', 'share of open interest with greeks', answer.coverage, 'fraction', of);
  registry.add('exposure.net_gamma', 'net dealer gamma for a percent of move', total?.net_gamma, 'USD', of);
  const contracts = [
    ['call_open_interest', 'open calls', total?.call_open_interest],
    ['put_open_interest', 'open puts', total?.put_open_interest],
  ] as const;
  for (const [id, label, value] of contracts) registry.add(`exposure.${id}`, label, value, 'contracts', of);
}

/** Adds the expiration that suits a direction best: `dte.bullish`, `dte.bearish`. */
export function addDte(registry: FactRegistry, answer: DteAnswer): void {
  const { direction, recommended_expiration: date, expirations } = answer;
  const best = expirations.find(({ expiration }) => expiration === date);
  if (best === undefined || answer.source_time === null) return;
  const of: Origin = { instant: answer.source_time, source: 'option_chain' };
  const id = `dte.${direction}`;
  registry.add(`${id}.expiration`, `${direction} expiration`, best.expiration, null, of);
  registry.add(`${id}.dte`, `days to the ${direction} expiration`, best.dte, 'days', of);
  registry.add(`${id}.confidence`, `confidence in the ${direction} expiration`, best.confidence, null, of);
  for (const axis of ['composite_score', 'edge_ratio', 'iv_fitness', 'dealer_flow', 'liquidity'] as const) {
    const label = `${axis.replaceAll('_', ' ')} of the ${direction} expiration`;
    registry.add(`${id}.${axis}`, label, best[axis], 'points', of);
  }
}
