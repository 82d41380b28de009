import { abortable } from '../../base/abortable.ts';
import { marketInstant } from '../../base/as-of.ts';
import { SharedWork } from '../../base/caller.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import { readSettledMarkets } from '../../graph/market-days.ts';
import type { MarketInstant, MarketView } from '../../tape/index.ts';
import type { DataFeed } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';

/** A market serves later callers too, so its timeout is longer than one caller's. */
const TIMEOUT_MS_MIN = 10_000;

/**
 * The instant of what is answered as of now: a minute is over before its rows have come and are derived, and until then
 * the newest is the one before.
 */
export function newestMinute(
  { live }: { readonly live: Pick<AppContext['live'], 'at'> },
  feed: Pick<DataFeed, 'asOf'>,
  asOf: number,
): number {
  return feed.asOf === undefined && live.at === asOf - MINUTE_MS ? live.at : asOf;
}

/** Whether a session after that of a trade date has begun: numbers of minutes are kept of the newest alone. */
export function isOfEarlierSession(
  { calendar, clock }: Pick<AppContext, 'calendar' | 'clock'>,
  tradeDate: string,
): boolean {
  const next = calendar.nextSession(tradeDate);
  return next !== null && calendar.session(next)!.preOpen <= clock.now();
}

/**
 * One of the markets as a whole as of an instant: stored by a pass if it is up to date, else derived by the same function to the
 * same numbers. Concurrent callers share one derivation.
 *
 * @param tradeDate a session
 * @param signal ends the wait; the derivation continues for later callers, unless all who asked have left
 * @throws CodedError overloaded, query_timeout
 */
export async function marketAt(
  context: AppContext,
  simulated: boolean,
  tradeDate: string,
  asOf: number,
  signal: AbortSignal,
): Promise<MarketView> {
  return (await marketsAt(context, simulated, [{ tradeDate, asOf }], signal))[tradeDate]!;
}

/** The same on several dates, ascending, by date: those that are not known are derived in one walk over the symbols. */
export async function marketsAt(
  context: AppContext,
  simulated: boolean,
  days: readonly MarketInstant[],
  signal: AbortSignal,
): Promise<Record<string, MarketView>> {
  const { markets, calendar } = context;
  const instants = days.map(({ tradeDate, asOf }): MarketInstant => {
    return { tradeDate, asOf: marketInstant(calendar.session(tradeDate)!, asOf) };
  });
  const keyOf = ({ tradeDate, asOf }: MarketInstant): string => `${simulated} ${tradeDate}@${asOf}`;
  const shared = new Map<string, SharedWork<MarketView>>();
  for (const key of instants.map(keyOf)) {
    const market = markets.get(key);
    if (market?.isAbandoned === false) shared.set(key, market);
  }
  const unknown = instants.filter((instant) => !shared.has(keyOf(instant)));
  const made =
    unknown.length === 0
      ? null
      : new SharedWork((abandoned) => makeInTime(context, simulated, unknown, abandoned));
  for (const instant of unknown) {
    const key = keyOf(instant);
    const market = new SharedWork(async () => {
      try {
        return (await made!.join()).get(instant.tradeDate)!;
      } catch (error) {
        if (markets.peek(key) === market) markets.delete(key);
        throw error;
      }
    });
    markets.set(key, market);
    shared.set(key, market);
  }
  const known = Array.from(shared.values(), (market) => market.join());
  const views = await abortable(Promise.all(known), signal);
  return Object.fromEntries(views.map((view) => [view.tradeDate, view]));
}

async function makeInTime(
  context: AppContext,
  simulated: boolean,
  instants: readonly MarketInstant[],
  abandoned: AbortSignal,
): Promise<Map<string, MarketView>> {
  const deadline = AbortSignal.timeout(Math.max(TIMEOUT_MS_MIN, context.queryTimeoutMs));
  const signal = AbortSignal.any([deadline, abandoned]);
  try {
    return await makeMarkets(context, simulated, instants, signal);
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new CodedError('query_timeout', `The market of ${instants[0]!.tradeDate} was not derived in time`);
  }
}

async function makeMarkets(
  context: AppContext,
  simulated: boolean,
  instants: readonly MarketInstant[],
  signal: AbortSignal,
): Promise<Map<string, MarketView>> {
  const { database, calendar, tape, tapes: kept, deriver } = context;
  const views = new Map<string, MarketView>();
  const add = (tradeDate: string, text: string): void => void views.set(tradeDate, JSON.parse(text));
  const isCompleted = ({ tradeDate, asOf }: MarketInstant): boolean =>
    asOf === calendar.session(tradeDate)!.close;
  const completed = instants.filter(isCompleted).map(({ tradeDate }) => tradeDate);
  for (const { tradeDate, text } of await readSettledMarkets(database, simulated, completed, { signal })) {
    add(tradeDate, text);
  }
  const newest = instants.at(-1)!;
  const ofMinute =
    views.has(newest.tradeDate) || isOfEarlierSession(context, newest.tradeDate)
      ? null
      : await tape.ofMarket(simulated).minuteMarket(newest.tradeDate, newest.asOf, { signal });
  if (ofMinute !== null) add(newest.tradeDate, ofMinute);
  const days = instants.filter(({ tradeDate }) => !views.has(tradeDate));
  if (days.length === 0) return views;
  const isRunning = (instant: MarketInstant): boolean => !isCompleted(instant);
  const tapes = await kept.marketTapes(simulated, days, isRunning, { signal });
  for (const { tradeDate, text } of await deriver.market({ tapes, days }, { signal })) add(tradeDate, text);
  return views;
}
