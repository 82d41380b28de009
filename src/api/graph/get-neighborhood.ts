import { requireSession } from '../../base/require-session.ts';
import { inTime } from '../stocks/cached-answer.ts';
import { asOfInstant, wholeMinute } from '../../base/as-of.ts';
import { CodedError } from '../../base/errors.ts';
import { findStockDay } from '../../graph/neighborhood.ts';
import type { Caller } from '../access/viewer.ts';
import { type Neighborhood, type NeighborhoodRequest, walkNeighborhood } from './walk.ts';
import { seenTapes } from '../stocks/seen-tapes.ts';
import { unknownSymbol } from '../stocks/unknown-symbol.ts';
import type { Viewer, AppContext } from '../app-context.ts';

export { EDGE_TYPES } from '../../graph/neighborhood.ts';

/**
 * The nodes around a stock on a trade date and the edges between them, in rings, the most important of each type first.
 * The stock and its stock-day stand in the middle together. Nothing newer than the viewer may see is met: no stock-day of
 * another date, and none whose edges speak for a later instant.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export async function getNeighborhood(
  context: AppContext,
  request: NeighborhoodRequest,
  caller: Caller,
): Promise<Neighborhood> {
  return inTime(context, `The neighbourhood of ${request.symbol} was not walked`, (signal) =>
    lookUp(context, request, caller, signal),
  );
}

async function lookUp(
  context: AppContext,
  request: NeighborhoodRequest,
  caller: Caller,
  signal: AbortSignal,
) {
  const { symbol, date } = request;
  const { calendar, clock, database } = context;
  const now = clock.now();
  if (date !== undefined) requireSession(calendar, date);
  const visible = wholeMinute(now - caller.delayMs);
  const wanted = { date: date ?? calendar.tradeDateOf(now), exact: date !== undefined, visible };
  const root = await findStockDay(database, symbol, wanted, { signal });
  if (root === null) throw await noStockDay(context, request, visible, caller, signal);
  const session = calendar.session(root.tradeDate)!;
  return walkNeighborhood(
    database,
    request,
    {
      ...root,
      // Of a session that is over for the viewer no stock-day speaks for a later instant.
      visible: visible >= session.postClose ? null : visible,
      closeIsSeen: (asOfInstant(session, now, caller.delayMs) ?? 0) >= session.close,
      source: caller.source,
      symbols: caller.symbols,
    },
    signal,
  );
}

/** What to say where the graph has no stock-day that was asked for. */
async function noStockDay(
  context: AppContext,
  { symbol, date }: NeighborhoodRequest,
  visible: number,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<CodedError> {
  const { calendar, clock, database } = context;
  const newest = { date: calendar.tradeDateOf(clock.now()), exact: false, visible };
  const other = date === undefined ? null : await findStockDay(database, symbol, newest, { signal });
  if (other !== null) {
    return new CodedError(
      'no_data_for_date',
      `The graph has no stock-day of ${symbol} on ${date} that may be shown; its newest is ${other.tradeDate}`,
    );
  }
  const [known] = await seenTapes(context, [symbol], viewer, { signal });
  if (known === undefined) return unknownSymbol(context, symbol, visible, signal);
  return new CodedError('no_data_for_date', `The graph has no stock-day of ${symbol} that may be shown`);
}
