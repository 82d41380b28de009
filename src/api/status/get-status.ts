import { tradeDateHolding, wholeMinute } from '../../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { instantOrNull } from '../../base/wire.ts';
import { mayName, type Viewer, viewKey, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { newestClosed } from '../answers/newest-closed.ts';
import { type Answer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import {
  type NewestRows,
  readNewestRows,
  readPasses,
  readSeries,
  readTapeSizes,
  readWaiting,
  type StatusView,
} from './read-feeds.ts';
import type { FEEDS, Status } from './schema.ts';

type Feed = (typeof FEEDS)[number];

/** The ages that the contract promises during the regular session, seconds. */
const PROMISED_SECONDS: Readonly<Record<Feed, number>> = {
  quotes: 5,
  minute_bars: 5 * 60,
  daily_bars: 4 * 60 * 60,
  option_chains: 60,
};

/** The statements read the whole manifest: many readers share one answer. */
const KEPT_MS = 5_000;

/**
 * How fresh and how complete the data is that a viewer may see, as JSON text.
 *
 * @throws CodedError overloaded, query_timeout
 */
export function getStatus(context: AppContext, viewer: Viewer): Promise<Answer> | Answer {
  const now = context.clock.now();
  return cachedAnswer(context, {
    key: `status|${viewKey(viewer)}`,
    symbol: WHOLE_MARKET,
    late: 'The status was not answered',
    async make(signal) {
      const status = await statusAt(context, visibleInstant(viewer, now), viewer, signal);
      return { text: JSON.stringify(status), expires: context.clock.now() + KEPT_MS };
    },
  });
}

async function statusAt(
  { calendar, database, live, symbols, version }: AppContext,
  asOf: number,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<Status> {
  const named = (await symbols.all()).map(({ symbol }) => symbol).filter((symbol) => mayName(viewer, symbol));
  const view = statusView(calendar, named, asOf);
  const [newest, series, passes] = await Promise.all([
    readNewestRows(database, view, { signal }),
    readSeries(database, view, { signal }),
    readPasses(database, view, { signal }),
  ]);
  return {
    as_of: new Date(asOf).toISOString(),
    source: viewer.source,
    delay_minutes: viewer.delayMs / MINUTE_MS,
    simulated: newest.simulated,
    running_feed: live.running?.tradeDate === view.tradeDate ? live.running.feed : null,
    feeds: feedStatuses(newest, calendar, asOf),
    series,
    passes: { ...passes, derived_at: instantOrNull(passes.derived_at) },
    versions: { tigraph: version, node: process.version, postgresql: newest.postgresql },
  };
}

/** What the service knows of its data at this moment, of every symbol and without a delay, for its operator. */
export async function readOperatorStatus(
  { calendar, clock, database, symbols }: Pick<AppContext, 'calendar' | 'clock' | 'database' | 'symbols'>,
  signal: AbortSignal,
) {
  const now = clock.now();
  const all = (await symbols.all()).map(({ symbol }) => symbol);
  const [newest, tape, waiting] = await Promise.all([
    readNewestRows(database, statusView(calendar, all, now), { signal }),
    readTapeSizes(database, { signal }),
    readWaiting(database, { signal }),
  ]);
  return { feeds: feedStatuses(newest, calendar, now), tape, waiting };
}

export type OperatorStatus = Awaited<ReturnType<typeof readOperatorStatus>>;

function statusView(calendar: Calendar, symbols: readonly string[], asOf: number): StatusView {
  const today = calendar.tradeDateOf(asOf);
  const session = calendar.session(today);
  const day = midnightUtc(today) / DAY_MS;
  const endedDay = session !== null && asOf < session.close ? day - 1 : day;
  return { symbols, asOf: wholeMinute(asOf), tradeDate: tradeDateHolding(calendar, asOf), endedDay };
}

function feedStatuses(newest: NewestRows, calendar: Calendar, asOf: number): Status['feeds'] {
  return feedsOf(newest, calendar).map(([feed, newestAt]) => feedStatus(feed, newestAt, asOf, calendar));
}

/** End of the newest row of each kind: of the running session, else the close of the last ended one. */
function feedsOf(newest: NewestRows, calendar: Calendar): readonly (readonly [Feed, number | null])[] {
  const closeOf = (day: number | null): number | null =>
    day === null ? null : (calendar.session(dateOf(day * DAY_MS))?.close ?? null);
  const endOf = (time: number | null, minutes: number): number | null =>
    time === null ? null : time + minutes * MINUTE_MS;
  const minute = endOf(newest.minuteTime, 1);
  return [
    ['quotes', latest(endOf(newest.quoteTime, 1), closeOf(newest.quoteDay))],
    ['minute_bars', latest(minute, closeOf(newest.minuteDay))],
    ['daily_bars', latest(minute, endOf(newest.fiveMinuteTime, 5), closeOf(newest.dailyDay))],
    ['option_chains', newest.chainTime],
  ];
}

function latest(...instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function feedStatus(
  feed: Feed,
  newestAt: number | null,
  asOf: number,
  calendar: Calendar,
): Status['feeds'][number] {
  const promised = PROMISED_SECONDS[feed];
  const age = newestAt === null ? null : Math.max(0, (asOf - newestAt) / 1000);
  const today = calendar.tradeDateOf(asOf);
  const session = calendar.session(today);
  const isRegular = session !== null && asOf >= session.open && asOf < session.close;
  // Outside of it what is promised of the last session that has closed is due.
  const last = newestClosed(calendar, today, asOf - promised * 1000);
  const isDue = isRegular || (last !== null && (newestAt ?? 0) < calendar.session(last)!.open);
  return {
    feed,
    newest_at: instantOrNull(newestAt),
    age_seconds: age,
    promised_seconds: promised,
    state: age === null ? 'no_data' : !isDue ? 'market_closed' : age <= promised ? 'fresh' : 'late',
  };
}
