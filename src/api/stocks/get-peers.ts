import { inTime } from './cached-answer.ts';
import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc, requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { rounded } from '../../derive/rounding.ts';
import { peerDatesOf, readPeerDays } from '../../graph/peer-days.ts';
import { newestDay, type PeerDay, type SymbolTape } from '../../market/tape/index.ts';
import { seenTapes } from './seen-tapes.ts';
import { unknownSymbol } from './unknown-symbol.ts';
import { type Viewer, withoutForeign } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';

export interface PeersRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest completed session of the stock. */
  readonly date?: string | undefined;
}

/** A topology of thousands of stocks takes some seconds. */
const RETRY_AFTER_S = 5;

/**
 * The peers of a stock on a completed session, each with its weight, its reasons and its part of the implied return; of
 * them those that the viewer may be told of.
 *
 * A session that nobody has measured yet is measured in the background.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, topology_not_loaded, query_timeout
 */
export async function getPeers(context: AppContext, request: PeersRequest, viewer: Viewer) {
  return inTime(context, `The peers of ${request.symbol} were not read`, (signal) =>
    lookUp(context, request, viewer, signal),
  );
}

async function lookUp(
  context: AppContext,
  { symbol, date }: PeersRequest,
  viewer: Viewer,
  signal: AbortSignal,
) {
  const [tape] = await seenTapes(context, [symbol], viewer, { signal });
  if (tape === undefined) {
    throw await unknownSymbol(context, symbol, context.clock.now() - viewer.delayMs, signal);
  }
  if (date !== undefined) requireSession(context.calendar, date);
  const seen = newestSeen(context, tape, date, viewer);
  if (seen === null || (date !== undefined && seen !== date)) throw noPeers(symbol, date, seen);
  const [found] = await readPeerDays(context.database, [{ symbol, tradeDate: seen }], { signal });
  if (found === undefined) {
    context.peersOnDemand.ask(seen);
    throw new CodedError('topology_not_loaded', `The peers of ${seen} are being measured; try again soon`, {
      facts: { retryAfterS: RETRY_AFTER_S },
    });
  }
  if (found.value !== null) return withoutForeign(answerOf(symbol, seen, JSON.parse(found.value)), viewer);
  const [before] = await peerDatesOf(context.database, symbol, seen, 1, { signal });
  if (before === undefined || date !== undefined) throw noPeers(symbol, date, before ?? null);
  const [earlier] = await readPeerDays(context.database, [{ symbol, tradeDate: before }], { signal });
  return withoutForeign(answerOf(symbol, before, JSON.parse(earlier!.value!)), viewer);
}

function noPeers(symbol: string, date: string | undefined, before: string | null): CodedError {
  const asked = date ?? 'any session';
  const hint = before === null ? '' : `; the newest before it is ${before}`;
  return new CodedError('no_data_for_date', `No peers of ${symbol} have been found for ${asked}${hint}`);
}

/**
 * The newest session of a stock's daily bars, up to a date, whose close the viewer may know: which sessions have been
 * measured before has no part in it.
 */
function newestSeen(
  { calendar, clock }: AppContext,
  tape: SymbolTape,
  asked: string | undefined,
  { delayMs }: Viewer,
): string | null {
  const now = clock.now();
  const slices = tape.slices.filter(({ kind }) => kind === 'bars-1d');
  const running = tape.running.filter(({ kind }) => kind === 'bars-1d');
  const until = midnightUtc(asked ?? calendar.tradeDateOf(now)) / DAY_MS;
  const day = newestDay({ ...tape, slices, running }, until);
  if (day === null) return null;
  let date: string | null = dateOf(day * DAY_MS);
  if (!calendar.isSession(date)) date = calendar.previousSession(date);
  for (; date !== null; date = calendar.previousSession(date)) {
    const session = calendar.session(date)!;
    if ((asOfInstant(session, now, delayMs) ?? 0) >= session.close) return date;
  }
  return null;
}

function answerOf(symbol: string, tradeDate: string, day: PeerDay) {
  return rounded({
    symbol,
    trade_date: tradeDate,
    window_from: day.windowFrom,
    window_to: day.windowTo,
    local: day.local,
    medium: day.medium,
    broad: day.broad,
    composite: day.composite,
    signal: day.signal,
    weight_config: day.weightConfig,
    contaminated: day.contamination !== 'none',
    contamination: day.contamination,
    return_pct: day.returnPct,
    implied_local_pct: day.impliedLocalPct,
    implied_medium_pct: day.impliedMediumPct,
    implied_broad_pct: day.impliedBroadPct,
    deviation_local_pct: day.deviationLocalPct,
    deviation_medium_pct: day.deviationMediumPct,
    deviation_broad_pct: day.deviationBroadPct,
    peers_local: day.peersLocal,
    peers_medium: day.peersMedium,
    peers_broad: day.peersBroad,
    peers: day.peers.map((peer) => ({
      symbol: peer.symbol,
      weight: peer.weight,
      correlation: peer.correlation,
      reasons: peer.reasons,
      return_pct: peer.returnPct,
      contribution_pct: peer.contributionPct,
    })),
  });
}
