import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bring, freshApp } from '../../support/app.ts';
import { FULL, inFull, SEED } from '../../support/depth.ts';
import { rowsBetween } from '../../support/market.ts';
import { PEER_SYMBOLS, peerMarket } from '../../support/peer-market.ts';
import { realDataDirectory } from '../../support/real-data.ts';

/**
 * Whoever asks second about a past minute gets what the first got: before its peers are measured and after, by a request
 * or by a pass, and before later data has come and after.
 */

type Bars = Extract<Delivery, { kind: 'bars' }>;

const calendar = newYorkCalendar();

/** Stock detail and peers of the evenings of dates, and some of chat, history and graph. */
function questionsOf(symbols: readonly string[], dates: readonly string[]): string[] {
  const [symbol, date] = [symbols[0]!, dates.at(-1)!];
  return [
    ...dates.flatMap((day) =>
      symbols.flatMap((own) =>
        [`stocks/${own}?`, `stocks/${own}/peers?`].map((path) => `${path}as_of=${day}T22:00:00Z`),
      ),
    ),
    ...symbols
      .slice(1, 5)
      .map((own) => `stocks/${own}?date=${dates[1]}&fields=last_price,peer_divergence_v1`),
    ...dates
      .slice(2, 5)
      .map((day) => `chat/context?page_type=stock_detail&symbol=${symbol}&as_of=${day}T22:00:00Z`),
    `stocks/${symbol}/history?fields=peer_divergence_v1.composite&from=${dates[0]}&to=${date}&derive=true`,
    `graph/${symbol}/neighborhood?types=PEER_OF&depth=2&as_of=${calendar.nextSession(date)}T12:00:00Z`,
  ];
}

/** Asks without anything in memory: each answer is made from what is stored and on the tape. */
async function readAll(app: App, questions: readonly string[]): Promise<Map<string, string>> {
  const server = await app.server();
  const answers = new Map<string, string>();
  for (const question of questions) {
    app.context.answers.forget(null);
    app.context.markets.clear();
    const { statusCode, headers, body } = await server.inject({ url: `/api/graph/v1/${question}` });
    expect([200, 404], `${question}: ${body}`).toContain(statusCode);
    if (statusCode === 200) expect(headers.etag, question).toBeDefined();
    // A history says beside each value whether it was stored.
    answers.set(question, body.replace(/"request_id":"[^"]*"|"states":\[[^\]]*\]/, ''));
  }
  await server.close();
  return answers;
}

/** Where answers differ, a few letters of either. */
function differences(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): string[] {
  return [...first].flatMap(([question, body]) => {
    const other = second.get(question)!;
    if (other === body) return [];
    let at = 0;
    while (body[at] === other[at]) at++;
    const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
    return [`${question}: ${around(body)} | ${around(other)}`];
  });
}

const forgetPeers = (app: App) =>
  app.context.database.query('delete from peer_session; delete from peer_day; delete from peer_topology');

/** Asks before any peers are measured, then with later data on the tape, then after passes over both. */
async function expectSameAnswers(
  app: App,
  questions: readonly string[],
  { until, later }: { readonly until: string; readonly later: readonly Delivery[] },
): Promise<Map<string, string>> {
  await forgetPeers(app);
  const first = await readAll(app, questions);
  await bring(app, later);
  expect(differences(first, await readAll(app, questions))).toEqual([]);
  await forgetPeers(app);
  await syncGraph(app.context, { kind: 'touched' });
  await syncGraph(app.context, { kind: 'range', from: until, to: until });
  await app.idle();
  expect(differences(first, await readAll(app, questions))).toEqual([]);
  return first;
}

const withPeers = (answers: ReadonlyMap<string, string>): number =>
  [...answers.values()].filter((body) => /"composite":-?\d/.test(body)).length;

describe('the second reader', () => {
  it('gets what the first got of a made-up market', async () => {
    const [from, until] = ['2023-01-03', '2024-03-13'];
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-04-03T12:00:00Z' });
    const market = peerMarket(from, '2024-04-02');
    const end = midnightUtc(until) + 1;
    // B5 does not trade for some sessions: with later bars the tape's manifest covers them too.
    const rest = midnightUtc('2024-03-08');
    const early = market.map((bars): Bars => rowsBetween(bars, 0, bars.symbol === 'B5' ? rest : end));
    await bring(app, early);
    await syncGraph(app.context, { kind: 'touched' });
    const dates = calendar.sessionsBetween('2024-02-28', until).slice(inFull(-8, -5));
    const questions = questionsOf(PEER_SYMBOLS, dates);
    expect(questions.length).toBeGreaterThan(inFull(200, 120));
    const later: Delivery[] = [
      ...market.map((bars) => rowsBetween(bars, end, Number.POSITIVE_INFINITY)),
      ...['A0', 'B1'].map((symbol): Delivery => {
        const split = { kind: 'split', exDate: midnightUtc('2024-03-15'), value: 2 } as const;
        return { kind: 'actions', symbol, actions: [split] };
      }),
    ];
    const answers = await expectSameAnswers(app, questions, { until: dates[1]!, later });
    expect(withPeers(answers)).toBeGreaterThan(inFull(180, 100));
  });

  it.skipIf(realDataDirectory === null)(
    'gets what the first got of a recorded market',
    async () => {
      const until = '2026-06-12';
      const { app } = await freshApp({ TIGRAPH_NOW: '2026-08-22T12:00:00Z' });
      const paths = [`${realDataDirectory}/daily/recent_daily_2024_2026.csv.gz`];
      const feed = csvFeed({ paths, calendar, interval: '1d', symbolFrom: 'column' });
      const all: Bars[] = [];
      for (const unit of await feed.units()) {
        for await (const delivery of unit.read()) if (delivery.kind === 'bars') all.push(delivery);
      }
      // In the sample a quarter of the market.
      const whole = all.filter(({ symbol }, at) => FULL || symbol === 'AAPL' || at % 4 === SEED % 4);
      const end = midnightUtc(until) + 1;
      await bring(
        app,
        whole.map((bars) => rowsBetween(bars, 0, end)),
      );
      await syncGraph(app.context, { kind: 'range', from: until, to: until, symbols: ['AAPL'] });
      const traded = [...new Set(whole.map(({ symbol }) => symbol))];
      const symbols = ['AAPL', ...traded.filter((_, at) => at % inFull(20, 45) === 1)];
      const dates = calendar.sessionsBetween('2026-05-20', until).slice(inFull(-8, -5));
      const questions = questionsOf(symbols, dates);
      expect(questions.length).toBeGreaterThan(inFull(200, 35));
      const later = whole.map((bars) => rowsBetween(bars, end, Number.POSITIVE_INFINITY));
      const answers = await expectSameAnswers(app, questions, { until: dates[1]!, later });
      expect(withPeers(answers)).toBeGreaterThan(inFull(180, 25));
    },
    300_000,
  );
});
