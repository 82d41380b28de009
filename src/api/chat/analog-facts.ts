import type { FactRegistry, Line, Origin } from '../../texts/facts/fact-registry.ts';
import { numberWord } from '../../texts/glossary.ts';
import type { Analogs } from './find-analogs.ts';

/** Adds the most similar days, `analog.1` on, and what followed them, `analogs.20`. */
export function addAnalogs(
  registry: FactRegistry,
  { items, followed, candidates }: Analogs,
  closedAt: string,
): void {
  const of: Origin = { instant: closedAt, source: 'stock_state' };
  registry.add('analogs.candidates', 'days that were compared', candidates, 'count', of);
  for (const [at, { tradeDate, similarity, returnsPct }] of items.entries()) {
    registry.addAll(`analog.${at + 1}`, of, [
      ['trade_date', 'day that looked alike', tradeDate],
      ['similarity', 'similarity of the day', similarity, 'fraction'],
      ...Array.from(returnsPct, ([sessions, value]): Line => {
        const label = `return after ${spell(sessions)} of the day`;
        return [`return_${sessions}`, label, value, 'percent'];
      }),
    ]);
  }
  for (const { sessions, n, ...outcome } of followed) {
    const after = `after ${spell(sessions)}`;
    registry.addAll(`analogs.${sessions}`, of, [
      ['n', `days with a return ${after}`, n, 'count'],
      ['mean_pct', `mean return ${after}`, outcome.mean, 'percent'],
      ['median_pct', `median return ${after}`, outcome.median, 'percent'],
      ['deviation_pct', `deviation of returns ${after}`, outcome.deviation, 'percent'],
      ['lower_quartile_pct', `lower quartile ${after}`, outcome.q1, 'percent'],
      ['upper_quartile_pct', `upper quartile ${after}`, outcome.q3, 'percent'],
      ['share_up', `share that rose ${after}`, outcome.shareUp, 'fraction'],
    ]);
  }
}

const spell = (sessions: number): string =>
  sessions === 1 ? 'a session' : `${numberWord(sessions)} sessions`;
