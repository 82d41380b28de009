/**
 * Promise: five fields of a stock over ten years of stored dates take under 100 ms for half of the callers when nobody
 * has asked for them before; without HTTP. The rows are written as a pass writes them, among those of other stocks.
 */
import { getHistory } from '../src/api/history/get-history.ts';
import { projectStock } from '../src/derive/projection.ts';
import type { StockDay } from '../src/derive/stock-day.ts';
import { screenRowStatements } from '../src/graph/screen-rows.ts';
import { asBars, columnsOf } from '../src/market/tape/series.ts';
import { importFeed } from '../src/pipeline/ingest.ts';
import { type BenchLine, median, ms, timedEach } from './report.ts';
import { openBenchApp, removeFolder, temporaryFolder } from './universe.ts';

const STOCKS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
const WARM_UP = 3;
const PROMISED_MS = 100;
const [FROM, TO] = ['2014-07-01', '2024-06-28'];
const FIELDS = 'last_price,technical.rsi_14,bullish_confluence,bearish_confluence,rel_volume';
const REALTIME = { source: 'realtime_sip', delayMs: 0 } as const;
const DATES_AT_ONCE = 100;

export async function run(): Promise<BenchLine[]> {
  const folder = temporaryFolder();
  const { context, close } = await openBenchApp(folder);
  try {
    const dates = context.calendar.sessionsBetween(FROM, TO);
    const time = Float64Array.from(dates, (date) => Date.parse(date));
    const columns = asBars(columnsOf('bars-1d', (name) => (name === 'time' ? time : time.map(() => 10))));
    const bars = STOCKS.map((symbol) => ({ kind: 'bars', symbol, interval: '1d', columns }) as const);
    const unit = {
      key: 'all',
      weight: 1,
      fingerprint: async () => '1',
      async *read() {
        yield* bars;
      },
    };
    await importFeed(context, { name: 'made', simulated: false, units: async () => [unit] });
    await context.tape.clearDirtyRanges(await context.tape.touched());
    for (let at = 0; at < dates.length; at += DATES_AT_ONCE) {
      const days = dates.slice(at, at + DATES_AT_ONCE).flatMap((tradeDate, place) =>
        STOCKS.map((symbol): StockDay => {
          const answer = {
            symbol,
            last_price: at + place,
            technical: { rsi_14: place / 3 },
            rel_volume: 1.25,
          };
          const asOf = context.calendar.session(tradeDate)!.end;
          return {
            symbol,
            tradeDate,
            asOf,
            digest: '',
            facts: {},
            relations: [],
            screen: projectStock(answer),
          };
        }),
      );
      await context.database.atomically(screenRowStatements(days));
    }
    let bytes = 0;
    const ask = async (at: number): Promise<void> => {
      const request = { symbol: STOCKS[at]!, fields: FIELDS, from: FROM, to: TO, derive: 'no' } as const;
      const { body } = await getHistory(context, request, REALTIME);
      bytes = body.length;
      if (String(body).includes('derivable')) throw new Error('A date is not read from its stored row');
    };
    const times = await timedEach(ask, WARM_UP, STOCKS.length - WARM_UP);
    const figure = median(times);
    return [
      {
        promise: 'history: five fields over ten years',
        figure: `median ${ms(figure)}`,
        target: `under ${PROMISED_MS} ms`,
        met: figure < PROMISED_MS,
        note: `most ${ms(Math.max(...times))}; ${dates.length} dates, ${Math.round(bytes / 1_000)} kB`,
      },
    ];
  } finally {
    await close();
    removeFolder(folder);
  }
}
