import { joinStock } from '../../derive/compose.ts';
import { selectStock } from '../../derive/selection.ts';
import { type Viewer, viewKey } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { loadStock, type StockRequest, type StockSnapshot } from '../answers/load-stock.ts';
import { nextCompletion } from '../answers/sessions-behind.ts';
import type { Answer, DependsOn } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { KINDS_BESIDE, recordsBeside, withRecords } from '../records/beside-stock.ts';

/** Answers about a running session. */
const RUNNING_TTL_MS = 5_000;
/** Answers about the newest session: another one may begin. */
const NEWEST_TTL_MS = 60_000;
/** Answers about a day that no pass has stored: a correction of another stock changes its market unannounced. */
const UNSTORED_TTL_MS = 60_000;

export const stockKey = (request: StockRequest, viewer: Viewer): string =>
  `${viewKey(viewer)}|${request.symbol}|${request.date ?? ''}|${request.includes.join()}|${request.fields?.join() ?? ''}${request.withRecords ? '|records' : ''}`;

/**
 * Everything known of one stock on a trade date: stored facts if they are up to date with the tape, else derived by the
 * same function to the same bytes.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export function getStock(
  context: AppContext,
  request: StockRequest,
  viewer: Viewer,
): Answer | Promise<Answer> {
  const { symbol } = request;
  return cachedAnswer(context, {
    key: stockKey(request, viewer),
    symbol,
    late: `${symbol} was not answered`,
    async make(signal) {
      const snapshot = await loadStock(context, request, viewer, signal);
      const { core, ...includes } = snapshot.values;
      const fragments = { core: core!, includes };
      const { simulated } = snapshot;
      const label = { source: viewer.source, simulated };
      const text =
        request.fields === undefined
          ? joinStock(fragments, label, request.includes)
          : selectStock(fragments, label, request.fields, snapshot.factsAsOf);
      if (request.withRecords) {
        const { asOf, now } = snapshot;
        const records = await recordsBeside(context, simulated, viewer, asOf, KINDS_BESIDE, signal);
        // A record changes with what no change of the stock announces.
        return { text: withRecords(text, records), expires: now + RUNNING_TTL_MS };
      }
      return {
        text,
        expires: expiryOf(context, request, viewer, snapshot),
        dependsOn: dependsOnDates(request.date, snapshot),
      };
    },
  });
}

/**
 * Whether an answer may change with the facts of some trade dates: those of its own; of an earlier one if it was derived
 * on the spot, from the peers of sessions before; of a later one if it is of the newest. The result is cached with the
 * answer, so it keeps nothing of the snapshot but these two values.
 */
const dependsOnDates =
  (asked: string | undefined, { tradeDate, stored }: StockSnapshot): DependsOn =>
  (dates) =>
    dates.some(
      (date) =>
        date === tradeDate || (!stored && date < tradeDate) || (asked === undefined && date > tradeDate),
    );

/** Null for an answer that nobody keeps. What a session shows at the moment is kept: the next minute replaces it. */
function expiryOf(
  { calendar }: AppContext,
  request: StockRequest,
  viewer: Viewer,
  { tradeDate, asOf, stored, isFinal, now }: StockSnapshot,
): number | null {
  const { postClose, end } = calendar.session(tradeDate)!;
  const isRunning = asOf < postClose && now < end;
  if (!isFinal && !(isRunning && viewer.asOf === undefined)) return null;
  if (isRunning) return now + RUNNING_TTL_MS;
  if (request.date === undefined) {
    return Math.min(now + NEWEST_TTL_MS, nextCompletion(calendar, viewer, now));
  }
  return stored && asOf === end ? Number.POSITIVE_INFINITY : now + UNSTORED_TTL_MS;
}
