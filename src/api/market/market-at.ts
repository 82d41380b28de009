import { abortable } from '../../base/abortable.ts';
import { marketInstant } from '../../base/as-of.ts';
import { CodedError } from '../../base/errors.ts';
import { readMarketDay } from '../../graph/market-days.ts';
import type { MarketView } from '../../market/tape/index.ts';
import type { AppContext } from '../app-context.ts';

/** A market that is being made may serve later callers than the one that asked, so it has more patience than one. */
const PATIENCE_MS_MIN = 10_000;

/**
 * The market as a whole for an answer as of an instant: the one that a pass has kept where it is of the tape as it is
 * now, else one derived by the same function, to the same numbers.
 *
 * @param tradeDate a session
 * @param signal ends the wait; the making goes on for those who ask next
 * @throws CodedError overloaded, query_timeout
 */
export function marketAt(
  context: AppContext,
  tradeDate: string,
  asOf: number,
  signal: AbortSignal,
): Promise<MarketView> {
  const session = context.calendar.session(tradeDate)!;
  const instant = marketInstant(session, asOf);
  const isCompleted = instant === session.close;
  const made = context.markets.share(`${tradeDate}@${instant}`, () =>
    makeInTime(context, tradeDate, instant, isCompleted),
  );
  return abortable(made, signal);
}

async function makeInTime(
  context: AppContext,
  tradeDate: string,
  asOf: number,
  isCompleted: boolean,
): Promise<MarketView> {
  const deadline = AbortSignal.timeout(Math.max(PATIENCE_MS_MIN, context.queryTimeoutMs));
  try {
    return await makeMarket(context, tradeDate, asOf, isCompleted, deadline);
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new CodedError('query_timeout', `The market of ${tradeDate} was not derived in time`);
  }
}

async function makeMarket(
  { database, tape, deriver }: AppContext,
  tradeDate: string,
  asOf: number,
  isCompleted: boolean,
  signal: AbortSignal,
): Promise<MarketView> {
  const kept = isCompleted ? await readMarketDay(database, tradeDate, { signal }) : null;
  if (kept !== null && !kept.outdated) return JSON.parse(kept.text);
  const ofMinute = await tape.minuteMarket(tradeDate, asOf, { signal });
  if (ofMinute !== null) return JSON.parse(ofMinute);
  const days = [{ tradeDate, asOf }];
  const tapes = await tape.marketTapes(days, { signal });
  const [snapshot] = await deriver.market({ tapes, days }, { signal });
  return JSON.parse(snapshot!.text);
}
