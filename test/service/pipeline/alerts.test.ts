import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KIND_NAMES } from '../../../src/alerts/kinds/index.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { steppingClock } from '../../../src/base/clock.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import type { Delivery, LiveFeed, LiveMinute } from '../../../src/market/feed.ts';
import { runLiveSession } from '../../../src/pipeline/live-session.ts';
import { bearer, newCredentials, tokenFrom } from '../../support/access.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { wholeBetween } from '../../support/for-all.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';

const calendar = newYorkCalendar();
const DATES = ['2024-03-12', '2024-03-13'] as const;
const SYMBOLS = ['ACME', 'BETA'];
const SESSION_MINUTES = 75;

/** Minutes of a session as a feed brings them: some stocks miss some, and some minutes come together. */
function minutesOf(date: string): LiveMinute[] {
  const { open } = calendar.session(date)!;
  const bars = SYMBOLS.map((symbol) => minuteBars(symbol, date, date));
  const minutes: LiveMinute[] = [];
  let waiting: Delivery[] = [];
  let since = open - 3 * MINUTE_MS;
  for (let minute = -3; minute < SESSION_MINUTES; minute++) {
    const begin = open + minute * MINUTE_MS;
    for (const [at, delivery] of bars.entries()) {
      // One stock is silent for a while.
      if (at === 1 && minute > 20 && minute < 29) continue;
      waiting.push(rowsBetween(delivery, begin, begin + MINUTE_MS));
    }
    if (minute % 17 === 4) continue;
    minutes.push({ at: begin + MINUTE_MS, since, deliveries: waiting });
    waiting = [];
    since = begin + MINUTE_MS;
  }
  return minutes;
}

const feedOn = (tradeDate: string): LiveFeed => ({
  name: 'test',
  simulated: false,
  tradeDate,
  async *minutes(after) {
    for (const minute of minutesOf(tradeDate)) if (minute.at > (after ?? 0)) yield minute;
  },
});

const NUMBERS = ['last_price', 'levels.vwap', 'technical.rsi_14', 'price.change_pct', 'intraday_return_pct'];
const LEVELS = [
  'levels.pdh',
  'levels.pdl',
  'levels.pivot_pp',
  'levels.pivot_r1',
  'levels.orb_5m_high',
  'levels.ib_low',
];

/** Rules of all kinds that need no market: those are as of minutes that come alone. */
const rules = fc.record({
  of: fc.oneof(
    fc.record({
      kind: fc.constant('crosses'),
      parameters: fc.oneof(
        fc.record({
          field: fc.constantFrom(...NUMBERS),
          direction: fc.constantFrom('above', 'below', 'either'),
          other: fc.constantFrom('levels.vwap', 'levels.pdc', 'levels.developing_poc'),
        }),
        fc.record({ field: fc.constant('last_price'), value: wholeBetween(98, 124) }),
      ),
    }),
    fc.record({
      kind: fc.constant('enters'),
      parameters: fc.oneof(
        fc.record({
          field: fc.constantFrom('levels.orb_5m_status', 'levels.orb_15m_status'),
          how: fc.constantFrom('enters', 'leaves'),
          words: fc.constantFrom(['breakout_up'], ['breakout_down', 'failed_breakout_up'], ['inside']),
        }),
        fc.record({ field: fc.constant('price.change_pct'), low: wholeBetween(-3, 2) }),
      ),
    }),
    fc.record({
      kind: fc.constant('level'),
      parameters: fc.oneof(
        fc.record({
          became: fc.constantFrom('touched', 'held', 'broken'),
          level: fc.constantFrom(...LEVELS),
        }),
        fc.record({ became: fc.constantFrom('touched', 'held', 'broken'), price: wholeBetween(98, 124) }),
      ),
    }),
    fc.record({ kind: fc.constant('gap'), parameters: fc.record({ percent: fc.constantFrom(0.1, 0.5, 2) }) }),
    fc.record({ kind: fc.constant('silent'), parameters: fc.record({ minutes: wholeBetween(3, 9) }) }),
    fc.record({
      kind: fc.constant('screen'),
      parameters: fc.record({
        filter: fc.record({
          field: fc.constantFrom(...NUMBERS),
          op: fc.constant('>'),
          value: wholeBetween(-2, 120),
        }),
      }),
    }),
  ),
  symbols: fc.constantFrom(['ACME'], ['BETA'], SYMBOLS),
  hours: fc.constantFrom('regular', 'all'),
  repeat: fc.constantFrom('once', 'daily', 'each'),
});

/** Rules that need the market of their minute, which minutes that come together have once: they hold up no other. */
const OF_MARKET = (['regular', 'all'] as const).flatMap((hours) =>
  [
    { kind: 'enters', parameters: { field: 'directional_bias', words: ['bullish', 'neutral', 'bearish'] } },
    { kind: 'crosses', parameters: { field: 'net_confluence', value: 0 } },
  ].map((rule) => ({ ...rule, symbols: SYMBOLS, hours, repeat: 'each' })),
);

describe('alerts of live sessions', { timeout: 240_000 }, () => {
  it('fire what their preview of the same sessions says, over late minutes, silence and a restart', async () => {
    const first = calendar.session(DATES[0])!;
    const { app } = await freshApp({}, { clock: steppingClock(first.preOpen) });
    await bring(
      app,
      SYMBOLS.map((symbol) => dailyBars(symbol, '2023-09-01', '2024-03-11')),
    );
    const server = await serverOf(app);
    const token = await tokenFrom(server, await newCredentials(app.context.database), [
      'stock:read',
      'alerts:write',
      'market-data:realtime',
    ]);
    const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
      const url = `/api/graph/v1/alerts${path}`;
      const answer = await server.inject({
        method,
        url,
        headers: bearer(token),
        ...(payload && { payload }),
      });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json();
    };
    const drawn = fc.sample(rules, { numRuns: 60, seed: 5 }).map(({ of, ...rest }) => ({ ...of, ...rest }));
    const kept: { id: string; rule: object }[] = [];
    for (const rule of drawn) kept.push({ id: (await ask('POST', '', { ...rule, anyway: true })).id, rule });

    for (const rule of OF_MARKET) await ask('POST', '', { ...rule, anyway: true });
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));

    for (const date of DATES) {
      const half = new AbortController();
      let minutes = 0;
      await runLiveSession(app.context, feedOn(date), {
        signal: half.signal,
        onMinute: ({ failed }) => {
          expect(failed).toEqual([]);
          if (++minutes === 30) half.abort();
        },
      });
      await runLiveSession(app.context, feedOn(date));
    }
    await app.idle();

    expect(warnings).toEqual([]);
    for (const rule of OF_MARKET) expect(await ask('POST', '/preview', rule)).toMatchObject({ sessions: 2 });

    const fired: string[] = [];
    for (const { id, rule } of kept) {
      const preview = await ask('POST', '/preview', rule);
      const { firings } = await ask('GET', `/firings?alert=${id}&limit=500`);
      const seen = firings.map(
        ({ id: _, alert, sentence, deliveries, ...firing }: Record<string, unknown>) => firing,
      );
      expect(seen, JSON.stringify(rule)).toEqual(preview.firings);
      fired.push(...seen.map(() => (rule as { kind: string }).kind));
    }
    expect(fired.length).toBeGreaterThan(100);
    expect([...new Set(fired)].sort()).toEqual(KIND_NAMES.toSorted());
  });
});
