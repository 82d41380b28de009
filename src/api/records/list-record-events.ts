import { wholeMinute } from '../../base/as-of.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { CLAIM_KINDS, type ClaimKind, RECORD_KINDS } from '../../records/index.ts';
import { type EventQuestion, readClaimEvents, type StoredEvent } from '../../records/store.ts';
import { grantedSymbols, requireSymbols, type Viewer, visibleInstant } from '../access/viewer.ts';
import { inTime } from '../answers/cached-answer.ts';
import { queryName } from '../answers/page-cursor.ts';
import { foreignCursor, reversedRange, valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketName } from '../context/symbol-markets.ts';
import { marketAsked } from './list-records.ts';
import { EVENTS_LIMIT, type EventsAnswer } from './schema.ts';

export interface RecordEventsRequest {
  /** Of a record. */
  readonly id: string;
  readonly symbol?: string | undefined;
  readonly market?: MarketName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome?: EventQuestion['outcome'] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Claims of one record, the newest first, misses too. What was decided after the caller's instant is open.
 *
 * @throws ValidationRefusal for an unknown record, a range from later to earlier, the cursor of another query
 * @throws CodedError symbol_not_granted, query_timeout
 */
export async function listRecordEvents(
  context: Pick<AppContext, 'database' | 'calendar' | 'clock' | 'queryTimeoutMs' | 'symbolMarkets'>,
  request: RecordEventsRequest,
  viewer: Viewer,
): Promise<EventsAnswer> {
  const { id, symbol, from = '0001-01-01', to = '9999-12-31', outcome = 'all' } = request;
  const { kind, key } = recordNamed(id);
  if (from > to) throw reversedRange(from, to);
  if (symbol !== undefined) requireSymbols(viewer, [symbol]);
  const symbols = symbol === undefined ? grantedSymbols(viewer) : [symbol];
  const asOf = wholeMinute(visibleInstant(viewer, context.clock.now()));
  const limit = request.limit ?? EVENTS_LIMIT.byDefault;
  const simulated = await marketAsked(context, request, viewer);
  const name = queryName(id, symbols, from, to, outcome, ...(simulated ? ['simulated'] : []));
  const after = placeIn(request.cursor, name);
  const question = { simulated, kind, key, symbols, from, to, asOf, outcome, after, limit: limit + 1 };
  const rows = await inTime(context, `${id} was not answered`, (signal) =>
    readClaimEvents(context.database, question, { signal }),
  );
  const { calendar } = context;
  const endOf = (date: string): number =>
    calendar.sessionAt(calendar.sessionIndex(date) + RECORD_KINDS[kind].horizonOf(key))?.close ??
    Number.POSITIVE_INFINITY;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    id,
    as_of: new Date(asOf).toISOString(),
    simulated,
    next_cursor:
      rows.length > limit && last !== undefined
        ? `${name}.${last.begunAt}.${last.place}.${Buffer.from(last.symbol).toString('base64url')}`
        : null,
    events: page.map((row) => wireEvent(row, asOf, endOf(row.tradeDate) <= asOf)),
  };
}

function recordNamed(id: string): { readonly kind: ClaimKind; readonly key: string } {
  const [kind, key] = [id.slice(0, id.indexOf('.')), id.slice(id.indexOf('.') + 1)];
  const known = (CLAIM_KINDS as readonly string[]).includes(kind) ? RECORD_KINDS[kind as ClaimKind].keys : [];
  if (known.includes(key)) return { kind: kind as ClaimKind, key };
  const ids = CLAIM_KINDS.flatMap((each) => RECORD_KINDS[each].keys.map((name) => `${each}.${name}`));
  const sentence = `No record is called '${id}'; there are ${ids.join(', ')}`;
  throw new ValidationRefusal([valueFault(['path', 'id'], id, sentence, { expected: ids.join(', ') })]);
}

function placeIn(cursor: string | undefined, name: string): EventQuestion['after'] {
  if (cursor === undefined) return null;
  const [query, begunAt = '', place = '', symbol = ''] = cursor.split('.');
  if (query !== name || !/^\d{1,13}$/.test(begunAt) || !/^\d{1,5}$/.test(place)) throw foreignCursor(cursor);
  return {
    begunAt: Number(begunAt),
    place: Number(place),
    symbol: Buffer.from(symbol, 'base64url').toString(),
  };
}

/** @param isOver whether the horizon of the claim, and of its controls, had ended by the instant */
function wireEvent(event: StoredEvent, asOf: number, isOver: boolean): EventsAnswer['events'][number] {
  const isKnown = event.decidedAt === null ? isOver : event.decidedAt <= asOf;
  return {
    symbol: event.symbol,
    trade_date: event.tradeDate,
    claim: event.claim,
    begun_at: new Date(event.begunAt).toISOString(),
    decided_at: isKnown && event.decidedAt !== null ? new Date(event.decidedAt).toISOString() : null,
    direction: event.side > 0 ? 'up' : 'down',
    price: event.price,
    outcome: (isKnown ? event.outcome : null) ?? 'open',
    gone: isKnown && event.isGone,
    ambiguous: isKnown && event.isAmbiguous,
    chance: isOver ? event.chance : null,
    r: isKnown ? event.gain : null,
  };
}

/** The events of a page as an Arrow stream, which has the cursor of the next one in its metadata. */
export async function eventsArrow({
  id,
  as_of,
  simulated,
  next_cursor,
  events,
}: EventsAnswer): Promise<Uint8Array> {
  const { tableFromArrays, tableToIPC } = await import('apache-arrow');
  const column = (field: keyof EventsAnswer['events'][number]) => events.map((event) => event[field]);
  const table = tableFromArrays({
    symbol: column('symbol'),
    trade_date: column('trade_date'),
    claim: column('claim'),
    begun_at: events.map(({ begun_at }) => new Date(begun_at)),
    decided_at: events.map(({ decided_at }) => (decided_at === null ? null : new Date(decided_at))),
    direction: column('direction'),
    price: column('price'),
    outcome: column('outcome'),
    gone: column('gone'),
    ambiguous: column('ambiguous'),
    chance: column('chance'),
    r: column('r'),
  });
  const { metadata } = table.schema;
  metadata.set('id', id).set('as_of', as_of).set('simulated', String(simulated));
  if (next_cursor !== null) metadata.set('next_cursor', next_cursor);
  return tableToIPC(table, 'stream');
}
