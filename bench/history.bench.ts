/**
 * Promises, without HTTP. Five fields of a stock over ten years of stored dates take under 100 ms for half of the callers
 * when nobody has asked for them before; the rows are written as a pass writes them, among those of other stocks. On a
 * market of which only the newest session is stored, five technical fields of 260 dates of a stock take under 300 ms, of
 * 250 dates of 500 stocks under 30 s, and every field of 260 dates of a stock under 3 s for a caller who waits. The
 * yardstick is the derivation of the same stock-days, from which the technical fields used to come.
 *
 * Once the background has stored a year of the values of 100 stocks, which it does for as many stock-days a second as
 * derive 125,000 in four minutes, five scores of them take under 5 s, and as one panel in Arrow under 200 ms. The yardstick
 * is the same bytes from a bare server.
 */

import { getHistory } from '../src/api/history/get-history.ts';
import { openPanel } from '../src/api/panel/get-panel.ts';
import { chunks } from '../src/base/chunks.ts';
import { projectStock } from '../src/derive/projection.ts';
import { SCALAR_FIELDS } from '../src/derive/scalar-fields.ts';
import type { StockDay } from '../src/derive/stock-day.ts';
import { screenRowStatements } from '../src/graph/screen-rows.ts';
import { asBars, columnsOf } from '../src/market/series.ts';
import { bringHistoriesUpToDate } from '../src/pipeline/history-pass.ts';
import { importFeed } from '../src/tape/ingest.ts';
import { startBare } from './program.ts';
import { type BenchLine, median, ms, processors, timedEach, timeOf } from './report.ts';
import {
  copyOfUniverse,
  FIVE_HUNDRED,
  LAST_DATE,
  openBenchApp,
  removeFolder,
  symbolsOf,
  temporaryFolder,
} from './universe.ts';

const STOCKS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
const WARM_UP = 3;
const PROMISED_MS = 100;
const [FROM, TO] = ['2014-07-01', '2024-06-28'];
const FIELDS = 'last_price,technical.rsi_14,bullish_confluence,bearish_confluence,rel_volume';
const REALTIME = { source: 'realtime_sip', delayMs: 0 } as const;
const DATES_AT_ONCE = 100;

const TECHNICAL = 'last_price,volume,technical.rsi_14,technical.atr_14,momentum_slope_60d';
const YEAR = { dates: 250, from: '2023-06-30' };
const PROMISED_FRESH = { stockMs: 300, marketMs: 30_000, awaitedMs: 3_000 };
const SCORES =
  'bullish_confluence,confluence_v5.net,pulse_v5.net,conviction_v5.current,momentum_health_v5.score';
const PROMISED_STORED = {
  stockDaysPerSecond: 125_000 / 240,
  scoresMs: 5_000,
  panelMs: 200,
  stocks: 100,
  sessions: 252,
};
const ASKED_AT_ONCE = 4;
const FIELDS_AT_ONCE = 50;

export const run = async (): Promise<BenchLine[]> => [
  ...(await storedLines()),
  ...(await freshLines()),
  ...(await backgroundLines()),
];

async function freshLines(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const { context, close } = await openBenchApp(folder);
  try {
    const symbols = symbolsOf(folder);
    const ask = async (symbol: string, fields: string, derive: 'wait' | 'no', from?: string) => {
      const { body } = await getHistory(context, { symbol, fields, derive, from, to: LAST_DATE }, REALTIME);
      return JSON.parse(String(body)) as { dates: string[]; states: string[] };
    };
    // The first answers compile the code.
    for (const symbol of symbols.slice(0, WARM_UP)) await ask(symbol, TECHNICAL, 'no');
    const one = await timedEach((at) => ask(symbols[20 + at]!, TECHNICAL, 'no'), 0, 20);
    const waiting = [...symbols];
    let answered = 0;
    const all = await timeOf(() =>
      Promise.all(
        Array.from({ length: ASKED_AT_ONCE }, async () => {
          for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
            const { dates, states } = await ask(symbol, TECHNICAL, 'no', YEAR.from);
            if (!states.some((state) => state === 'derivable')) answered += dates.length;
          }
        }),
      ),
    );
    const paths = SCALAR_FIELDS.map(({ path }) => path);
    const awaited: number[] = [];
    for (const symbol of symbols.slice(60, 65)) {
      const took = await timeOf(async () => {
        for (const part of chunks(paths, FIELDS_AT_ONCE)) {
          const { states } = await ask(symbol, part.join(), 'wait');
          if (states.includes('derivable')) throw new Error('A date that was waited for is not derived');
        }
      });
      awaited.push(took);
    }
    const [tape] = await context.tape.symbolTapes([symbols[70]!]);
    const days = context.calendar
      .sessionsBetween(YEAR.from, LAST_DATE)
      .map((tradeDate) => ({ tradeDate, asOf: context.calendar.session(tradeDate)!.end }));
    const derived = await timedEach(() => context.deriver.deriveScreens([{ tape: tape!, days }]), 1, 3);
    const { stockMs, marketMs, awaitedMs } = PROMISED_FRESH;
    const [stock, wait] = [median(one), median(awaited)];
    return [
      {
        promise: 'history: five technical fields, 260 dates of a stock, none stored',
        figure: `median ${ms(stock)}`,
        ratio: stock / median(derived),
        target: `under ${stockMs} ms`,
        met: stock < stockMs,
        note: `most ${ms(Math.max(...one))}; ${days.length} stock-days derived: ${ms(median(derived))}`,
      },
      {
        promise: `history: five technical fields of ${symbols.length} stocks`,
        figure: ms(all),
        ratio: all / (median(derived) * symbols.length),
        target: `under ${marketMs / 1_000} s`,
        met: all < marketMs && answered > 0.9 * symbols.length * YEAR.dates,
        note: `${answered} stock-days; ${processors()}`,
      },
      {
        promise: `history: all ${paths.length} fields of 260 dates, awaited`,
        figure: `median ${ms(wait)}`,
        ratio: wait / median(derived),
        target: `under ${awaitedMs / 1_000} s`,
        met: wait < awaitedMs,
        note: `most ${ms(Math.max(...awaited))}; figures of peers follow when their sessions are measured, in the background`,
      },
    ];
  } finally {
    await close();
    removeFolder(folder);
  }
}

async function storedLines(): Promise<BenchLine[]> {
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

async function backgroundLines(): Promise<BenchLine[]> {
  const { stockDaysPerSecond, scoresMs, panelMs, stocks, sessions } = PROMISED_STORED;
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const { context, close } = await openBenchApp(folder);
  try {
    const names = symbolsOf(folder).slice(0, stocks);
    const tape: typeof context.tape = {
      ...context.tape,
      ofMarket: (simulated) => ({
        ...context.tape.ofMarket(simulated),
        symbols: async () => (simulated ? names : []),
      }),
    };
    let derived = 0;
    const tookMs = await timeOf(async () => {
      ({ derived } = await bringHistoriesUpToDate({ ...context, tape, historySessions: sessions }));
    });
    const texts: string[] = [];
    const ask = async (symbol: string): Promise<void> => {
      const request = { symbol, fields: SCORES, derive: 'no', limit: sessions } as const;
      const { body } = await getHistory(context, request, REALTIME);
      texts.push(String(body));
    };
    await ask(names[0]!);
    texts.length = 0;
    context.answers.forget(null);
    const scores = await timeOf(async () => {
      for (const symbol of names) await ask(symbol);
    });
    const unknown = texts.filter((text) => /"deriv(?:able|ing)"/.test(text)).length;
    const bare = await bareTimeOf(texts);
    const dates = context.calendar.sessionsBetween('2023-01-03', LAST_DATE).slice(-sessions);
    const question = {
      fields: SCORES.split(','),
      symbols: names,
      from: dates[0],
      to: dates.at(-2),
      derive: 'no',
    } as const;
    const panelBytes: Uint8Array[] = [];
    const panel = await timedEach(
      async () => {
        panelBytes.length = 0;
        const caller = { ...REALTIME, symbols: null, holder: null, scopes: new Set<never>() };
        for await (const part of await openPanel(context, question, 'arrow', caller))
          panelBytes.push(part as Uint8Array);
      },
      1,
      3,
    );
    const barePanel = await bareTimeOf([Buffer.concat(panelBytes).toString('latin1')]);
    const [size] = await context.database.query<{ bytes: number; days: number }>(
      `select sum(length(packed))::float8 as bytes,
         (select sum(cardinality(days))::float8 from scalar_history) as days from scalar_history_part`,
    );
    const rate = derived / (tookMs / 1_000);
    return [
      {
        promise: 'history: stock-days of all values stored in the background',
        figure: `${Math.round(rate)}/s`,
        target: `at least ${Math.round(stockDaysPerSecond)}/s`,
        met: rate >= stockDaysPerSecond,
        note: `${derived} in ${ms(tookMs)}, ${Math.round(size!.bytes / size!.days)} bytes each; ${processors()}`,
      },
      {
        promise: `history: five scores of ${names.length} stocks over a year, stored in the background`,
        figure: ms(scores),
        ratio: scores / bare,
        target: `under ${scoresMs / 1_000} s`,
        met: scores < scoresMs && unknown === 0,
        note: `bare server ${ms(bare)}; ${unknown} with dates that are not stored; ${processors()}`,
      },
      {
        promise: `panel: the same as Arrow`,
        figure: ms(median(panel)),
        ratio: median(panel) / barePanel,
        target: `under ${panelMs} ms`,
        met: median(panel) < panelMs,
        note: `most ${ms(Math.max(...panel))}; bare server ${ms(barePanel)}; ${processors()}`,
      },
    ];
  } finally {
    await close();
    removeFolder(folder);
  }
}

/** Milliseconds in which a bare server sends some texts, one after the other. */
async function bareTimeOf(texts: readonly string[]): Promise<number> {
  const bare = await startBare(texts);
  try {
    return await timeOf(async () => {
      for (const at of texts.keys()) await (await fetch(`http://127.0.0.1:${bare.port}/${at}`)).text();
    });
  } finally {
    await bare.stop();
  }
}
