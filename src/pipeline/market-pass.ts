import { LRUCache } from 'lru-cache';
import { marketInstant } from '../base/as-of.ts';
import type { Calendar } from '../base/calendar.ts';
import type { Database } from '../database/database.ts';
import type { Deriver } from '../derive/deriver.ts';
import { type MarketDayName, readMarketDays, writeMarketDays } from '../graph/market-days.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketInstant, Tape } from '../market/tape/index.ts';

export interface MarketPassContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver;
}

/** The market as a whole on the dates of one pass. */
export interface MarketPass {
  /**
   * Derives the market of the given instants from the tape as it is now, of each date once a pass. Markets of completed
   * sessions are kept in the graph; one of a session that runs lives as long as the pass.
   */
  bringUpToDate(instants: readonly MarketInstant[]): Promise<void>;
  /** By trade date the markets of dates that were brought up to date. */
  of(dates: Iterable<string>): Promise<Record<string, MarketView>>;
  /** The kept markets that the pass has come to. */
  derived(): MarketDayName[];
}

/** Dates of one walk over the symbols: two years, and a few megabytes of text. */
const DATES_AT_ONCE = 520;
/** Parsed markets that are held; a pass over more dates reads them again as it comes to them. */
const MARKETS_HELD_MAX = 600;

export function openMarketPass(context: MarketPassContext): MarketPass {
  /** The digest of each date that was brought up to date; null while its session runs. */
  const digests = new Map<string, string | null>();
  const running = new Map<string, MarketView>();
  const held = new LRUCache<string, MarketView>({ max: MARKETS_HELD_MAX });

  async function derive(instants: readonly MarketInstant[]): Promise<void> {
    const tapes = await context.tape.marketTapes(instants);
    const snapshots = await context.deriver.market({ tapes, days: instants });
    const isKept = instants.map(({ tradeDate, asOf }) => asOf >= context.calendar.session(tradeDate)!.close);
    await writeMarketDays(
      context.database,
      snapshots.filter((_, at) => isKept[at]),
    );
    for (const [at, { tradeDate, digest, text }] of snapshots.entries()) {
      digests.set(tradeDate, isKept[at] ? digest : null);
      if (isKept[at]) hold(tradeDate, text);
      else running.set(tradeDate, JSON.parse(text));
    }
  }

  function hold(tradeDate: string, text: string): MarketView {
    const view: MarketView = JSON.parse(text);
    held.set(tradeDate, view);
    return view;
  }

  return {
    async bringUpToDate(instants) {
      const dates = new Map(instants.map((instant) => [instant.tradeDate, instant]));
      const wanted = [...dates.values()]
        .filter(({ tradeDate }) => !digests.has(tradeDate))
        .map(({ tradeDate, asOf }) => {
          return { tradeDate, asOf: marketInstant(context.calendar.session(tradeDate)!, asOf) };
        })
        .sort((a, b) => a.asOf - b.asOf);
      for (let at = 0; at < wanted.length; at += DATES_AT_ONCE) {
        await derive(wanted.slice(at, at + DATES_AT_ONCE));
      }
    },
    async of(dates) {
      const markets: Record<string, MarketView> = {};
      const away: string[] = [];
      for (const date of new Set(dates)) {
        const view = running.get(date) ?? held.get(date);
        if (view === undefined) away.push(date);
        else markets[date] = view;
      }
      const read = away.length === 0 ? [] : await readMarketDays(context.database, away);
      for (const { tradeDate, text } of read) markets[tradeDate] = hold(tradeDate, text);
      return markets;
    },
    derived: () =>
      Array.from(digests, ([tradeDate, digest]) => ({ tradeDate, digest })).filter(
        (day): day is MarketDayName => day.digest !== null,
      ),
  };
}
