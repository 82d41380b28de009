import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { marketInstant } from '../../../src/base/as-of.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import { Kept } from '../../../src/blocks/kept.ts';
import { deriveStock } from '../../../src/derive/compose.ts';
import { projectStock, screenOf } from '../../../src/derive/projection.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import type { MarketView } from '../../../src/market/market-view.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { KeptParts } from '../../../src/tape/kept-parts.ts';
import { packText, unpackFacts } from '../../../src/tape/symbol-tape.ts';
import { fileShelf } from '../../../src/workers/shelf.ts';
import { freshApp } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { realDataDirectory, recordedDailies, recordedMinutes } from '../../support/real-data.ts';

const calendar = newYorkCalendar();

/** Derives stock-days in a row, as a thread does. */
class Thread {
  readonly #reader: SegmentReader;
  readonly #kept: Kept | null;
  readonly #facts = new KeptParts();

  constructor(app: App, kept: Kept | null) {
    this.#reader = new SegmentReader(app.context.tape.location);
    this.#kept = kept;
  }

  /** The text of the whole answer and of its row; null without a bar. */
  derive(tape: Parameters<typeof packText>[0], market: MarketView, tradeDate: string, asOf: number) {
    const own = unpackFacts(packText(tape, JSON.stringify(tape.facts)), this.#facts);
    const view = readStockView(this.#reader, own, calendar, tradeDate, asOf);
    if (view === null) return null;
    const { values, ...texts } = deriveStock(view, market, this.#kept);
    const { digest } = screenOf(view, market, this.#kept);
    expect(projectStock(values).digest).toBe(digest);
    return { ...texts, digest };
  }

  close(): void {
    this.#reader.close();
  }
}

/** Derives instants of stocks with everything kept, and each as after a restart and with nothing kept; counts the answers. */
async function compare(
  app: App,
  symbols: readonly string[],
  instants: readonly (readonly [string, number])[],
) {
  const { tape, deriver } = app.context;
  const shelf = fileShelf(join(app.config.dataDirectory, 'own-shelf'), 1, 'thread');
  const keeping = new Thread(app, new Kept(shelf));
  let answers = 0;
  // The dates outermost, as in life: what one date kept is there when the next one comes.
  for (const [tradeDate, asOf] of instants) {
    const { marketTapes } = tape.ofMarket(await tape.marketOf(symbols));
    const day = { tradeDate, asOf: marketInstant(calendar.session(tradeDate)!, asOf) };
    const [snapshot] = await deriver.market({ tapes: await marketTapes([day]), days: [day] });
    // Of several dates nothing is kept.
    const before = calendar.session(calendar.previousSession(tradeDate)!)!;
    const days = [{ tradeDate: before.tradeDate, asOf: before.close }, day];
    expect((await deriver.market({ tapes: await marketTapes(days), days }))[1]).toEqual(snapshot);
    const bare = await tape.symbolTapes(symbols);
    for (const own of await tape.withFacts(bare.map((each) => ({ tape: each, from: asOf, to: asOf })))) {
      const fresh = new Thread(app, null);
      const market = (): MarketView => JSON.parse(snapshot!.text);
      const unkept = fresh.derive(own, market(), tradeDate, asOf);
      expect(keeping.derive(own, market(), tradeDate, asOf), `${own.symbol} at ${asOf}`).toEqual(unkept);
      fresh.close();
      const restarted = new Thread(app, new Kept(shelf));
      expect(restarted.derive(own, market(), tradeDate, asOf)).toEqual(unkept);
      restarted.close();
      if (unkept !== null) answers++;
    }
  }
  keeping.close();
  return answers;
}

/** Minutes of a session in steps: before it, through it, and after its close. */
const minutesOf = (tradeDate: string, step: number): [string, number][] => {
  const { open, close, end } = calendar.session(tradeDate)!;
  const through = Array.from(
    { length: Math.ceil((close - open) / MINUTE_MS / step) },
    (_, at) => open + (1 + at * step) * MINUTE_MS,
  );
  return [open - 5 * MINUTE_MS, ...through, close, close + MINUTE_MS, end].map((at) => [tradeDate, at]);
};

describe('an answer is the same with everything kept, with what was kept a month ago, and with nothing', {
  timeout: inFull(900_000, 60_000),
}, () => {
  it('in the simulated market, with prints, a chain, news and results', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
    const market = {
      symbols: inFull(4, 3),
      days: inFull(300, 120),
      seed: 3,
      minuteSessions: 22,
      tickSessions: 1,
      quoteSessions: 1,
    };
    await importFeed(app.context, simulatedFeed({ ...market, end: '2024-03-05', calendar }));
    const step = inFull(1, 130);
    const instants = ['2024-02-05', '2024-03-04', '2024-03-05', '2024-02-05'].flatMap((date) =>
      minutesOf(date, date === '2024-03-05' ? step : 4 * step),
    );
    const answers = await compare(app, await app.context.tape.symbols(), instants);
    expect(answers).toBeGreaterThan(inFull(1_000, 60));
  });

  it.skipIf(realDataDirectory === null)('of NVDA as recorded, with a chain and facts', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2026-08-20T12:00:00Z' });
    const file = (name: string): string[] => [`${realDataDirectory}/${name}`];
    const feeds = [
      csvFeed({ paths: [await recordedDailies(new Set(['NVDA']))], calendar, interval: '1d' }),
      csvFeed({
        paths: [await recordedMinutes('NVDA', '2026-01-20', '2026-02-28')],
        calendar,
        interval: '1m',
      }),
      chainsFeed({ paths: file('options/chains_json/2026-08-19_close/NVDA.json.gz'), calendar }),
      factsFeed({ paths: file('facts/earnings_report.jsonl.gz'), calendar }),
    ];
    for (const feed of feeds) await importFeed(app.context, feed);
    const step = inFull(2, 195);
    const instants = ['2026-01-27', '2026-02-27', '2026-08-19', '2026-01-27'].flatMap((date) =>
      minutesOf(date, step),
    );
    expect(await compare(app, ['NVDA'], instants)).toBeGreaterThan(inFull(300, 10));
  });
});
