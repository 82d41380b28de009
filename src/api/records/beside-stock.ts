import type { ClaimKind } from '../../records/index.ts';
import { grantedSymbols, type Viewer } from '../access/viewer.ts';
import { loadRecords, type WireRecord } from './load-records.ts';
import { recordSentence } from './record-sentence.ts';

/** The kinds of which a stock's answer has claims. */
export const KINDS_BESIDE: readonly ClaimKind[] = ['level', 'pattern', 'playbook', 'swing_playbook'];

/** Records of some kinds of a market by `KIND.KEY`, as a viewer may see them at an instant. */
export async function recordsBeside(
  context: Parameters<typeof loadRecords>[0],
  simulated: boolean,
  viewer: Pick<Viewer, 'symbols'>,
  asOf: number,
  kinds: readonly ClaimKind[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WireRecord>> {
  const symbols = grantedSymbols(viewer);
  const all = await Promise.all(
    kinds.map((kind) => loadRecords(context, { simulated, kind, symbols, asOf }, signal)),
  );
  return new Map(all.flatMap(({ records }) => records).map((record) => [record.id, record]));
}

interface Beside {
  record?: unknown;
}

interface Answer {
  readonly level_ladder?: { readonly levels: readonly (Beside & { readonly family: string })[] } | null;
  readonly patterns?: readonly (Beside & { readonly type: string })[] | null;
  readonly strategies?: readonly (Beside & { readonly strategy: string })[] | null;
}

/** The text of a stock's answer with its record beside each level, pattern and playbook. */
export function withRecords(text: string, records: ReadonlyMap<string, WireRecord>): string {
  const answer: Answer = JSON.parse(text);
  for (const level of answer.level_ladder?.levels ?? [])
    level.record = besideOf(records.get(`level.${level.family}`));
  for (const pattern of answer.patterns ?? [])
    pattern.record = besideOf(records.get(`pattern.${pattern.type}`));
  for (const match of answer.strategies ?? [])
    match.record = besideOf(
      records.get(`playbook.${match.strategy}`) ?? records.get(`swing_playbook.${match.strategy}`),
    );
  return JSON.stringify(answer);
}

/** A record as it stands beside a claim; null without one. */
export function besideOf(record: WireRecord | undefined) {
  if (record === undefined) return null;
  const { id, n, dates, rate, low, high, chance, verdict, simulated } = record;
  return {
    id,
    n,
    dates,
    true: record.true,
    rate,
    low,
    high,
    chance,
    verdict,
    simulated,
    says: recordSentence(record),
  };
}
