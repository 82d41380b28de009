import { LRUCache } from 'lru-cache';
import { marketInstant } from '../base/as-of.ts';
import { chunks } from '../base/chunks.ts';
import type { Database } from '../database/database.ts';
import { type MarketDay, type MarketDayName, readMarketDays, writeMarketDays } from '../graph/market-days.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketInstant } from '../tape/index.ts';
import type { PassContext } from './detector.ts';

type MarketPassContext = Pick<PassContext, 'database' | 'tape' | 'calendar' | 'deriver'>;

/** One market, real or simulated, on the dates of one pass. */
export type MarketPass = ReturnType<typeof openMarketPass>;

/** Dates of one walk over the symbols: two years, a few megabytes of text. */
const DATES_AT_ONCE = 520;
/** Parsed markets in memory; a pass over more dates reads them again. */
const CACHED_MARKETS_MAX = 600;

export function openMarketPass(context: MarketPassContext, simulated: boolean) {
  /** The digest of each updated date; null while its session runs. */
  const digests = new Map<string, string | null>();
  const running = new Map<string, MarketView>();
  const cached = new LRUCache<string, MarketView>({ max: CACHED_MARKETS_MAX });

  async function derive(instants: readonly MarketInstant[]): Promise<void> {
    const tapes = await context.tape.ofMarket(simulated).marketTapes(instants);
    const snapshots = await context.deriver.market({ tapes, days: instants });
    const isStored = instants.map(
      ({ tradeDate, asOf }) => asOf >= context.calendar.session(tradeDate)!.close,
    );
    await writeMarketDays(
      context.database,
      simulated,
      snapshots.filter((_, at) => isStored[at]),
    );
    for (const [at, { tradeDate, digest, text }] of snapshots.entries()) {
      digests.set(tradeDate, isStored[at] ? digest : null);
      if (isStored[at]) parse(tradeDate, text);
      else running.set(tradeDate, JSON.parse(text));
    }
  }

  function parse(tradeDate: string, text: string): MarketView {
    const view: MarketView = JSON.parse(text);
    cached.set(tradeDate, view);
    return view;
  }

  return {
    simulated,
    /**
     * Derives the market at the given instants from the present tape, each date once a pass. Markets of completed
     * sessions are stored in the graph; that of a running session lives as long as the pass.
     */
    async bringUpToDate(instants: readonly MarketInstant[]): Promise<void> {
      const dates = new Map(instants.map((instant) => [instant.tradeDate, instant]));
      const due = [...dates.values()]
        .filter(({ tradeDate }) => !digests.has(tradeDate))
        .map(({ tradeDate, asOf }) => {
          return { tradeDate, asOf: marketInstant(context.calendar.session(tradeDate)!, asOf) };
        })
        .sort((a, b) => a.asOf - b.asOf);
      for (const part of chunks(due, DATES_AT_ONCE)) await derive(part);
    },
    of: (dates: Iterable<string>): Promise<Record<string, MarketView>> =>
      readThrough(
        (missing) => readMarketDays(context.database, simulated, missing),
        new Set(dates),
        (date) => running.get(date) ?? cached.get(date),
        ({ tradeDate, text }) => parse(tradeDate, text),
      ),
    /** Digests of the stored markets of updated dates; null when one of them is of a running session. */
    digests(dates: Iterable<string>): Record<string, string> | null {
      const names: Record<string, string> = {};
      for (const date of dates) {
        const digest = digests.get(date);
        if (digest === null) return null;
        if (digest !== undefined) names[date] = digest;
      }
      return names;
    },
    derived: (): MarketDayName[] =>
      Array.from(digests, ([tradeDate, digest]) => ({ tradeDate, digest })).filter(
        (day): day is MarketDayName => day.digest !== null,
      ),
  };
}

/** Markets by trade date: those that are known, and the others as they are stored. */
async function readThrough(
  read: (dates: readonly string[]) => Promise<MarketDay[]>,
  dates: Iterable<string>,
  knownOn: (date: string) => MarketView | undefined,
  take: (stored: MarketDay) => MarketView,
): Promise<Record<string, MarketView>> {
  const markets: Record<string, MarketView> = {};
  const missing: string[] = [];
  for (const date of dates) {
    const view = knownOn(date);
    if (view === undefined) missing.push(date);
    else markets[date] = view;
  }
  const stored = missing.length === 0 ? [] : await read(missing);
  for (const day of stored) markets[day.tradeDate] = take(day);
  return markets;
}

/** Reads stored markets for a process that another one plans for: by date and digest, each once. */
export function readMarkets(
  database: Database,
): (simulated: boolean, digests: Readonly<Record<string, string>>) => Promise<Record<string, MarketView>> {
  const cached = new LRUCache<string, MarketView>({ max: CACHED_MARKETS_MAX });
  return (simulated, digests) =>
    readThrough(
      (missing) => readMarketDays(database, simulated, missing),
      Object.keys(digests),
      (date) => cached.get(`${date} ${digests[date]}`),
      ({ tradeDate, digest, text }) => {
        const view = JSON.parse(text) as MarketView;
        cached.set(`${tradeDate} ${digest}`, view);
        return view;
      },
    );
}
