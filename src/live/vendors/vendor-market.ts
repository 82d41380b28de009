import type { Calendar } from '../../base/calendar.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../base/dates.ts';
import { noteRefused } from '../../market/feed.ts';
import { refusedFile } from '../../market/refusals.ts';
import { knownFeed, type LiveGround, type LiveSource, type LiveStep } from '../source.ts';
import { backFill, type Part } from './back-fill.ts';
import type { Vendor } from './vendor.ts';
import { answered } from './vendor-http.ts';
import { vendorSession } from './vendor-minutes.ts';

/** Vendors open the last 15 minutes of the whole market to few plans; a session is asked for after them. */
const SETTLED_MS = 16 * MINUTE_MS;

const TRY_MS = 5_000;
const TRY_MAX_MS = 10 * MINUTE_MS;

/** What a key of a free plan streams, in the order of their turnover. */
const LIQUID = [
  ...['SPY', 'QQQ', 'NVDA', 'TSLA', 'AAPL', 'MSFT', 'AMZN', 'META', 'AMD', 'GOOGL'],
  ...['IWM', 'AVGO', 'NFLX', 'PLTR', 'JPM', 'BAC', 'XOM', 'INTC', 'COIN', 'MU'],
  ...['DIA', 'UBER', 'DIS', 'WMT', 'BA', 'V', 'COST', 'CRM', 'ORCL', 'F'],
] as const;

const FILLED: Readonly<Record<Part, string>> = {
  '1d': 'daily bars',
  '1m': 'minute bars',
  actions: 'splits and dividends',
  profiles: 'names of companies',
  news: 'news',
};

/**
 * A vendor's market: the past that the blocks need, the first symbol before the others, then each session as it runs. A
 * session that has ended is asked for once more, from the vendor's record of the whole market.
 *
 * @param chosen symbols in the order in which they are wanted; null for the liquid ones, `all` for whatever is listed
 */
export const vendorMarket = ({
  vendor,
  chosen,
}: {
  readonly vendor: Vendor;
  readonly chosen: readonly string[] | 'all' | null;
}): LiveSource => {
  /** Of the past in a row. */
  let tries = 0;
  return {
    title: vendor.title,
    standing: vendor.standing,
    check: ({ clock }) => vendor.check(clock),
    async *steps(ground, signal) {
      const { calendar, clock } = ground;
      // What a plan refuses would be asked for every few seconds.
      if (tries++ > 0) yield { kind: 'rest', ms: Math.min(TRY_MAX_MS, 2 ** tries * TRY_MS) };
      let listedOn: string | null = null;
      let symbols: readonly string[] = [];
      for (const says of await calendarFaults(vendor, ground, signal))
        yield { kind: 'note', says, about: {} };
      for (;;) {
        const now = clock.now();
        // A ticker may change overnight.
        if (listedOn !== calendar.tradeDateOf(now)) {
          listedOn = calendar.tradeDateOf(now);
          symbols = await symbolsOf(vendor, chosen, ground, signal);
          // The same list would be as empty at every further try.
          if (symbols.length === 0) return;
        }
        const session = calendar.sessionHolding(now);
        const through = lastSettled(calendar, now);
        yield* past(vendor, symbols, through, ground, signal);
        tries = 0;
        const { lagMs } = vendor;
        if (session !== null && lagMs !== null) {
          yield* conditions(vendor, ground, signal);
          yield { kind: 'stream', feed: vendorSession({ vendor, lagMs, symbols, session, ground }) };
          continue;
        }
        const today = calendar.session(calendar.tradeDateOf(now));
        const isSettling = today !== null && now >= today.preOpen && today.tradeDate !== through;
        const next = calendar.nextSession(calendar.tradeDateOf(now));
        if (isSettling) yield { kind: 'wait', until: today.postClose + SETTLED_MS };
        else if (today !== null && now < today.preOpen) yield { kind: 'wait', until: today.preOpen };
        else if (next === null) return;
        else yield { kind: 'wait', until: calendar.session(next)!.preOpen };
      }
    },
  };
};

async function symbolsOf(
  vendor: Vendor,
  chosen: readonly string[] | 'all' | null,
  { note, live, clock }: LiveGround,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (chosen === 'all') return (await vendor.listed(null, signal)).map(({ symbol }) => symbol);
  const wanted = chosen ?? LIQUID;
  const listed = await vendor.listed(wanted, signal);
  const symbols = [...new Set(listed.map(({ symbol }) => symbol))];
  const found = new Set(listed.map(({ symbol, former = symbol }) => former));
  for (const { symbol, former } of listed)
    if (former !== undefined) note(`${former} trades as ${symbol} now`, {});
  if (chosen === null) note(`TIGRAPH_SYMBOLS is not set: ${symbols.length} liquid symbols are taken`, {});
  const unknown = wanted.filter((symbol) => !found.has(symbol));
  if (unknown.length > 0) {
    const names = unknown.join(', ');
    note(`${vendor.title} lists no ${names}`, {});
    noteRefused(live, [refusedFile('unlisted', 'TIGRAPH_SYMBOLS', names, unknown.length)], clock.now());
  }
  return symbols;
}

/** The newest session of which the vendor's record is open to every plan. */
function lastSettled(calendar: Calendar, now: number): string {
  const today = calendar.session(calendar.tradeDateOf(now));
  return today !== null && today.postClose + SETTLED_MS <= now
    ? today.tradeDate
    : calendar.previousSession(calendar.tradeDateOf(now))!;
}

async function* past(
  vendor: Vendor,
  symbols: readonly string[],
  through: string,
  ground: LiveGround,
  signal: AbortSignal,
): AsyncGenerator<LiveStep, void, boolean> {
  const turns: readonly [readonly Part[], readonly string[]][] = [
    [['1d', '1m'], symbols.slice(0, 1)],
    [['1d', 'actions', '1m', 'profiles', 'news'], symbols],
  ];
  for (const [parts, some] of turns) {
    for (const part of parts) {
      const feed = await backFill(vendor, part, some, through, ground, signal);
      if (feed === null) continue;
      const about = { through, symbols: some.length };
      yield { kind: 'import', feed, about, says: `back-fill of ${FILLED[part]}` };
    }
  }
}

const CONDITIONS = 'conditions';

/** Has a vendor load what conditions of trades mean, and keeps it beside its data, as the fingerprint of a unit. */
async function* conditions(
  vendor: Vendor,
  { tape }: LiveGround,
  signal: AbortSignal,
): AsyncGenerator<LiveStep, void, boolean> {
  if (vendor.conditions === undefined) return;
  const kept = (await tape.delivered(vendor.name)).get(CONDITIONS)?.fingerprint ?? null;
  const rules = await vendor.conditions(kept, signal);
  if (rules === '' || rules === kept) return;
  const feed = knownFeed(vendor.name, false, [[CONDITIONS, rules, async function* () {}]]);
  yield { kind: 'import', feed, says: 'conditions of trades' };
}

/** Days before and after now of which the calendars are compared. */
const COMPARED_DAYS = 60;

/** Sentences on sessions that the vendor's calendar and this one do not both have, or that end at another time. */
async function calendarFaults(
  vendor: Vendor,
  { calendar, clock }: LiveGround,
  signal: AbortSignal,
): Promise<string[]> {
  if (vendor.closes === undefined) return [];
  const date = (days: number): string => dateOf(clock.now() + days * DAY_MS);
  const [from, to] = [date(-COMPARED_DAYS), date(COMPARED_DAYS)];
  const theirs = await answered(vendor.closes(from, to, signal));
  if (theirs === null) return [];
  const dates = [...new Set([...theirs.keys(), ...calendar.sessionsBetween(from, to)])].sort();
  return dates.flatMap((tradeDate) => {
    const [stated, own] = [theirs.get(tradeDate), calendar.session(tradeDate)?.close];
    const says = (close: number | undefined): string =>
      close === undefined ? 'has no session' : `closes at ${new Date(close).toISOString()}`;
    return stated === own
      ? []
      : [`On ${tradeDate} ${vendor.title} ${says(stated)}, the calendar of this program ${says(own)}`];
  });
}
