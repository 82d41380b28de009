import { asOfInstant } from '../base/as-of.ts';
import { CodedError } from '../base/errors.ts';
import { peerDatesOf, readPeerDays } from '../graph/peer-days.ts';
import type { PeerDay } from '../market/tape/index.ts';
import { seenTapes } from './seen-tapes.ts';
import { type Viewer, withoutForeign } from './viewer.ts';
import type { World } from './world.ts';

export interface PeersRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest completed session with peers. */
  readonly date?: string | undefined;
}

/** Dates that are looked at for one that the viewer may see: a delayed one is a session behind at most. */
const DATES_LOOKED_AT = 3;

/**
 * The peers of a stock on a completed session, each with its weight, its reasons and its part of the implied return; of
 * them those that the viewer may be told of.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export async function getPeers(world: World, request: PeersRequest, viewer: Viewer) {
  const signal = AbortSignal.timeout(world.queryTimeoutMs);
  try {
    return await lookUp(world, request, viewer, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CodedError(
      'query_timeout',
      `The peers of ${request.symbol} were not read within ${world.queryTimeoutMs} ms`,
    );
  }
}

async function lookUp(world: World, { symbol, date }: PeersRequest, viewer: Viewer, signal: AbortSignal) {
  const [tape] = await seenTapes(world, [symbol], viewer, { signal });
  if (tape === undefined) throw new CodedError('unknown_symbol', `No data for the symbol ${symbol}`);
  if (date !== undefined && world.calendar.session(date) === null) {
    const nearest = world.calendar.nearestSession(date);
    const hint = nearest === null ? '' : `; the nearest session is ${nearest}`;
    throw new CodedError('no_session', `${date} is not a trade date (${world.calendar.reason(date)})${hint}`);
  }
  const until = date ?? world.calendar.tradeDateOf(world.clock.now());
  const dates = await peerDatesOf(world.database, symbol, until, DATES_LOOKED_AT, { signal });
  const seen = dates.find((known) => maySee(world, known, viewer));
  if (seen === undefined || (date !== undefined && seen !== date)) {
    const asked = date === undefined ? 'any session' : date;
    const hint = seen === undefined ? '' : `; the newest before it is ${seen}`;
    throw new CodedError('no_data_for_date', `No peers of ${symbol} have been found for ${asked}${hint}`);
  }
  const [found] = await readPeerDays(world.database, [{ symbol, tradeDate: seen }], { signal });
  if (found === undefined) throw new CodedError('no_data_for_date', `${symbol} has no peers on ${seen}`);
  return withoutForeign(answerOf(symbol, seen, JSON.parse(found.value)), viewer);
}

/** The returns of a session are those of its close. */
function maySee({ calendar, clock }: World, date: string, { delayMs }: Viewer): boolean {
  const session = calendar.session(date);
  return session !== null && (asOfInstant(session, clock.now(), delayMs) ?? 0) >= session.close;
}

function answerOf(symbol: string, tradeDate: string, day: PeerDay) {
  return {
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
  };
}
