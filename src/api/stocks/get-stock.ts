import { joinStock } from '../../derive/compose.ts';
import { type Viewer, viewKey } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import type { Answer } from './answer-cache.ts';
import { cachedAnswer } from './cached-answer.ts';
import { loadStock, type StockRequest, type StockSnapshot } from './load-stock.ts';

/** Answers about a session that can still grow are made anew after this long. */
const RUNNING_TTL_MS = 5_000;
/** Which session is the newest can change at midnight; asking again each minute is soon enough. */
const NEWEST_TTL_MS = 60_000;
/** A correction of another stock can move the market of a day that no pass has stored, and nobody announces that. */
const UNSTORED_TTL_MS = 60_000;

const keyOf = (request: StockRequest, viewer: Viewer): string =>
  `${viewKey(viewer)}|${request.symbol}|${request.date ?? ''}|${request.includes.join()}`;

/** The ready answer, or null when it has to be made. Synchronous: a hot answer costs no turn of the event loop. */
export function peekStock(context: AppContext, request: StockRequest, viewer: Viewer): Answer | null {
  return context.answers.get(keyOf(request, viewer), context.clock.now());
}

/**
 * Everything known of one stock on a trade date.
 *
 * Stored facts are served where a pass has derived the day from the tape as it is now; any other day on the tape is
 * derived for the asker by the same function, to the same bytes.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export function getStock(context: AppContext, request: StockRequest, viewer: Viewer): Promise<Answer> {
  const { symbol } = request;
  return cachedAnswer(context, {
    key: keyOf(request, viewer),
    symbol,
    late: `${symbol} was not answered`,
    async make(signal) {
      const snapshot = await loadStock(context, request, viewer, signal);
      const { core, ...includes } = snapshot.values;
      const text = joinStock({ core: core!, includes }, viewer.source, request.includes);
      return { text, expires: snapshot.now + ttlOf(context, request, snapshot) };
    },
  });
}

function ttlOf(
  context: AppContext,
  request: StockRequest,
  { tradeDate, asOf, stored }: StockSnapshot,
): number {
  if (asOf < context.calendar.session(tradeDate)!.postClose) return RUNNING_TTL_MS;
  if (request.date === undefined) return NEWEST_TTL_MS;
  return stored ? Number.POSITIVE_INFINITY : UNSTORED_TTL_MS;
}
