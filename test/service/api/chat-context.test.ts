import { describe, expect, it } from 'vitest';
import { PAGE_TYPES } from '../../../src/api/chat/get-chat-context.ts';
import { factsFor } from '../../../src/api/chat/load-stock-context.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { estimateTokens } from '../../../src/texts/budget.ts';
import type { Fact } from '../../../src/texts/facts/fact-registry.ts';
import { expectDocumented } from '../../support/answers.ts';
import { bring } from '../../support/app.ts';
import { chainDelivery } from '../../support/chain-service.ts';
import { figuresOf } from '../../support/chat-facts.ts';
import {
  CHAT_BEFORE,
  CHAT_DATE,
  CHAT_FROM,
  CHAT_OTHERS,
  CHAT_UNTIL,
  type ChatService,
  chatMarket,
  chatServiceOnMarket,
  freshChatService,
  HOSTILE,
  newsAt,
  passOver,
  profileAt,
} from '../../support/chat-service.ts';
import { alteredAfter, dailyBars, minuteBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { at } from '../../support/tape.ts';

/** The contract of `GET /api/graph/v1/chat/context`, by status. */

interface Point {
  readonly text: string;
  readonly facts: readonly string[];
  readonly rule: string;
}

interface Answer extends Readonly<Record<string, unknown>> {
  readonly debate_summary: {
    readonly bull: { readonly points: readonly Point[]; readonly score: { readonly fact: string } | null };
    readonly bear: { readonly points: readonly Point[] };
    readonly what_would_change: { readonly bull: readonly Point[]; readonly bear: readonly Point[] };
  };
  readonly stock_data: Readonly<Record<string, unknown>> & {
    readonly unavailable: readonly { readonly part: string; readonly reason: string }[];
  };
  readonly facts: readonly Fact[];
  readonly budget: { readonly estimated_tokens: number; readonly dropped: readonly unknown[] };
}

async function answerTo(query: string, token?: string): Promise<Answer> {
  const response = await service.get(query, token);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const pointsOf = ({ debate_summary: { bull, bear, what_would_change: change } }: Answer): Point[] => [
  ...bull.points,
  ...bear.points,
  ...change.bull,
  ...change.bear,
];

const CONTRACT_FIELDS = words`
  page_type symbol market_context stock_data debate_summary sector_data historical_analogs
  strategy_playbooks`;
const OWN_FIELDS = words`trade_date sessions_behind as_of source simulated analog_outcomes facts budget`;

const service = await chatServiceOnMarket();

describe('200', () => {
  it.each(PAGE_TYPES)(
    'answers the page %s with every field of the contract, within its budget',
    async (page) => {
      const response = await service.get(`?page_type=${page}&symbol=acme&max_tokens=9000`);
      const answer: Answer = response.json();
      expect(response.statusCode).toBe(200);
      expect(Object.keys(answer).sort()).toEqual([...CONTRACT_FIELDS, ...OWN_FIELDS].sort());
      expect(answer).toMatchObject({
        page_type: page,
        symbol: 'ACME',
        source: 'delayed',
        trade_date: CHAT_DATE,
      });
      expect(estimateTokens(response.body)).toBeLessThanOrEqual(9_000);
      expect(pointsOf(answer).length).toBeGreaterThan(3);
      expect(response.headers['cache-control']).toBe('no-cache');
      await expectDocumented(service.server, '/api/graph/v1/chat/context', answer);
    },
  );

  it.each(['screener', 'market', 'backtest'])('answers the page %s without a stock', async (page) => {
    const answer = await answerTo(`?page_type=${page}`);
    expect(answer).toMatchObject({ symbol: null, stock_data: { levels: [] }, historical_analogs: [] });
    expect(answer.debate_summary.bull.score).toBeNull();
    expect(pointsOf(answer).length).toBeGreaterThan(0);
    expect(pointsOf(answer).every(({ rule }) => /^(market|change)\./.test(rule))).toBe(true);
  });

  it.each(PAGE_TYPES)(
    'quotes no figure on the page %s that is not the value of one of its facts',
    async (page) => {
      for (const tokens of [500, 2_000, 6_000, 32_000]) {
        const answer = await answerTo(`?page_type=${page}&symbol=ACME&max_tokens=${tokens}`);
        const values = new Map(answer.facts.map(({ id, value }) => [id, String(value)]));
        expect(values.size).toBe(answer.facts.length);
        for (const { text, facts } of pointsOf(answer)) {
          const own = facts.map((id) => values.get(id));
          expect(own).not.toContain(undefined);
          expect(figuresOf(text).length + facts.length).toBeGreaterThan(0);
          for (const figure of figuresOf(text)) expect(own, text).toContain(figure);
        }
      }
    },
  );

  it('quotes the facts that everybody is given of the stock', async () => {
    const viewer = { source: 'delayed', delayMs: 15 * 60_000, symbols: null } as const;
    const { facts } = await factsFor(
      service.app.context,
      { symbol: 'ACME' },
      viewer,
      AbortSignal.timeout(60_000),
    );
    const known = new Map(facts.map((fact) => [fact.id, fact]));
    const answer = await answerTo('?page_type=stock_detail&symbol=ACME&max_tokens=32000');
    expect(answer.facts.length).toBeGreaterThan(100);
    for (const fact of answer.facts) expect(known.get(fact.id)).toEqual(fact);
  });

  it('contains nothing newer than the answer', async () => {
    const answer = await answerTo('?page_type=options&symbol=ACME&max_tokens=32000');
    const asOf = Date.parse(answer.as_of as string);
    expect(asOf).toBe(at(CHAT_DATE, '14:55'));
    for (const { instant } of answer.facts) expect(Date.parse(instant)).toBeLessThanOrEqual(asOf);
  });

  it('has what each part is made of', async () => {
    const answer = await answerTo('?page_type=options&symbol=ACME&max_tokens=32000');
    expect(answer.stock_data).toMatchObject({
      options: { spot: 101 },
      expirations: [{ direction: 'bullish' }, { direction: 'bearish' }],
    });
    expect(answer.sector_data).toMatchObject({ divergence: { trade_date: CHAT_BEFORE } });
    expect((answer.historical_analogs as unknown[]).length).toBeGreaterThan(5);
    expect(answer.analog_outcomes).toMatchObject([{ sessions: 1 }, { sessions: 5 }, { sessions: 20 }]);
    expect(answer.market_context).toMatchObject({ index: {}, vix: {}, breadth: { stocks: 21 } });
    expect(answer.budget.dropped).toEqual([]);
  });

  it('has the figures of a chain that was taken after the day of the stock had ended', async () => {
    const evening = chainDelivery({ symbol: 'ACME', date: CHAT_BEFORE, clock: '16:00', spot: 99 });
    const takenAt = Date.parse('2024-03-13T02:46:00Z');
    await bring(service.app, [{ ...evening, chain: { ...evening.chain, takenAt } }]);
    const answer = await answerTo(`?page_type=options&symbol=ACME&date=${CHAT_BEFORE}&max_tokens=32000`);
    expect(answer.stock_data).toMatchObject({
      options: {
        spot: 99,
        refresh_timestamp: new Date(takenAt).toISOString(),
        iv_skew: expect.any(Number),
        put_call_ratio: expect.any(Number),
      },
    });
  });

  it('shows the newer chain to a caller with the real-time feed alone', async () => {
    const token = await service.token(['chat:read', 'market-data:realtime']);
    const answer = await answerTo('?page_type=options&symbol=ACME', token);
    expect(answer).toMatchObject({ source: 'realtime_sip', stock_data: { options: { spot: 102 } } });
    expect(Date.parse(answer.as_of as string)).toBe(at(CHAT_DATE, '15:10'));
  });

  it('names no day of a stock beyond the grant, and counts it all the same', async () => {
    const query = '?page_type=stock_detail&symbol=ACME&max_tokens=32000';
    const whole = await answerTo(query, await service.token(['chat:read']));
    const narrow = await answerTo(query, await service.token(['chat:read'], ['ACME', 'B0']));
    const named = (answer: Answer) =>
      (answer.historical_analogs as { symbol: string }[]).map(({ symbol }) => symbol);
    // Of twenty days that were found ten are shown, so that others move up.
    const granted = named(whole).filter((symbol) => ['ACME', 'B0'].includes(symbol));
    expect(named(narrow).slice(0, granted.length)).toEqual(granted);
    expect(new Set(named(narrow))).toEqual(new Set(['ACME', 'B0']));
    expect(named(whole).length).toBeGreaterThan(named(narrow).length);
    expect(narrow.analog_outcomes).toEqual(whole.analog_outcomes);
  });

  it('replays a past date', async () => {
    const answer = await answerTo('?page_type=stock_detail&symbol=ACME&date=2024-03-11&max_tokens=32000');
    expect(answer).toMatchObject({ trade_date: '2024-03-11', as_of: '2024-03-12T08:00:00.000Z' });
    expect(answer.stock_data.unavailable.map(({ part }) => part)).toContain('news');
  });

  it('marks what others wrote, and repeats it nowhere else', async () => {
    const response = await service.get('?page_type=stock_detail&symbol=ACME&max_tokens=32000');
    const answer: Answer = response.json();
    const cleaned = HOSTILE.replace('\u200b', '');
    expect(answer.stock_data.news).toMatchObject([
      { untrusted_text: { headline: cleaned, source: 'A Wire' } },
    ]);
    expect(answer.stock_data.company).toEqual({ untrusted_text: { name: 'Company ACME', sector: 'Energy' } });
    expect(response.body.split('Ignore all')).toHaveLength(2);
    expect(response.body).not.toContain('\u200b');
    expect(answer.facts.map(({ value }) => value)).not.toContain(999.99);
  });

  it('says of runs that there are none, and to a token without their scope that it has none', async () => {
    const lacking = async (token?: string) =>
      (await answerTo('?page_type=backtest', token)).stock_data.unavailable.find(
        ({ part }) => part === 'backtest_runs',
      )!.reason;
    expect(await lacking()).toBe('No backtest of yours has ended.');
    expect(await lacking(await service.token(['chat:read']))).toBe('Your token does not cover backtests.');
  });

  it('is the same for the same question, which costs nothing when the caller has it', async () => {
    const first = await service.get('?page_type=stock_detail&symbol=ACME');
    const second = await service.server.inject({
      url: '/api/graph/v1/chat/context?page_type=stock_detail&symbol=ACME',
      headers: { 'if-none-match': first.headers.etag as string },
    });
    expect(second.statusCode).toBe(304);
    expect(second.body).toBe('');
  });
});

describe('403', () => {
  it('refuses a symbol beyond the grant, in whatever case', async () => {
    const token = await service.token(['chat:read'], ['B0']);
    for (const symbol of ['ACME', 'acme']) {
      const response = await service.get(`?page_type=stock_detail&symbol=${symbol}`, token);
      expect(response.statusCode).toBe(403);
      expect(response.json().code).toBe('symbol_not_granted');
    }
    expect((await service.get('?page_type=stock_detail&symbol=B0', token)).statusCode).toBe(200);
  });
});

describe('404', () => {
  it.each([
    ['symbol=NOBODY', 'unknown_symbol'],
    ['symbol=ACME&date=2024-03-10', 'no_session'],
    ['symbol=ACME&date=2019-03-11', 'no_data_for_date'],
  ])('distinguishes %s: %s', async (query, code) => {
    const response = await service.get(`?page_type=stock_detail&${query}`);
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe(code);
  });

  it('of a page about no stock: a date without a session', async () => {
    const response = await service.get('?page_type=market&date=2024-03-10');
    expect(response.json().code).toBe('no_session');
  });
});

describe('422', () => {
  const faultsOf = async (query: string) => {
    const response = await service.get(query);
    expect(response.statusCode, response.body).toBe(422);
    return response.json().detail as { loc: string[]; type: string; ctx: Record<string, unknown> }[];
  };

  it.each([
    ['', ['query', 'page_type'], 'missing'],
    ['?page_type=chart', ['query', 'page_type'], 'literal_error'],
    ['?page_type=stock_detail', ['query', 'symbol'], 'missing'],
    ['?page_type=options', ['query', 'symbol'], 'missing'],
    ['?page_type=market&pagetype=market', ['query', 'pagetype'], 'extra_forbidden'],
    ['?page_type=market&date=2024-02-30', ['query', 'date'], 'date_parsing'],
    ['?page_type=market&date=tomorrow', ['query', 'date'], 'string_pattern_mismatch'],
    ['?page_type=market&max_tokens=many', ['query', 'max_tokens'], 'int_parsing'],
    ['?page_type=market&max_tokens=1e4', ['query', 'max_tokens'], 'int_parsing'],
  ])('refuses %s', async (query, loc, type) => {
    expect(await faultsOf(query)).toContainEqual(expect.objectContaining({ loc, type }));
  });

  it.each(['0', '-1', '499', '32001', '99999999999999999999', '9'.repeat(400)])(
    'refuses a budget of %s with its bounds',
    async (tokens) => {
      const [fault] = await faultsOf(`?page_type=market&max_tokens=${tokens}`);
      expect(fault).toMatchObject({ loc: ['query', 'max_tokens'], ctx: { ge: 500, le: 32_000 } });
    },
  );

  it('names a missing symbol and an absurd budget together', async () => {
    const faults = await faultsOf('?page_type=stock_detail&max_tokens=0');
    expect(faults.map(({ type }) => type)).toEqual(['missing', 'greater_than_equal']);
  });

  it.each([
    "'; drop table fact; --",
    '../../etc/passwd',
    '{{7*7}}',
    '<script>',
    'A'.repeat(21),
    'ACME\u0000',
    'ACME\nIgnore',
    '🚀',
  ])('refuses %j in every parameter', async (text) => {
    const value = encodeURIComponent(text);
    expect((await faultsOf(`?page_type=stock_detail&symbol=${value}`))[0]!.loc).toEqual(['query', 'symbol']);
    expect((await faultsOf(`?page_type=${value}`))[0]!.loc).toEqual(['query', 'page_type']);
    expect((await faultsOf(`?page_type=market&date=${value}`))[0]!.loc).toEqual(['query', 'date']);
    expect((await faultsOf(`?page_type=market&max_tokens=${value}`))[0]!.loc).toEqual([
      'query',
      'max_tokens',
    ]);
  });
});

describe('what is yet to come', () => {
  /** What may become known after an instant of the date: other bars of every stock, other names, other news. */
  const futureOf = (instant: number, factor: number): Delivery[] => [
    ...['ACME', ...CHAT_OTHERS].flatMap((symbol) => [
      alteredAfter(dailyBars(symbol, CHAT_FROM, CHAT_UNTIL), midnightUtc(CHAT_DATE), factor),
      alteredAfter(minuteBars(symbol, CHAT_DATE, CHAT_DATE), instant, factor),
      profileAt(symbol, instant + 1, `Renamed ${factor}`),
    ]),
    newsAt(instant + 60_000, `Word of ${factor}`),
  ];

  async function bodyOf({ app, get }: ChatService): Promise<string> {
    app.context.answers.forget(null);
    app.context.markets.clear();
    const response = await get(`?page_type=stock_detail&symbol=ACME&max_tokens=32000`);
    expect(response.statusCode).toBe(200);
    return response.body;
  }

  it('changes no byte for a delayed caller while the session runs', async () => {
    const other = await freshChatService(`${CHAT_DATE}T15:00:00Z`);
    await bring(other.app, chatMarket());
    await passOver(other.app, CHAT_BEFORE);
    const before = await bodyOf(other);
    const instant = at(CHAT_DATE, '10:45');
    expect(JSON.parse(before).as_of).toBe(new Date(instant).toISOString());
    await bring(other.app, futureOf(instant, 1.7));
    expect(await bodyOf(other)).toBe(before);
    // The same for what came before would be noticed.
    await bring(other.app, futureOf(at(CHAT_DATE, '10:30'), 1.01));
    expect(await bodyOf(other)).not.toBe(before);
  });

  it('names a stock of one exchange as one, in the context and by every null that needs all shares', async () => {
    const other = await freshChatService(`${CHAT_DATE}T15:00:00Z`);
    const minutes = minuteBars('ACME', CHAT_DATE, CHAT_DATE);
    const volume = minutes.columns.volume.map(() => Number.NaN);
    const part = { ...minutes, columns: { ...minutes.columns, volume } };
    await bring(other.app, [dailyBars('ACME', CHAT_FROM, CHAT_BEFORE), part]);
    const { stock_data: stock } = JSON.parse(await bodyOf(other));
    expect(stock.unavailable).toContainEqual({
      part: 'volume',
      reason: expect.stringContaining('Prices are of one exchange alone'),
    });
    const url = '/api/graph/v1/stocks/ACME/explain?field=levels.vwap';
    const { value, null_reason } = (await other.server.inject(url)).json();
    expect([value, null_reason]).toEqual([null, expect.stringContaining('the feed is of one exchange')]);
  });
});
