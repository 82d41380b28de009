import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import { SEARCH_NEWS } from '../../../src/graph/search-news.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { openTextPass } from '../../../src/pipeline/text-pass.ts';
import { expectDocumented, expectFaults } from '../../support/answers.ts';
import { afterwards, bring } from '../../support/app.ts';
import { type ChatService, freshChatService } from '../../support/chat-service.ts';
import { lettersAnswer, openProvider, providerSettings } from '../../support/embeddings-provider.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { type NewsRow, newsDelivery } from '../../support/news-market.ts';

/** The `query` of `GET /api/graph/v1/chat/context`: full text, vectors of a provider, and what neither may reveal. */

const DATE = '2024-03-13';
const SYMBOLS = ['ACME', 'BETA', 'GAMA'];
/** 15:10 in New York; a delayed caller sees 14:55. */
const NOW = `${DATE}T19:10:00Z`;

const NEWS: readonly NewsRow[] = [
  { symbol: 'ACME', at: '2023-10-02T15:00:00Z', headline: 'Acme faces a lawsuit over pumps' },
  {
    symbol: 'ACME',
    at: '2024-02-27T15:00:00Z',
    headline: 'Acme publishes its annual report',
    summary: 'A second lawsuit is mentioned in the notes.',
  },
  { symbol: 'ACME', at: '2024-03-04T15:00:00Z', headline: 'Acme wins a record order for turbines' },
  { symbol: 'ACME', at: `${DATE}T14:00:00Z`, headline: 'Acme raises its outlook' },
  // At 14:55:01 in New York: one second after what a delayed caller may know.
  { symbol: 'ACME', at: `${DATE}T18:55:00Z`, headline: 'Acme settles the lawsuit' },
  { symbol: 'BETA', at: '2024-03-05T15:00:00Z', headline: 'Beta faces a lawsuit over patents' },
  { symbol: 'GAMA', at: '2024-03-05T16:00:00Z', headline: 'Beta faces a lawsuit over patents' },
  { symbol: 'GAMA', at: '2023-12-05T16:00:00Z', headline: 'Gama faces a lawsuit over prices' },
];

interface NewsItem {
  readonly symbol?: string;
  readonly published_at: string;
  readonly untrusted_text: { readonly headline: string; readonly summary?: string | null };
}

interface Context {
  readonly market_context: { readonly news?: readonly NewsItem[]; readonly unavailable: readonly Missing[] };
  readonly stock_data: { readonly news: readonly NewsItem[]; readonly unavailable: readonly Missing[] };
  readonly strategy_playbooks: readonly { readonly strategy: string; readonly why: string }[];
  readonly facts: readonly { readonly id: string; readonly value: unknown; readonly instant: string }[];
}

interface Missing {
  readonly part: string;
  readonly reason: string;
}

async function marketOf(service: ChatService) {
  await bring(service.app, [
    ...SYMBOLS.flatMap((symbol) => [
      dailyBars(symbol, '2023-01-03', '2024-03-12'),
      minuteBars(symbol, DATE, DATE),
    ]),
    ...NEWS.map((row) => newsDelivery(row)),
  ]);
  return service;
}

const STOCK_PAGE = 'page_type=stock_detail&symbol=ACME&max_tokens=32000';
const MARKET_PAGE = 'page_type=market&max_tokens=32000';

async function bodyOf(query: string | null, page = STOCK_PAGE, token?: string, from = service) {
  const asked = query === null ? '' : `&query=${encodeURIComponent(query)}`;
  const response = await from.get(`?${page}${asked}`, token);
  expect(response.statusCode, response.body).toBe(200);
  return response.body;
}

const contextOf = async (...asked: Parameters<typeof bodyOf>): Promise<Context> =>
  JSON.parse(await bodyOf(...asked));

const headlinesOf = (news: readonly NewsItem[] = []) => news.map(({ untrusted_text: text }) => text.headline);

const foundFor = async (...asked: Parameters<typeof bodyOf>) =>
  headlinesOf((await contextOf(...asked)).stock_data.news);

const realtime = () => service.token(['chat:read', 'market-data:realtime'] satisfies AccessScope[]);

const service = await marketOf(await freshChatService(NOW));

describe('news of a stock by words', () => {
  it('is what has the words, a headline before a summary, of any age, with their stems', async () => {
    const context = await contextOf('lawsuits');
    expect(headlinesOf(context.stock_data.news)).toEqual([NEWS[0]!.headline, NEWS[1]!.headline]);
    expect(context.stock_data.news[1]!.untrusted_text.summary).toBe(NEWS[1]!.summary);
    expect(context.stock_data.unavailable.map(({ part }) => part)).not.toContain('news');
    // The second is among the newest of the stock and keeps its id, the first one is not.
    const facts = new Map(context.facts.map(({ id, value }) => [id, value]));
    expect(facts.get('news.found.1.published_at')).toBe('2023-10-02T15:00:00.000Z');
    expect(facts.get('news.3.published_at')).toBe('2024-02-27T15:00:00.000Z');
    expect(facts.has('news.found.2.published_at')).toBe(false);
  });

  it('is what has all words before what has some of them', async () => {
    expect(await foundFor('what is the news about turbines and a lawsuit')).toEqual([
      NEWS[2]!.headline,
      NEWS[0]!.headline,
      NEWS[1]!.headline,
    ]);
    expect((await foundFor('lawsuit pumps'))[0]).toBe(NEWS[0]!.headline);
    expect((await foundFor('lawsuit notes'))[0]).toBe(NEWS[1]!.headline);
  });

  it('is read with phrases, alternatives and exclusions', async () => {
    expect(await foundFor('"record order"')).toEqual([NEWS[2]!.headline]);
    expect(await foundFor('lawsuit -pumps')).toEqual([NEWS[1]!.headline]);
    // Of equal rank the newest comes first.
    expect(await foundFor('turbines or outlook')).toEqual([NEWS[3]!.headline, NEWS[2]!.headline]);
  });

  it('answers by the schema of the answer, and never repeats the query', async () => {
    const body = await bodyOf('lawsuit zyzzyva');
    expect(body).not.toContain('zyzzyva');
    await expectDocumented(service.server, '/api/graph/v1/chat/context', JSON.parse(body));
  });

  it('outlasts nearly everything else when the budget is small', async () => {
    const small = 'page_type=stock_detail&symbol=ACME&max_tokens=1200';
    expect(await foundFor(null, small)).not.toContain(NEWS[0]!.headline);
    expect(await foundFor('lawsuit', small)).toContain(NEWS[0]!.headline);
    const { stock_data: stock } = await contextOf('zyzzyva', small);
    expect(stock.unavailable.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['news', 'playbooks', 'facts']),
    );
  });
});

describe('the index of news', () => {
  it('answers a search over the market', async () => {
    let plan = '';
    const rolledBack = service.app.context.database.transaction(async (transaction) => {
      await transaction.query(
        `insert into reported_fact (symbol, kind, key, known_at, value, feed)
         select 'ACME', 'news', 'k' || i, $1::timestamptz - make_interval(mins => i),
           json_build_object('headline', 'Item number ' || i, 'publishedAt', 0), 'test' from generate_series(1, 3000) as i`,
        [NOW],
      );
      await transaction.query('analyze reported_fact');
      const rows = await transaction.query<{ 'QUERY PLAN': string }>(`explain ${SEARCH_NEWS}`, [
        'record order',
        NOW,
        null,
        null,
        6,
      ]);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(plan).toContain('Bitmap Index Scan on reported_fact_news_text');
  });
});

describe('news of the market by words', () => {
  it('is of the last month, each item once, with a stock that it mentions', async () => {
    const { market_context: market, stock_data: stock } = await contextOf('lawsuit', MARKET_PAGE);
    expect(market.news).toMatchObject([
      { symbol: 'BETA', untrusted_text: { headline: NEWS[5]!.headline } },
      { symbol: 'ACME', untrusted_text: { headline: NEWS[1]!.headline } },
    ]);
    expect(stock.news).toEqual([]);
    const none = await contextOf('dividend', MARKET_PAGE);
    expect(none.market_context).toMatchObject({
      news: [],
      unavailable: expect.arrayContaining([{ part: 'news', reason: 'No news matches the query.' }]),
    });
  });

  it('is of no stock beyond the grant of the caller', async () => {
    const token = await service.token(['chat:read'], ['ACME', 'GAMA']);
    const { market_context: market } = await contextOf('lawsuit', MARKET_PAGE, token);
    expect(market.news!.map(({ symbol }) => symbol)).toEqual(['GAMA', 'ACME']);
    const narrow = await service.token(['chat:read'], ['ACME']);
    const other = await contextOf('lawsuit', MARKET_PAGE, narrow);
    expect(other.market_context.news!.map(({ symbol }) => symbol)).toEqual(['ACME']);
  });
});

describe('playbooks by words', () => {
  it.each([STOCK_PAGE, MARKET_PAGE, 'page_type=backtest'])(
    'are those whose text has them: %s',
    async (page) => {
      const { strategy_playbooks: found } = await contextOf('opening range breakout', page);
      expect(found.length).toBeLessThanOrEqual(3);
      expect(found[0]!.strategy).toMatch(/^orb_breakout_/);
      expect(found.map(({ why }) => why)).not.toContain('backtest_signal');
    },
  );

  it('are none where only their texts share a word with the query', async () => {
    const { strategy_playbooks: found, market_context: market } = await contextOf(
      'record order',
      MARKET_PAGE,
    );
    expect(found).toEqual([]);
    expect(market.unavailable).toContainEqual({
      part: 'playbooks',
      reason: 'No playbook matches the query.',
    });
  });

  it('go by the short names of traders, and by the side in the query', async () => {
    expect((await contextOf('short ORB breakdown', MARKET_PAGE)).strategy_playbooks[0]).toMatchObject({
      strategy: 'orb_breakout_short',
      why: 'text_related',
    });
  });
});

describe('a query that finds nothing', () => {
  it.each(['zyzzyva', 'the of and', '!!! & | ()', '-lawsuit zyzzyva'])(
    '(%s) is answered as without it, and says so',
    async (query) => {
      const [plain, asked] = [await contextOf(null), await contextOf(query)];
      expect(asked.stock_data.news).toEqual(plain.stock_data.news);
      expect(asked.strategy_playbooks).toEqual(plain.strategy_playbooks);
      expect(asked.facts).toEqual(plain.facts);
      expect(asked.stock_data.unavailable).toEqual([
        ...plain.stock_data.unavailable,
        { part: 'news', reason: 'No news matches the query.' },
        { part: 'playbooks', reason: 'No playbook matches the query.' },
        { part: 'facts', reason: 'No fact matches the query.' },
      ]);
    },
  );

  it.each(['', ' ', '   '])('(%j) is no query', async (query) => {
    for (const page of [STOCK_PAGE, MARKET_PAGE])
      expect(await bodyOf(query, page)).toBe(await bodyOf(null, page));
  });
});

describe('422', () => {
  it.each([
    ['x'.repeat(301), 'string_too_long'],
    ['a\u0000b', 'string_pattern_mismatch'],
    ['a\nb', 'string_pattern_mismatch'],
  ])('refuses %j', async (query, type) => {
    const asked = service.get(`?${MARKET_PAGE}&query=${encodeURIComponent(query)}`);
    await expectFaults(asked, `query,query,${type}`);
  });

  it('takes 300 characters', async () => {
    expect((await service.get(`?${MARKET_PAGE}&query=${'y'.repeat(300)}`)).statusCode).toBe(200);
  });
});

describe('what is yet to come', () => {
  it('is hidden by the delay, and found by a caller in real time', async () => {
    expect(await foundFor('settles lawsuit')).not.toContain(NEWS[4]!.headline);
    const { stock_data: stock } = await contextOf('settles lawsuit', STOCK_PAGE, await realtime());
    expect(headlinesOf(stock.news)[0]).toBe(NEWS[4]!.headline);
    expect(headlinesOf((await contextOf('settles lawsuit', MARKET_PAGE)).market_context.news)).not.toContain(
      NEWS[4]!.headline,
    );
  });

  it('changes no byte of an earlier answer: later items, later revisions, later news of others', async () => {
    const own = await marketOf(await freshChatService(NOW));
    const pages = [STOCK_PAGE, `${STOCK_PAGE}&date=2024-03-05`, MARKET_PAGE];
    const ask = async () => {
      own.app.context.answers.forget(null);
      return Promise.all(pages.map((page) => bodyOf('lawsuit outlook', page, undefined, own)));
    };
    const before = await ask();
    const later = (row: NewsRow, knownAt: string) => ({
      ...row,
      headline: `${row.headline}, lawsuit outlook`,
      afterMs: Date.parse(knownAt) - Date.parse(row.at),
    });
    await bring(own.app, [
      newsDelivery({ symbol: 'ACME', at: `${DATE}T18:55:30Z`, headline: 'A lawsuit clouds the outlook' }),
      newsDelivery({ symbol: 'BETA', at: `${DATE}T18:56:00Z`, headline: 'A lawsuit clouds the outlook' }),
      // Revisions under the same key, known after the instant of every answer.
      ...NEWS.slice(0, 3).map((row) => newsDelivery(later(row, `${DATE}T18:59:00Z`), keyOf(row))),
    ]);
    expect(await ask()).toEqual(before);
    // The same revision, known in time, is noticed.
    await bring(own.app, [newsDelivery(later(NEWS[2]!, `${DATE}T18:00:00Z`), keyOf(NEWS[2]!))]);
    const [now] = await ask();
    expect(now).not.toBe(before[0]);
    expect(headlinesOf((JSON.parse(now!) as Context).stock_data.news)[0]).toBe(
      `${NEWS[2]!.headline}, lawsuit outlook`,
    );
    expect((await ask())[1]).toBe(before[1]);
  });
});

const keyOf = ({ at, headline }: NewsRow): string => `${Date.parse(at)} ${headline.toLowerCase()}`;

describe('with an embeddings provider', async () => {
  let answer: 'vectors' | 'silence' | 503 = 'vectors';
  const provider = await openProvider((call) => (answer === 'vectors' ? lettersAnswer(call) : answer));
  afterwards(() => provider.stop());
  const own = await marketOf(await freshChatService(NOW, providerSettings(provider)));
  await syncGraph(own.app.context, { kind: 'range', from: '2024-02-27', to: '2024-03-12' });
  const newsFor = async (query: string) =>
    headlinesOf((await contextOf(query, STOCK_PAGE, undefined, own)).stock_data.news);

  it('ranks by words until every text has its vector, then by vectors', async () => {
    // All the letters of one headline, and none of its words.
    const scrambled = [...'acmewinsarecordorderforturbines'].sort().join('');
    const [plain, before] = [await contextOf(null, STOCK_PAGE, undefined, own), await newsFor(scrambled)];
    expect(before).toEqual(headlinesOf(plain.stock_data.news));
    expect(await openTextPass(own.app.context)()).toMatchObject({ failed: 0 });
    own.app.context.answers.forget(null);
    const found = await newsFor(scrambled);
    expect(found[0]).toBe(NEWS[2]!.headline);
    // Of the stock alone, and what is in the graph alone has a vector.
    expect(found.toSorted()).toEqual([NEWS[1]!.headline, NEWS[2]!.headline].toSorted());
    const calls = provider.calls.length;
    own.app.context.answers.forget(null);
    await newsFor(scrambled);
    expect(provider.calls).toHaveLength(calls);
  });

  it('ranks playbooks too', async () => {
    const { strategy_playbooks: found } = await contextOf(
      'Opening range breakout',
      MARKET_PAGE,
      undefined,
      own,
    );
    expect(found).toHaveLength(3);
    expect(found.every(({ why }) => why === 'text_related')).toBe(true);
  });

  it('falls back to words when the provider fails, warns once, and leaves it alone', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    answer = 'silence';
    const calls = provider.calls.length;
    expect(await newsFor('lawsuit')).toEqual([NEWS[0]!.headline, NEWS[1]!.headline]);
    answer = 503;
    expect(await newsFor('outlook')).toEqual([NEWS[3]!.headline]);
    expect(provider.calls).toHaveLength(calls + 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings.filter((message) => message.includes('full-text search'))).toHaveLength(1);
    answer = 'vectors';
  });
});
