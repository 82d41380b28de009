import { abortable } from '../../base/abortable.ts';
import { marketInstant } from '../../base/as-of.ts';
import { CodedError } from '../../base/errors.ts';
import { readMarketDay } from '../../graph/market-days.ts';
import type { MarketView } from '../../market/tape/index.ts';
import type { AppContext } from '../context/app-context.ts';

/** A market serves later callers too, so its timeout is longer than one caller's. */
const TIMEOUT_MS_MIN = 10_000;

/**
 * The market as a whole as of an instant: stored by a pass if it is up to date, else derived by the same function to the
 * same numbers. Concurrent callers share one derivation.
 *
 * @param tradeDate a session
 * @param signal ends the wait; the derivation continues for later callers
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
  const key = `${tradeDate}@${instant}`;
  const cached = context.markets.get(key);
  if (cached !== undefined) return abortable(cached, signal);
  const market = makeInTime(context, tradeDate, instant, instant === session.close);
  context.markets.set(key, market);
  market.catch(() => context.markets.peek(key) === market && context.markets.delete(key));
  return abortable(market, signal);
}

async function makeInTime(
  context: AppContext,
  tradeDate: string,
  asOf: number,
  isCompleted: boolean,
): Promise<MarketView> {
  const deadline = AbortSignal.timeout(Math.max(TIMEOUT_MS_MIN, context.queryTimeoutMs));
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
  const stored = isCompleted ? await readMarketDay(database, tradeDate, { signal }) : null;
  if (stored !== null && !stored.outdated) return JSON.parse(stored.text);
  const ofMinute = await tape.minuteMarket(tradeDate, asOf, { signal });
  if (ofMinute !== null) return JSON.parse(ofMinute);
  const days = [{ tradeDate, asOf }];
  const tapes = await tape.marketTapes(days, { signal });
  const [snapshot] = await deriver.market({ tapes, days }, { signal });
  return JSON.parse(snapshot!.text);
}
