import { DAY_MS, dateOf, midnightUtc, requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { peerContribution, peerFigures } from '../../blocks/peer-divergence-v1.ts';
import { rounded } from '../../derive/rounding.ts';
import { peerDatesOf, readPeerDays } from '../../graph/peer-days.ts';
import { newestDay, type PeerDay, type SymbolTape } from '../../market/tape/index.ts';
import { type Viewer, visibleInstant, withoutForeign } from '../access/viewer.ts';
import { inTime } from '../answers/cached-answer.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import { newestClosed } from '../answers/newest-closed.ts';
import { seenTape } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';

/** A topology of thousands of stocks takes some seconds. */
const RETRY_AFTER_S = 5;

/**
 * The peers of a stock on a completed session that the viewer may see, each with weight, reasons and its part of the
 * implied return. A session that is not measured yet is measured in the background.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, topology_not_loaded, query_timeout
 */
export async function getPeers(context: AppContext, request: SymbolOnDate, viewer: Viewer) {
  return inTime(context, `The peers of ${request.symbol} were not read`, (signal) =>
    findPeers(context, request, viewer, signal),
  );
}

async function findPeers(
  context: AppContext,
  { symbol, date }: SymbolOnDate,
  viewer: Viewer,
  signal: AbortSignal,
) {
  const tape = await seenTape(context, symbol, viewer, signal);
  if (date !== undefined) requireSession(context.calendar, date);
  const newest = newestVisible(context, tape, date, viewer);
  if (newest === null || (date !== undefined && newest !== date)) throw noPeers(symbol, date, newest);
  const [day] = await readPeerDays(context.database, [{ symbol, tradeDate: newest }], { signal });
  if (day === undefined) {
    context.askForPeers(newest);
    throw new CodedError('topology_not_loaded', `The peers of ${newest} are being measured; try again soon`, {
      facts: { retryAfterS: RETRY_AFTER_S },
    });
  }
  if (day.value !== null) return withoutForeign(answerOf(symbol, newest, JSON.parse(day.value)), viewer);
  const [before] = await peerDatesOf(context.database, symbol, newest, 1, { signal });
  if (before === undefined || date !== undefined) throw noPeers(symbol, date, before ?? null);
  const [earlier] = await readPeerDays(context.database, [{ symbol, tradeDate: before }], { signal });
  return withoutForeign(answerOf(symbol, before, JSON.parse(earlier!.value!)), viewer);
}

function noPeers(symbol: string, date: string | undefined, before: string | null): CodedError {
  const hint = before === null ? '' : `; the newest before it is ${before}`;
  return new CodedError(
    'no_data_for_date',
    `No peers of ${symbol} have been found for ${date ?? 'any session'}${hint}`,
  );
}

/** The newest session with a daily bar of the stock, up to a date, whose close the viewer may see. */
function newestVisible(
  { calendar, clock }: AppContext,
  tape: SymbolTape,
  latest: string | undefined,
  viewer: Viewer,
): string | null {
  const visible = visibleInstant(viewer, clock.now());
  const slices = tape.slices.filter(({ kind }) => kind === 'bars-1d');
  const running = tape.running.filter(({ kind }) => kind === 'bars-1d');
  const until = midnightUtc(latest ?? calendar.tradeDateOf(visible)) / DAY_MS;
  const day = newestDay({ ...tape, slices, running }, until);
  return day === null ? null : newestClosed(calendar, dateOf(day * DAY_MS), visible);
}

const answerOf = (symbol: string, tradeDate: string, day: PeerDay) =>
  rounded({
    symbol,
    trade_date: tradeDate,
    window_from: day.windowFrom,
    window_to: day.windowTo,
    ...peerFigures(day),
    peers: day.peers.map(peerContribution),
  });
