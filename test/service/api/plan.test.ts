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
const alerting = await tokenFrom(server, credentials, ['stock:read', 'alerts:write']);
const strange = await tokenFrom(server, await newCredentials(app.context.database), SCOPES);
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

describe('a review', () => {
  const EVENING = `symbols=ACME,B0&date=${CHAT_DATE}`;
  const reviewOf = async (query: string) => JSON.parse((await ask(query, whole, 'review')).bytes);

  it('has the levels of the morning with what the ladder of the evening says of them', async () => {
    const [plan, review] = [await planOf(MORNING), await reviewOf(EVENING)];
    expect(review).toMatchObject({ date: CHAT_DATE, planned_at: plan.as_of, is_over: true });
    const url = `/api/graph/v1/stocks/ACME?date=${CHAT_DATE}&include=level_ladder`;
    const ladder = (await server.inject({ url, headers: bearer(whole) })).json().level_ladder.levels;
    const planned = stockIn(plan, 'ACME') as Record<string, { name: string; price: number }[]>;
    const { levels } = stockIn(review, 'ACME') as {
      levels: { name: string; price: number; family: string }[];
    };
    expect(levels.map(({ name, price }) => [name, price])).toEqual(
      [...planned.above!.toReversed(), ...planned.below!].map(({ name, price }) => [name, price]),
    );
    const fixed = levels.filter(({ family }) =>
      /^(prior_day|pivot|prior_profile|recent_range)$/.test(family),
    );
    expect(fixed.length).toBeGreaterThan(2);
    for (const { name, state, touched_at, decided_at, holds } of fixed as never[])
      expect(ladder).toContainEqual(expect.objectContaining({ name, state, touched_at, decided_at, holds }));
  });

  it('counts what it lists', async () => {
    const { counts, stocks, says } = await reviewOf(EVENING);
    const states = stocks.flatMap(({ levels }: { levels: { state: string }[] }) =>
      levels.map(({ state }) => state),
    );
    const of = (state: string) => states.filter((each: string) => each === state).length;
    expect(counts).toMatchObject({
      levels: states.length,
      touched: states.length - of('untouched'),
      held: of('held'),
      broken: of('broken'),
    });
    expect(says).toContain(`${counts.levels} levels: ${counts.touched} touched, ${counts.held} held`);
  });

  it('of a session that runs speaks of what is over, and not of its close', async () => {
    const running = await reviewOf(`${EVENING}&as_of=${CHAT_DATE}T16:30:00Z`);
    expect(running).toMatchObject({ is_over: false, says: expect.stringMatching(/^So far: /) });
    for (const { levels, expected_move } of running.stocks) {
      for (const { touched_at } of levels)
        if (touched_at !== null) expect(touched_at <= `${CHAT_DATE}T16:30:00.000Z`).toBe(true);
      if (expected_move !== null) expect(expected_move.kept).toBeNull();
    }
  });

  it('sums the plans of the sessions before', async () => {
    const { score, counts } = await reviewOf(`${EVENING}&sessions=3`);
    expect(score.stocks).toEqual(['ACME', 'B0']);
    expect(score.days.map(({ date }: { date: string }) => date)).toEqual([
      ...[CHAT_DATE, CHAT_BEFORE, '2024-03-11'],
    ]);
    expect(score.days[0]).toMatchObject({ levels: counts.levels, held: counts.held });
    expect(score.levels).toBe(
      score.days.reduce((sum: number, { levels }: { levels: number }) => sum + levels, 0),
    );
  });

  it.each([
    ['of a session that is over', EVENING],
    ['of one that ran', `${EVENING}&as_of=${CHAT_DATE}T16:30:00Z`],
  ])('%s has the same bytes once later data is there', async (_, query) => {
    const until = query.includes('as_of') ? at(CHAT_DATE, '12:30') : at('2024-03-14', '09:30');
    const [minutes, daily] = [
      minuteBars('ACME', '2024-03-11', '2024-03-14'),
      dailyBars('ACME', CHAT_FROM, '2024-03-14'),
    ];
    await bring(app, [minutes, daily]);
    app.context.answers.forget(null);
    const first = await ask(query, whole, 'review');
    await bring(app, [
      alteredAfter(minutes, until, 1.4),
      alteredAfter(daily, Date.parse(query.includes('as_of') ? CHAT_DATE : '2024-03-14'), 1.4),
      newsAt(until + 60_000, query),
    ]);
    app.context.answers.forget(null);
    expect((await ask(query, whole, 'review')).bytes).toBe(first.bytes);
  });

  it('has the alerts of the caller that fired, and what followed', async () => {
    const { id } = (
      await server.inject({
        method: 'POST',
        url: '/api/graph/v1/alerts',
        headers: bearer(alerting),
        payload: {
          kind: 'crosses',
          parameters: { field: 'last_price', other: 'levels.vwap' },
          symbols: ['ACME'],
          anyway: true,
        },
      })
    ).json();
    const fired = at(CHAT_DATE, '11:00');
    await app.context.database.write(
      `insert into alert_firing (trade_date, id, rule, owner, symbol, at, price, says, sentence)
       values ($1, $2, $3, $4, $5, $6, $7, 'crossed', 'crosses')`,
      [CHAT_DATE, 'f1', id, credentials.client_id, 'ACME', new Date(fired).toISOString(), 100],
    );
    app.context.answers.forget(null);
    const { alerts, missing } = await reviewOf(EVENING);
    expect(missing).toEqual([]);
    expect(alerts).toMatchObject([{ symbol: 'ACME', fired_at: new Date(fired).toISOString() }]);
    const url = `/api/graph/v1/stocks/ACME/bars?interval=1m&from=${CHAT_DATE}T15:29:00Z&limit=1`;
    const { close } = (await server.inject({ url, headers: bearer(whole) })).json();
    expect(alerts[0].after_30m_pct).toBeCloseTo(close[0] - 100, 4);
    // Before it fired, and before the half hour is over.
    expect((await reviewOf(`${EVENING}&as_of=${CHAT_DATE}T14:59:00Z`)).alerts).toEqual([]);
    const soon = await reviewOf(`${EVENING}&as_of=${CHAT_DATE}T15:10:00Z`);
    expect(soon.alerts).toMatchObject([{ after_30m_pct: null }]);
    // Of nobody else.
    expect((await ask(EVENING, strange, 'review')).bytes).toContain('"alerts":[]');
  });

  it.each([
    [404, 'a session that has not opened', 'symbols=ACME&date=2024-03-14', 'has not opened'],
    [422, 'more sessions than are counted', 'symbols=ACME&sessions=21', '20'],
  ])('%i for %s', async (status, _, query, said) => {
    const answer = await ask(query, whole, 'review');
    expect([answer.status, answer.bytes]).toEqual([status, expect.stringContaining(said)]);
  });
});
