import type { Session } from '../../base/calendar.ts';
import { midnightUtc } from '../../base/calendar.ts';
import type { OptionChain } from '../chains.ts';
import type { LiveMinute, Refused } from '../feed.ts';
import { type CorporateAction, INTERVAL_MS } from '../observations.ts';
import { type RefusalReason, validateBar } from '../refusals.ts';
import { validateChain } from '../validate-chain.ts';
import { validateFact } from '../validate-fact.ts';
import { chainKey } from './chain-segments.ts';
import type { RunningBatch } from './commit.ts';
import type { SymbolFact } from './commit-facts.ts';
import { type Columns, columnsOf, isIntraday, mergeRows, rowsOf, SERIES, type SeriesKind } from './series.ts';

/** Valid rows of one or several minutes by symbol and series, and the refusals. */
export interface Admitted {
  readonly batches: readonly RunningBatch[];
  readonly facts: readonly SymbolFact[];
  readonly chains: readonly OptionChain[];
  readonly actions: readonly { readonly symbol: string; readonly action: CorporateAction }[];
  readonly refused: readonly Refused[];
}

const EXAMPLE_CHARACTERS_MAX = 200;

/**
 * Validates the rows of a running session: they belong to the session and were final by their minute. Of two
 * versions of a row the later one counts.
 */
export function admitMinutes(session: Session, minutes: readonly LiveMinute[]): Admitted {
  const parts = new Map<string, { symbol: string; kind: SeriesKind; columns: Columns[] }>();
  const facts: SymbolFact[] = [];
  const actions: { symbol: string; action: CorporateAction }[] = [];
  const refused = new Map<string, Refused>();
  const chains = new Map<string, OptionChain>();
  const refuse = (reason: RefusalReason, at: number, example: string, rows = 1): void => {
    const count = (refused.get(reason)?.count ?? 0) + rows;
    const first = refused.get(reason) ?? { where: new Date(at).toISOString(), example };
    refused.set(reason, { kind: 'refused', reason, where: first.where, example: first.example, count });
  };
  for (const { at, deliveries } of minutes) {
    for (const delivery of deliveries) {
      if (delivery.kind === 'refused') {
        for (let row = 0; row < delivery.count; row++) refuse(delivery.reason, at, delivery.example);
      } else if (delivery.kind === 'facts') {
        for (const fact of delivery.facts) {
          const reason = validateFact(fact);
          const { symbol } = delivery;
          if (reason === null) facts.push({ symbol, fact });
          else refuse(reason, at, `${symbol} ${JSON.stringify(fact)}`.slice(0, EXAMPLE_CHARACTERS_MAX));
        }
      } else if (delivery.kind === 'actions') {
        for (const action of delivery.actions) actions.push({ symbol: delivery.symbol, action });
      } else if (delivery.kind === 'chain') {
        const { symbol, takenAt } = delivery.chain;
        const admitted = takenAt > at ? null : validateChain(delivery.chain);
        if (admitted === null) refuse('not_final', at, `${symbol} chain`);
        for (const { reason, example, count } of admitted?.refused ?? []) refuse(reason, at, example, count);
        if (admitted?.chain) chains.set(chainKey(admitted.chain), admitted.chain);
      } else {
        const { symbol } = delivery;
        const { kind, columns: rows } = rowsOf(delivery);
        const columns = admitRows(session, kind, at, rows, (reason, example) => {
          refuse(reason, at, `${symbol} ${kind} ${example}`);
        });
        if (columns.time.length === 0) continue;
        const key = `${kind} ${symbol}`;
        parts.getOrInsertComputed(key, () => ({ symbol, kind, columns: [] })).columns.push(columns);
      }
    }
  }
  const batches = Array.from(parts.values(), ({ symbol, kind, columns }) => ({
    symbol,
    kind,
    columns: mergeRows(kind, columns),
  }));
  return { batches, facts, actions, chains: [...chains.values()], refused: [...refused.values()] };
}

/** The valid rows of a delivery; the very columns when all are. */
function admitRows(
  session: Session,
  kind: SeriesKind,
  at: number,
  columns: Columns,
  refuse: (reason: RefusalReason, example: string) => void,
): Columns {
  const valid: number[] = [];
  for (let row = 0; row < columns.time.length; row++) {
    const reason = refuseRow(session, kind, at, columns, row);
    if (reason === null) valid.push(row);
    else refuse(reason, SERIES[kind].map((name) => columns[name]![row]).join(' '));
  }
  if (valid.length === columns.time.length) return columns;
  return columnsOf(kind, (name) => Float64Array.from(valid, (row) => columns[name]![row]!));
}

function refuseRow(
  session: Session,
  kind: SeriesKind,
  at: number,
  columns: Columns,
  row: number,
): RefusalReason | null {
  const time = columns.time[row]!;
  if (!Number.isFinite(time)) return 'bad_time';
  if (!isIntraday(kind)) {
    if (time !== midnightUtc(session.tradeDate)) return 'outside_session';
  } else if (time < session.preOpen || time >= session.postClose) return 'outside_session';
  // The end of a bar that still forms is unknown.
  if (finalAt(kind, time, session) > at) return 'not_final';
  if (!kind.startsWith('bars-')) return null;
  const { open, high, low, close, volume } = columns;
  return validateBar(
    Number.NEGATIVE_INFINITY,
    time,
    open![row]!,
    high![row]!,
    low![row]!,
    close![row]!,
    volume![row]!,
  );
}

/** The instant at which a row of a session is final: the end of its interval, a daily row at the close. */
export function finalAt(kind: SeriesKind, time: number, session: Pick<Session, 'close'>): number {
  switch (kind) {
    case 'bars-1d':
    case 'volatility-1d':
      return session.close;
    case 'bars-1h':
      return time + INTERVAL_MS['1h'];
    case 'bars-5m':
      return time + INTERVAL_MS['5m'];
    case 'bars-1m':
    case 'quotes-1m':
    case 'flow-minutes':
      return time + INTERVAL_MS['1m'];
  }
}
