import type { Calendar, Session } from '../../base/calendar.ts';
import { Admission } from '../admit.ts';
import type { OptionChain } from '../chains.ts';
import type { LiveMinute } from '../feed.ts';
import type { CorporateAction } from '../observations.ts';
import { chainKey } from './chain-segments.ts';
import type { RunningBatch } from './commit.ts';
import type { SymbolFact } from './commit-facts.ts';
import { type Columns, mergeRows, type SeriesKind } from './series.ts';

/** Valid rows of one or several minutes by symbol and series, and the refusals. */
export type AdmittedMinutes = ReturnType<typeof admitMinutes>;

/** Admits minutes of a running session. Of two versions of a row the later one counts. */
export function admitMinutes(calendar: Calendar, session: Session, minutes: readonly LiveMinute[]) {
  const admission = new Admission(calendar);
  const parts = new Map<string, { symbol: string; kind: SeriesKind; columns: Columns[] }>();
  const facts: SymbolFact[] = [];
  const actions: { symbol: string; action: CorporateAction }[] = [];
  const chains = new Map<string, OptionChain>();
  for (const { at, deliveries } of minutes) {
    const where = new Date(at).toISOString();
    for (const delivery of deliveries) {
      const admitted = admission.admit(delivery, where, { session, at });
      if (admitted === null) continue;
      if (admitted.kind === 'chain') chains.set(chainKey(admitted.chain), admitted.chain);
      else if (admitted.kind === 'facts') {
        for (const fact of admitted.facts) facts.push({ symbol: admitted.symbol, fact });
      } else if (admitted.kind === 'actions') {
        for (const action of admitted.actions) actions.push({ symbol: admitted.symbol, action });
      } else {
        const { symbol, kind, columns } = admitted;
        const part = parts.getOrInsertComputed(`${kind} ${symbol}`, () => ({ symbol, kind, columns: [] }));
        part.columns.push(columns);
      }
    }
  }
  const batches = Array.from(parts.values(), ({ symbol, kind, columns }): RunningBatch => {
    return { symbol, kind, columns: mergeRows(kind, columns) };
  });
  return { batches, facts, actions, chains: [...chains.values()], refused: admission.refused };
}
