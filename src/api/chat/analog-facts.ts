import type { FactRegistry, Origin } from '../facts/fact-registry.ts';
import { numberWord } from '../facts/labels.ts';
import type { Analogs } from './find-analogs.ts';

/** Adds the most similar days, `analog.1` on, and what followed them, `analogs.20`. */
export function addAnalogs(
  registry: FactRegistry,
  { items, followed, candidates }: Analogs,
  closedAt: string,
): void {
  const of: Origin = { instant: closedAt, source: 'stock_state' };
  registry.add('analogs.candidates', 'days that were compared', candidates, 'count', of);
  items.forEach(({ tradeDate, similarity, returnsPct }, at) => {
    const id = `analog.${at + 1}`;
    registry.add(`${id}.trade_date`, 'day that looked alike', tradeDate, null, of);
    registry.add(`${id}.similarity`, 'similarity of the day', similarity, 'fraction', of);
    for (const [sessions, value] of returnsPct) {
      registry.add(
        `${id}.return_${sessions}`,
        `return after ${spell(sessions)} of the day`,
        value,
        'percent',
        of,
      );
    }
  });
  for (const { sessions, n, ...outcome } of followed) {
    const [id, after] = [`analogs.${sessions}`, `after ${spell(sessions)}`];
    registry.add(`${id}.n`, `days with a return ${after}`, n, 'count', of);
    registry.add(`${id}.mean_pct`, `mean return ${after}`, outcome.meanPct, 'percent', of);
    registry.add(`${id}.median_pct`, `median return ${after}`, outcome.medianPct, 'percent', of);
    registry.add(`${id}.deviation_pct`, `deviation of returns ${after}`, outcome.deviationPct, 'percent', of);
    registry.add(`${id}.lower_quartile_pct`, `lower quartile ${after}`, outcome.q1Pct, 'percent', of);
    registry.add(`${id}.upper_quartile_pct`, `upper quartile ${after}`, outcome.q3Pct, 'percent', of);
    registry.add(`${id}.share_up`, `share that rose ${after}`, outcome.shareUp, 'fraction', of);
  }
}

/** A number that has no word here is not spelled. */
function spell(sessions: number): string {
  if (sessions === 1) return 'a session';
  const word = numberWord(sessions);
  return word === null ? 'a time' : `${word} sessions`;
}
