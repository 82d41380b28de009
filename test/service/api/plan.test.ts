import { describe, expect, it } from 'vitest';
import { createGrant } from '../../../src/api/access/clients.ts';
import { SYMBOLS_MAX } from '../../../src/api/watchlists/schema.ts';
import { bearer, newCredentials, tokenFrom, WIDE } from '../../support/access.ts';
import { bring } from '../../support/app.ts';
import {
  CHAT_BEFORE,
  CHAT_DATE,
  CHAT_FROM,
  chatMarket,
  freshChatService,
  newsAt,
  passOver,
} from '../../support/chat-service.ts';
import { alteredAfter, dailyBars, minuteBars } from '../../support/market.ts';
import { at } from '../../support/tape.ts';

const service = await freshChatService('2024-03-14T01:00:00Z');
const { app, server } = service;
await bring(app, chatMarket());
await passOver(app, CHAT_BEFORE);
await passOver(app, CHAT_DATE);
const credentials = await newCredentials(app.context.database);
const { id: grant_id } = await createGrant(
  app.context.database,
  credentials.client_id,
  { ...WIDE, symbols: ['ACME', 'B0'] },
  Date.now(),
);
const SCOPES = ['stock:read', 'market:read'];
const whole = await tokenFrom(server, credentials, SCOPES);
const narrow = await tokenFrom(server, { ...credentials, grant_id }, SCOPES);
const withoutMarket = await tokenFrom(server, credentials, ['stock:read']);

const ask = async (query: string, token = whole, path = 'plan') => {
  const url = `/api/graph/v1/${path}?${query}`;
  const answer = await server.inject({ url, headers: bearer(token) });
  return { status: answer.statusCode, bytes: answer.body, type: answer.headers['content-type'] };
};
const planOf = async (query: string, token = whole) => JSON.parse((await ask(query, token)).bytes);
const keep = (name: string, symbols: readonly string[]) =>
  server.inject({
    method: 'PUT',
    url: `/api/graph/v1/watchlists/${name}`,
    headers: bearer(whole),
    payload: { symbols },
  });
await keep('both', ['B0', 'ACME', 'C1']);

const MORNING = `symbols=ACME,B0&date=${CHAT_DATE}`;
const stockIn = (plan: { stocks: { symbol: string }[] }, symbol: string) =>
  plan.stocks.find((stock) => stock.symbol === symbol) as never;

describe('a plan', () => {
  it('of a date is that of five minutes before its open', async () => {
    const plan = await planOf(MORNING);
    expect(plan).toMatchObject({ date: CHAT_DATE, as_of: `${CHAT_DATE}T13:25:00.000Z`, left_out: [] });
    expect(plan.market).toMatchObject({ early_close: false, breadth_of: CHAT_BEFORE });
    // Of the session so far nobody knows a bar.
    expect(stockIn(plan, 'ACME')).toMatchObject({
      trade_date: CHAT_BEFORE,
      gap: null,
      missing: [{ field: 'gap' }, { field: 'expected_move' }],
      changed: { since: '2024-03-11' },
    });
  });

  it('has the levels of its session before the first print as after it', async () => {
    const levels = (plan: never): Map<string, number> =>
      new Map(
        ['above', 'below'].flatMap((side) =>
          (plan[side as never] as { name: string; price: number }[]).map(({ name, price }) => [name, price]),
        ),
      );
    const before = levels(stockIn(await planOf(MORNING), 'ACME'));
    const url = `/api/graph/v1/stocks/ACME?as_of=${CHAT_DATE}T13:31:00Z&include=level_ladder`;
    const ladder = (await server.inject({ url, headers: bearer(whole) })).json().level_ladder.levels;
    const after = new Map<string, number>(
      ladder.map(({ name, price }: { name: string; price: number }) => [name, price]),
    );
    const shared = [...before].filter(([name]) => after.has(name) && !/^(ema|sma)_/.test(name));
    expect(shared.length).toBeGreaterThan(2);
    for (const [name, price] of shared)
      expect([name, after.get(name)]).toEqual([name, expect.closeTo(price, 3)]);
  });

  it('shows in a session what stock detail shows', async () => {
    const asOf = `as_of=${CHAT_DATE}T16:30:00Z`;
    const plan = await planOf(`${MORNING}&${asOf}`);
    const url = `/api/graph/v1/stocks/ACME?${asOf}&include=level_ladder,strategies,expected_move`;
    const stock = (await server.inject({ url, headers: bearer(whole) })).json();
    const planned = stockIn(plan, 'ACME') as Record<string, never>;
    expect(planned).toMatchObject({
      price: stock.last_price,
      bias: stock.directional_bias,
      expected_move: stock.expected_move.day,
    });
    for (const { name, price, state, touched_at } of [...planned.above!, ...planned.below!] as never[])
      expect(stock.level_ladder.levels).toContainEqual(
        expect.objectContaining({ name, price, state, touched_at }),
      );
    expect(planned.above).toHaveLength(3);
    expect(planned.below).toHaveLength(3);
  });

  it.each([
    // The latest first: what is altered for one lies behind the next as well.
    ['in a session', `${MORNING}&as_of=${CHAT_DATE}T16:30:00Z`],
    ['before the open', MORNING],
    ['as Markdown', `${MORNING}&format=markdown`],
    ['of the evening before', `${MORNING}&as_of=${CHAT_BEFORE}T22:00:00Z`],
  ])('%s has the same bytes once later data is there', async (_, query) => {
    const first = await ask(query);
    expect(first.status).toBe(200);
    const instant = /as_of=([^&]*)/.exec(query)?.[1];
    const cut = instant === undefined ? at(CHAT_DATE, '09:25') : Date.parse(instant);
    const daily = dailyBars('ACME', CHAT_FROM, CHAT_DATE);
    await bring(app, [
      alteredAfter(minuteBars('ACME', '2024-03-11', CHAT_DATE), cut, 1.3),
      alteredAfter(daily, Date.parse(`${CHAT_DATE}T00:00:00Z`), 1.3),
      newsAt(cut + 60_000, `After ${query}`),
    ]);
    app.context.answers.forget(null);
    app.context.markets.clear();
    expect((await ask(query)).bytes).toBe(first.bytes);
  });

  it('is of a list of the caller, without stocks that the grant does not cover', async () => {
    expect((await planOf('list=both')).stocks).toHaveLength(3);
    const seen = await planOf('list=both', narrow);
    expect(seen.stocks.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(['ACME', 'B0']);
    expect(seen.list).toBe('both');
  });

  it('has no market for a token that does not cover it', async () => {
    const { market, missing } = await planOf(MORNING, withoutMarket);
    expect({ market, missing }).toMatchObject({ market: null, missing: [{ field: 'market' }] });
  });

  it('says which stocks have none', async () => {
    const { left_out, stocks } = await planOf('symbols=ACME,NOPE');
    expect(left_out).toMatchObject([{ symbol: 'NOPE', reason: expect.stringContaining('NOPE') }]);
    expect(stocks).toHaveLength(1);
  });

  it('is Markdown for chats', async () => {
    const { bytes, type } = await ask(`${MORNING}&format=markdown`);
    expect(type).toContain('text/markdown');
    expect(bytes).toContain('## ACME');
    // What a publisher wrote stays text.
    expect(bytes).not.toMatch(/[^\\]<script/);
  });
});

describe('no plan', () => {
  it.each([
    [422, 'neither list nor symbols', '', 'name one of them'],
    [422, 'both of them', 'list=both&symbols=ACME', 'name one of them'],
    [422, 'no symbol', 'symbols=,', '"symbols"'],
    [
      422,
      'more symbols than a list holds',
      `symbols=${Array.from({ length: 5_000 }, (_, place) => `S${place}`)}`,
      `at most ${SYMBOLS_MAX} stocks, not 5000`,
    ],
    [404, 'a list that is not there', 'list=none', 'You have no list none'],
    [404, 'a day without a session', `symbols=ACME&date=2024-03-10`, 'not a trade date'],
    [404, 'a session that is farther ahead', 'symbols=ACME&date=2024-03-20', 'is made from the close of'],
    [
      404,
      'an instant after its session',
      `symbols=ACME&date=${CHAT_BEFORE}&as_of=${CHAT_DATE}T15:00:00Z`,
      'was over at that minute',
    ],
  ])('%i for %s', async (status, _, query, said) => {
    const answer = await ask(query);
    expect(answer.status).toBe(status);
    expect(answer.bytes).toContain(said);
  });

  it('403 for a symbol beyond the grant, 422 for an empty list', async () => {
    expect(await ask('symbols=C1', narrow)).toMatchObject({ status: 403 });
    await keep('foreign', ['C1']);
    const empty = await ask('list=foreign', narrow);
    expect(empty).toMatchObject({ status: 422, bytes: expect.stringContaining('has no stock') });
  });
});
