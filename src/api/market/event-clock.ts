import { monthlyExpiration } from '../../analysis/options/expiration-life.ts';
import { dateOf, midnightUtc, midnightUtcOf } from '../../base/calendar.ts';
import { type ExpectedSessions, expectedSessions } from '../../base/session-clock.ts';
import { announcedReports, expectedResults } from '../../blocks/earnings.ts';
import type { Queryable } from '../../database/database.ts';
import { PACKED_FIELDS, rowReader } from '../../derive/projection.ts';
import { readNewestScreenRows, readScreenCatalogues } from '../../graph/screen-rows.ts';
import {
  hasResultsCalendar,
  readHaltsKnown,
  readResultsKnown,
  readStatedMarketCaps,
} from '../../tape/event-facts.ts';
import { absence } from '../answers/absences.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketContext, MissingReason } from './schema.ts';

type EventClock = MarketContext['events'];
type ScheduledResults = NonNullable<EventClock['results_today']>['largest'][number];
type Uncapped = Omit<ScheduledResults, 'market_cap'>;

const RESULTS_SESSIONS = 5;
const LISTED_MAX = 10;
/** Companies whose market cap is read; fewer report in any week. */
const SIZED_MAX = 4_000;

/** Events of a market due from a trade date on, as known at an instant, and why any of them is null. */
export async function eventClock(
  { database, calendar }: Pick<AppContext, 'database' | 'calendar'>,
  simulated: boolean,
  tradeDate: string,
  asOf: number,
  signal: AbortSignal,
): Promise<EventClock & { readonly missing: MissingReason[] }> {
  const expected = expectedSessions(calendar, calendar.tradeDateOf(asOf));
  const lastDate = dateAfter(expected, tradeDate, RESULTS_SESSIONS);
  const span = { from: tradeDate, to: lastDate, asOf };
  const [known, hasCalendar, halts] = await Promise.all([
    readResultsKnown(database, simulated, span, { signal }),
    hasResultsCalendar(database, simulated, span, { signal }),
    readHaltsKnown(database, simulated, asOf, { signal }),
  ]);
  const due = Array.from(known).flatMap(([symbol, facts]) =>
    resultsOf(symbol, { facts, tradeDate }, lastDate),
  );
  const sized = due.slice(0, SIZED_MAX).map(({ symbol }) => symbol);
  const caps = await marketCapsOf(database, sized, asOf, signal);
  const dueBetween = (from: string, to: string) => {
    const within = due.filter(({ date }) => date >= from && date <= to);
    return { from, to, count: within.length, largest: largestOf(within, caps) };
  };
  const halted = Array.from(halts).flatMap(([symbol, { halt }]) =>
    halt
      .filter(({ from, to }) => from <= asOf && (to === null || asOf < to))
      .map(({ from, reason }) => ({ symbol, since: new Date(from).toISOString(), reason })),
  );
  const today = hasCalendar || due.length > 0 ? dueBetween(tradeDate, tradeDate) : null;
  const next = hasCalendar ? dueBetween(dateAfter(expected, tradeDate, 1), lastDate) : null;
  const silent = Object.entries({ results_today: today, results_next_5_sessions: next });
  return {
    monthly_expiration: expirationAfter(expected, tradeDate, () => true),
    quarterly_expiration: expirationAfter(expected, tradeDate, (month) => month % 3 === 0),
    results_today: today,
    results_next_5_sessions: next,
    halts: new Set(halted.map(({ symbol }) => symbol)).size,
    halted: halted.sort(latestFirst).slice(0, LISTED_MAX),
    missing: silent
      .filter(([, results]) => results === null)
      .map(([field]) => ({
        field: `events.${field}`,
        reason: absence('absent.results'),
      })),
  };
}

const MARKET_CAP = PACKED_FIELDS.findIndex(({ path }) => path === 'fundamental.market_cap');

/** Market capitalisations in USD at an instant: what a vendor stated, else that of the newest stored stock-day. */
async function marketCapsOf(
  database: Queryable,
  symbols: readonly string[],
  asOf: number,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const caps = await readStatedMarketCaps(database, symbols, asOf, { signal });
  const others = symbols.filter((symbol) => !caps.has(symbol));
  const rows = await readNewestScreenRows(database, others, asOf, { signal });
  if (rows.length === 0) return caps;
  const catalogues = await readScreenCatalogues(database, { signal });
  const readers = new Map(Array.from(catalogues, ([digest, fields]) => [digest, rowReader(fields)]));
  for (const { symbol, catalogue, packed } of rows) {
    readers.get(catalogue)?.numbers(packed, (field, value) => {
      if (field === MARKET_CAP && value > 0) caps.set(symbol, value);
    });
  }
  return caps;
}

interface Halted {
  readonly symbol: string;
  readonly since: string;
}

function latestFirst(one: Halted, other: Halted): number {
  if (one.since !== other.since) return one.since > other.since ? -1 : 1;
  return one.symbol < other.symbol ? -1 : 1;
}

function dateAfter(expected: ExpectedSessions, date: string, sessions: number): string {
  let at = date;
  for (let count = 0; count < sessions; count++) at = expected.after(at) ?? at;
  return at;
}

/** Results that a company reported on the trade date, and those expected up to the last date. */
function resultsOf(
  symbol: string,
  view: Parameters<typeof announcedReports>[0],
  lastDate: string,
): Uncapped[] {
  const latest = announcedReports(view).at(-1) ?? null;
  const reported: Uncapped[] =
    latest?.date === view.tradeDate
      ? [{ symbol, date: latest.date, time: latest.time, status: 'reported' }]
      : [];
  const [next] = expectedResults(view, latest)
    .filter(({ date }) => date <= lastDate && (reported.length === 0 || date > view.tradeDate))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  if (next === undefined) return reported;
  return [...reported, { symbol, date: next.date, time: next.time, status: next.status }];
}

/** Largest market cap first; unknown ones last. */
function largestOf(due: readonly Uncapped[], caps: ReadonlyMap<string, number>): ScheduledResults[] {
  return due
    .map((results) => ({ ...results, market_cap: caps.get(results.symbol) ?? null }))
    .sort(
      (one, other) =>
        (other.market_cap ?? 0) - (one.market_cap ?? 0) ||
        (one.date < other.date ? -1 : one.date > other.date ? 1 : one.symbol < other.symbol ? -1 : 1),
    )
    .slice(0, LISTED_MAX);
}

const MONTHS_AHEAD = 4;

/** The first monthly expiration from the trade date on in a month that `counts`. */
function expirationAfter(
  expected: ExpectedSessions,
  tradeDate: string,
  counts: (month: number) => boolean,
): EventClock['monthly_expiration'] {
  const [year, month] = [Number(tradeDate.slice(0, 4)), Number(tradeDate.slice(5, 7))];
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const months = month - 1 + ahead;
    const [ofYear, ofMonth] = [year + Math.floor(months / 12), (months % 12) + 1];
    if (!counts(ofMonth)) continue;
    const midnight = monthlyExpiration(midnightUtcOf(ofYear, ofMonth, 1), (day) => expected.has(dateOf(day)));
    if (midnight < midnightUtc(tradeDate)) continue;
    const date = dateOf(midnight);
    return { date, sessions: expected.count(tradeDate, date) };
  }
  return null;
}
