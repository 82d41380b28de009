import { LRUCache } from 'lru-cache';
import { marketInstant } from '../base/as-of.ts';
import { chunks } from '../base/chunks.ts';
import { type MarketDayName, readMarketDays, writeMarketDays } from '../graph/market-days.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketInstant } from '../market/tape/index.ts';
import type { PassContext } from './detector.ts';

type MarketPassContext = Pick<PassContext, 'database' | 'tape' | 'calendar' | 'deriver'>;

/** The market on the dates of one pass. */
export interface MarketPass {
  /**
   * Derives the market at the given instants from the present tape, each date once a pass. Markets of completed
   * sessions are stored in the graph; that of a running session lives as long as the pass.
   */
  bringUpToDate(instants: readonly MarketInstant[]): Promise<void>;
  /** Markets of updated dates by trade date. */
  of(dates: Iterable<string>): Promise<Record<string, MarketView>>;
  /** The stored markets of this pass. */
  derived(): MarketDayName[];
}

/** Dates of one walk over the symbols: two years, a few megabytes of text. */
const DATES_AT_ONCE = 520;
/** Parsed markets in memory; a pass over more dates reads them again. */
const CACHED_MARKETS_MAX = 600;

export function openMarketPass(context: MarketPassContext): MarketPass {
  /** The digest of each updated date; null while its session runs. */
  const digests = new Map<string, string | null>();
  const running = new Map<string, MarketView>();
  const cached = new LRUCache<string, MarketView>({ max: CACHED_MARKETS_MAX });

  async function derive(instants: readonly MarketInstant[]): Promise<void> {
    const tapes = await context.tape.marketTapes(instants);
    const snapshots = await context.deriver.market({ tapes, days: instants });
    const isStored = instants.map(
      ({ tradeDate, asOf }) => asOf >= context.calendar.session(tradeDate)!.close,
    );
    await writeMarketDays(
      context.database,
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
    async bringUpToDate(instants) {
      const dates = new Map(instants.map((instant) => [instant.tradeDate, instant]));
      const due = [...dates.values()]
        .filter(({ tradeDate }) => !digests.has(tradeDate))
        .map(({ tradeDate, asOf }) => {
          return { tradeDate, asOf: marketInstant(context.calendar.session(tradeDate)!, asOf) };
        })
        .sort((a, b) => a.asOf - b.asOf);
      for (const part of chunks(due, DATES_AT_ONCE)) await derive(part);
    },
    async of(dates) {
      const markets: Record<string, MarketView> = {};
      const missing: string[] = [];
      for (const date of new Set(dates)) {
        const view = running.get(date) ?? cached.get(date);
        if (view === undefined) missing.push(date);
        else markets[date] = view;
      }
      const stored = missing.length === 0 ? [] : await readMarketDays(context.database, missing);
      for (const { tradeDate, text } of stored) markets[tradeDate] = parse(tradeDate, text);
      return markets;
    },
    derived: () =>
      Array.from(digests, ([tradeDate, digest]) => ({ tradeDate, digest })).filter(
        (day): day is MarketDayName => day.digest !== null,
      ),
  };
}
