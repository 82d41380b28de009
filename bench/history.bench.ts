/**
 * Promises, without HTTP. Once the background has stored a year of the values of 100 stocks, which it does for as many
 * stock-days a second as derive 125,000 in four minutes, five scores of them take under 5 s, and as one panel in Arrow under
 * 200 ms. The yardstick is the same bytes from a bare server.
 */
import { getHistory } from '../src/api/history/get-history.ts';
import { openPanel } from '../src/api/panel/get-panel.ts';
import { bringHistoriesUpToDate } from '../src/pipeline/history-pass.ts';
import { startBare } from './program.ts';
import { type BenchLine, median, ms, processors, timedEach, timeOf } from './report.ts';
import {
  copyOfUniverse,
  FIVE_HUNDRED,
  LAST_DATE,
  openBenchApp,
  removeFolder,
  symbolsOf,
} from './universe.ts';

const REALTIME = { source: 'realtime_sip', delayMs: 0 } as const;
const SCORES =
  'bullish_confluence,confluence_v5.net,pulse_v5.net,conviction_v5.current,momentum_health_v5.score';
const PROMISED_STORED = {
  stockDaysPerSecond: 125_000 / 240,
  scoresMs: 5_000,
  panelMs: 200,
  stocks: 100,
  sessions: 252,
};

export async function run(): Promise<BenchLine[]> {
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
