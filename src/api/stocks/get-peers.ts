import { requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { peerContribution, peerFigures } from '../../blocks/peer-divergence-v1.ts';
import { rounded } from '../../derive/rounding.ts';
import { isSimulated, type PeerDay, type SymbolTape } from '../../tape/index.ts';
import { type Viewer, visibleInstant, withoutForeign } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { inTime } from '../answers/cached-answer.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import { peersInTime } from '../answers/peers-in-time.ts';
import { seenTape } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';

/** A topology of thousands of stocks takes some seconds. */
const RETRY_AFTER_S = 5;

/**
 * The peers of a stock on a completed session that the viewer may see, each with weight, reasons and its part of the
 * implied return.
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
  const newest = await newestVisible(context, tape, date, viewer, signal);
  if (newest === null || (date !== undefined && newest !== date)) throw noPeers(symbol, date, newest);
  const [day] = await peersInTime(context, [{ symbol, tradeDate: newest }], signal);
  if (day === undefined) throw unmeasured(context, newest);
  if (day.value === null) throw noPeers(symbol, newest, null);
  return withoutForeign(answerOf(isSimulated(tape), symbol, newest, JSON.parse(day.value)), viewer);
}

function noPeers(symbol: string, date: string | undefined, before: string | null): CodedError {
  const on = { symbol, date: date ?? 'any session' };
  const sentence =
    before === null ? absence('refused.peers', on) : absence('refused.peers_before', { ...on, before });
  return new CodedError('no_data_for_date', sentence);
}

function unmeasured({ calendar, clock }: AppContext, tradeDate: string): CodedError {
  const { postClose } = calendar.session(tradeDate)!;
  const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((postClose - clock.now()) / 1000));
  return new CodedError('topology_not_loaded', absence('refused.peers_pending', { date: tradeDate }), {
    facts: { retryAfterS },
  });
}

/** The newest session with a daily bar of the stock, up to a date, whose close the viewer may see. */
async function newestVisible(
  { calendar, clock, deriver }: AppContext,
  tape: SymbolTape,
  latest: string | undefined,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<string | null> {
  const visible = visibleInstant(viewer, clock.now());
  const asOf = latest === undefined ? visible : Math.min(visible, calendar.session(latest)!.close);
  // The manifest has ranges of daily bars: with later bars on the tape they hold sessions that have none.
  const slices = tape.slices.filter(({ kind }) => kind === 'bars-1d');
  const running = tape.running.filter(({ kind }) => kind === 'bars-1d');
  const [newest] = await deriver.newestSessions({ tapes: [{ ...tape, slices, running }], asOf }, { signal });
  return newest!;
}

const answerOf = (simulated: boolean, symbol: string, tradeDate: string, day: PeerDay) =>
  rounded({
    symbol,
    simulated,
    trade_date: tradeDate,
    window_from: day.windowFrom,
    window_to: day.windowTo,
    ...peerFigures(day),
    peers: day.peers.map(peerContribution),
  });
