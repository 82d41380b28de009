/**
 * Promises: 10,000 rules on 1,000 stocks, of all kinds, are judged in a live minute in under 500 ms, from its stored rows to
 * what is stored of them; beside it what the rows of those stocks alone take to be read. And an alert has arrived at a webhook
 * within 2 s of its stored row, at p99, whatever else the minute fires.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AlertDelivery } from '../src/alerts/delivery.ts';
import { AlertJudge } from '../src/alerts/live.ts';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { projectStock } from '../src/derive/projection.ts';
import { readScreenRowsOf, screenRowStatements } from '../src/graph/screen-rows.ts';
import { barColumns } from '../src/market/observations.ts';
import { type BenchLine, median, ms, percentile } from './report.ts';
import { openBenchApp, removeFolder, temporaryFolder } from './universe.ts';

const STOCKS = 1_000;
const DATE = '2024-06-28';
const PROMISED_MS = 500;
const ARRIVES_MS = 2_000;
const OWNERS = 20;
const MINUTES = 12;
const WARM_UP = 3;
const FIRST = 120;
const MINUTE_MS = 60_000;

const KINDS: readonly (readonly [kind: string, parameters: object])[] = [
  ['crosses', { field: 'last_price', direction: 'either', other: 'levels.vwap' }],
  ['crosses', { field: 'last_price', direction: 'above', value: 101 }],
  ['crosses', { field: 'technical.rsi_14', direction: 'below', value: 30 }],
  ['level', { became: 'broken', level: 'levels.pdh' }],
  ['level', { became: 'held', price: 99 }],
  ['enters', { field: 'bullish_tier', how: 'enters', words: ['EXCELLENT', 'GOOD'] }],
  ['enters', { field: 'price.change_pct', how: 'enters', low: 2 }],
  ['gap', { direction: 'either', percent: 2 }],
  ['silent', { minutes: 5 }],
  [
    'screen',
    {
      filter: {
        all: [
          { field: 'last_price', op: '>', other: 'levels.vwap' },
          { field: 'technical.rsi_14', op: '>', value: 60 },
        ],
      },
    },
  ],
];

const symbols = Array.from({ length: STOCKS }, (_, at) => `S${at}`);
const session = newYorkCalendar().session(DATE)!;
const priceAt = (stock: number, minute: number): number => 100 + 3 * Math.sin(minute / 9 + stock);

/** Minutes of a stock from the open on. */
function barsOf(stock: number, minutes: number) {
  return barColumns((name) =>
    Float64Array.from({ length: minutes }, (_, minute) => {
      const [open, close] = [priceAt(stock, minute), priceAt(stock, minute + 1)];
      return {
        time: session.open + minute * MINUTE_MS,
        open,
        high: Math.max(open, close) + 0.1,
        low: Math.min(open, close) - 0.1,
        close,
        volume: 1_000,
      }[name];
    }),
  );
}

function dayAt(stock: number, minutes: number) {
  const price = priceAt(stock, minutes);
  const answer = {
    symbol: symbols[stock],
    last_price: price,
    bullish_tier: price > 101 ? 'GOOD' : 'POOR',
    levels: { vwap: 100.2, pdh: 102.5 },
    technical: { rsi_14: 50 + 15 * (price - 100), daily_atr: { 14: 3 } },
    price: { change_pct: price - 100, gap_pct: 1 },
  };
  const asOf = session.open + minutes * MINUTE_MS;
  const screen = projectStock(answer);
  return { symbol: symbols[stock]!, tradeDate: DATE, asOf, digest: screen.digest, screen };
}

export async function run(): Promise<BenchLine[]> {
  const folder = temporaryFolder();
  const app = await openBenchApp(folder);
  const { database, deriver, calendar } = app.context;
  try {
    await database.write(
      'insert into symbol_market (symbol, simulated) select symbol, false from unnest($1::text[]) as own (symbol)',
      [symbols],
    );
    for (const [kind, parameters] of KINDS) {
      await database.write(
        `insert into alert_rule (id, owner, kind, parameters, symbols, simulated, hours, repeat, delay_ms, since, created_at)
         select id, 'o' || row % ${OWNERS}, $1, $2::json, array[symbol], false, 'regular', 'daily', 0, 'epoch', 'epoch'
         from unnest($3::uuid[], $4::text[]) with ordinality as own (id, symbol, row)`,
        [kind, JSON.stringify(parameters), symbols.map(() => randomUUID()), symbols],
      );
    }
    // As after a minute that all rules have seen.
    const before = new Date(session.open + FIRST * MINUTE_MS);
    await database.write(
      `insert into alert_state (rule, symbol, at, trade_date, state, today, ever)
       select id, symbols[1], $1::timestamptz, $2::date, 'null', 0, 0 from alert_rule`,
      [before, DATE],
    );
    const arrivals = await deliverTo(app);
    let minutes = FIRST;
    let bars = new Map<string, ReturnType<typeof barsOf>>();
    const judge = new AlertJudge(
      { database, deriver, calendar },
      {
        session,
        simulated: false,
        bars: (symbol) => bars.get(symbol)!,
        tapes: async () => [],
        market: async () => null,
      },
    );
    const judged: number[] = [];
    const read: number[] = [];
    const arrived: number[] = [];
    for (let at = 0; at < WARM_UP + MINUTES; at++) {
      minutes++;
      bars = new Map(symbols.map((symbol, stock) => [symbol, barsOf(stock, minutes)]));
      const rows = symbols.map((_, stock) => dayAt(stock, minutes));
      await database.atomically(screenRowStatements(rows));
      arrivals.length = 0;
      const began = performance.now();
      await judge.judge(session.open + minutes * MINUTE_MS, symbols);
      const done = performance.now();
      await app.idle();
      const idle = performance.now();
      await readScreenRowsOf(database, false, DATE, symbols);
      if (at < WARM_UP) continue;
      judged.push(done - began);
      read.push(performance.now() - idle);
      arrived.push(...arrivals.map((instant) => instant - began));
    }
    const [fired] = await database.query<{ count: number }>(
      'select count(*)::integer as count from alert_firing',
    );
    const [own, floor] = [median(judged), median(read)];
    return [
      {
        promise: `${STOCKS * KINDS.length} rules are judged in a live minute`,
        figure: ms(own),
        ratio: own / floor,
        target: `under ${PROMISED_MS} ms`,
        met: own < PROMISED_MS,
        note: `slowest ${ms(Math.max(...judged))}; their rows alone are read in ${ms(floor)}; ${fired!.count} fired in ${WARM_UP + MINUTES} minutes`,
      },
      {
        promise: 'an alert is at its webhook, from its stored row',
        figure: `p99 ${ms(percentile(arrived, 0.99))}`,
        target: `under ${ARRIVES_MS} ms`,
        met: arrived.length > 0 && percentile(arrived, 0.99) < ARRIVES_MS,
        note: `${arrived.length} alerts in ${MINUTES} minutes to ${OWNERS} owners; median ${ms(median(arrived))}, slowest ${ms(Math.max(...arrived))}`,
      },
    ];
  } finally {
    await app.close();
    removeFolder(folder);
  }
}

/** Delivers to a webhook of each owner, and notes when each alert arrived. */
async function deliverTo({ context }: Awaited<ReturnType<typeof openBenchApp>>): Promise<number[]> {
  const arrivals: number[] = [];
  const receiver = createServer((request, response) => {
    arrivals.push(performance.now());
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiver.unref();
  const { port } = receiver.address() as AddressInfo;
  const target = JSON.stringify({
    address: `http://127.0.0.1:${port}/`,
    secret: 'whsec_c2VjcmV0IG9mIGEgdGVzdA==',
  });
  await context.database.write(
    `insert into alert_receiver (id, owner, channel, target, per_day, created_at)
     select gen_random_uuid(), 'o' || n, 'webhook', $1::json, 1000000, 'epoch' from generate_series(0, ${OWNERS - 1}) n`,
    [target],
  );
  const notifying = { ...context.notifying, allowsPrivate: true };
  const scope = context.scope.child('delivering');
  await new AlertDelivery(scope, { ...context, notifying }, (error) => console.error(error)).begin();
  return arrivals;
}
