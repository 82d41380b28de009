import { wholeMinute } from '../../base/as-of.ts';
import { requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { LEAF_BLOCKS } from '../../derive/compose.ts';
import type { StockDayName } from '../../derive/stock-day.ts';
import { findStockDay } from '../../graph/neighborhood.ts';
import { readFacts, type StoredFacts } from '../../graph/stock-days.ts';
import { type Caller, visibleInstant } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { inTime } from '../answers/cached-answer.ts';
import { loadStocks } from '../answers/load-stock.ts';
import { peersInTime } from '../answers/peers-in-time.ts';
import { seenTapes, unknownSymbol } from '../answers/seen-tapes.ts';
import { type Answer, sealAnswer } from '../context/answer-cache.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { type NeighborhoodRequest, walkNeighborhood } from './walk.ts';

/**
 * The nodes around a stock and its stock-day on a trade date, in rings, the most important of each type first, and the
 * edges between them. The walk uses only edges of that date that the viewer may see. The answer is not final while the
 * peers of the date are still to be measured.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export async function getNeighborhood(
  context: AppContext,
  request: NeighborhoodRequest,
  caller: Caller,
): Promise<Answer> {
  return inTime(context, `The neighbourhood of ${request.symbol} was not walked`, (signal) =>
    findNeighborhood(context, request, caller, signal),
  );
}

async function findNeighborhood(
  context: AppContext,
  request: NeighborhoodRequest,
  caller: Caller,
  signal: AbortSignal,
) {
  const { symbol, date } = request;
  const { calendar, clock, database } = context;
  if (date !== undefined) requireSession(calendar, date);
  const visible = wholeMinute(visibleInstant(caller, clock.now()));
  const upTo = { date: date ?? calendar.tradeDateOf(visible), exact: date !== undefined, visible };
  const root = await findStockDay(database, symbol, upTo, { signal });
  if (root === null) throw await noStockDay(context, request, visible, caller, signal);
  const session = calendar.session(root.tradeDate)!;
  const closeIsSeen = visible >= session.close;
  const isCompared = closeIsSeen && request.types.includes('PEER_OF');
  const compared = isCompared ? [{ symbol, tradeDate: root.tradeDate }] : [];
  const peers = await peersInTime(context, compared, signal);
  const isFinal = peers.length === compared.length;
  const simulated = await context.symbolMarkets.isSimulated(symbol);
  const { symbols } = await context.symbolMarkets.within(caller, simulated);
  const neighborhood = await walkNeighborhood(
    database,
    request,
    {
      ...root,
      // No stock-day of a session that has ended for the viewer is newer than `visible`.
      visible: visible >= session.end ? null : visible,
      closeIsSeen,
      peersAreMeasured: isFinal,
      source: caller.source,
      simulated,
      symbols,
    },
    (days) => leafFacts(context, days, caller, signal),
    signal,
  );
  return sealAnswer(JSON.stringify(neighborhood), isFinal);
}

/** As they are stored; those of a running session, which stores numbers alone, are derived. */
async function leafFacts(
  context: AppContext,
  days: readonly StockDayName[],
  viewer: Viewer,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<StoredFacts, 'asOf' | 'values'>>> {
  const facts = new Map<string, Pick<StoredFacts, 'asOf' | 'values'>>(
    await readFacts(context.database, days, LEAF_BLOCKS, { signal }),
  );
  const numbersAlone = days.filter(({ symbol }) => isEmpty(facts.get(symbol)?.values));
  if (numbersAlone.length === 0) return facts;
  const [{ tradeDate: date }] = numbersAlone as [StockDayName];
  const symbols = numbersAlone.map(({ symbol }) => symbol);
  const loaded = await loadStocks(context, symbols, { date, includes: LEAF_BLOCKS }, viewer, signal);
  for (const [symbol, snapshot] of loaded) {
    if (!(snapshot instanceof Error))
      facts.set(symbol, { asOf: snapshot.factsAsOf, values: snapshot.values });
  }
  return facts;
}

const isEmpty = (values: StoredFacts['values'] | undefined): boolean =>
  values !== undefined && Object.keys(values).length === 0;

async function noStockDay(
  context: AppContext,
  { symbol, date }: NeighborhoodRequest,
  visible: number,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<CodedError> {
  const { calendar, database } = context;
  const newest = { date: calendar.tradeDateOf(visible), exact: false, visible };
  const other = date === undefined ? null : await findStockDay(database, symbol, newest, { signal });
  if (date !== undefined && other !== null) {
    return new CodedError(
      'no_data_for_date',
      absence('refused.graph_date', { symbol, date, newest: other.tradeDate }),
    );
  }
  const [known] = await seenTapes(context, [symbol], viewer, { signal });
  if (known === undefined) return unknownSymbol(context, symbol, viewer, signal);
  return new CodedError('no_data_for_date', absence('refused.graph', { symbol }));
}
