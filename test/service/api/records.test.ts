import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { controlsOf, SUM_FIELDS } from '../../../src/records/events.ts';
import { level } from '../../../src/records/level.ts';
import { writeClaimDays } from '../../../src/records/store.ts';
import { bearer, newCredentials, tokenFrom } from '../../support/access.ts';
import { expectDocumented } from '../../support/answers.ts';
import { bring, freshApp, freshDatabase, serverOf } from '../../support/app.ts';
import { CLAIM_STOCKS, claimChains, claimDays, claimMinutes } from '../../support/claim-market.ts';

/** The contract of `GET /api/graph/v1/records` and of the claims behind one, by status. */

const calendar = newYorkCalendar();
const LAST = '2025-05-30';
const SESSIONS = calendar.sessionsBetween('2025-05-05', LAST);

const { app } = await freshApp({ TIGRAPH_NOW: '2025-06-01T12:00:00Z' });
const server = await serverOf(app);
const days = claimDays('2024-09-03', '2024-09-03', LAST);
const STOCKS = CLAIM_STOCKS.slice(0, 4);
await bring(app, [
  ...days,
  ...STOCKS.map((symbol) => claimMinutes(days, symbol, SESSIONS)),
  ...STOCKS.flatMap((symbol) => claimChains(days, symbol, SESSIONS)),
]);
await bringRecordsUpToDate(app.context, { range: { from: SESSIONS[0] } });

const ROOT = '/api/graph/v1/records';
const get = (query = '', token?: string, accept?: string) =>
  server.inject({ url: `${ROOT}${query}`, headers: { ...bearer(token), ...(accept ? { accept } : {}) } });

interface Counted {
  readonly id: string;
  readonly n: number;
  readonly true: number;
  readonly verdict: string;
}

interface Event {
  readonly symbol: string;
  readonly claim: string;
  readonly price: number;
  readonly begun_at: string;
  readonly outcome: string;
}

async function everyEvent(query: string, token?: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor = ''; ; ) {
    const page = (await get(`${query}&limit=7${cursor}`, token)).json();
    events.push(...page.events);
    if (page.next_cursor === null) return events;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** A token whose grant covers two of the stocks. */
const narrowedToken = async (): Promise<string> =>
  tokenFrom(server, await newCredentials(app.context.database, { symbols: STOCKS.slice(0, 2) }), [
    'market:read',
  ]);

describe('200', () => {
  it('counts what its pages of claims list, each once, the newest first', async () => {
    const response = await get('?kind=level');
    await expectDocumented(server, ROOT, response.json());
    const { records } = response.json() as { records: Counted[] };
    const pivot = records.find(({ id }) => id === 'level.pivot')!;
    expect(pivot.n).toBeGreaterThan(50);
    await expectDocumented(server, `${ROOT}/{id}/events`, (await get('/level.pivot/events')).json());
    const events = await everyEvent('/level.pivot/events?outcome=all');
    expect(events.filter(({ outcome }) => outcome === 'true')).toHaveLength(pivot.true);
    expect(events.filter(({ outcome }) => outcome === 'false')).toHaveLength(pivot.n - pivot.true);
    const instants = events.map(({ begun_at }) => begun_at);
    expect(instants).toEqual(instants.toSorted().reverse());
    expect(await everyEvent('/level.pivot/events?outcome=false')).toEqual(
      events.filter(({ outcome }) => outcome === 'false'),
    );
  });

  it('gives the same page as an Arrow stream', async () => {
    const url = '/level.pivot/events?limit=5';
    const page = (await get(url)).json();
    const table = tableFromIPC((await get(url, undefined, 'application/vnd.apache.arrow.stream')).rawPayload);
    expect(table.schema.metadata.get('next_cursor')).toBe(page.next_cursor);
    const rows = table.toArray().map((row) => row.toJSON());
    expect(rows.map(({ symbol, outcome, price }) => ({ symbol, outcome, price }))).toEqual(
      page.events.map(({ symbol, outcome, price }: Record<string, unknown>) => ({ symbol, outcome, price })),
    );
    expect(rows.map(({ begun_at }) => new Date(Number(begun_at)).toISOString())).toEqual(
      page.events.map(({ begun_at }: Event) => begun_at),
    );
  });

  it('says too few, with counts, of a period without events', async () => {
    const { records } = (await get('?kind=level&key=pivot&from=2019-01-02&to=2019-02-01')).json();
    expect(records).toMatchObject([{ n: 0, dates: 0, rate: null, chance: null, verdict: 'too_few' }]);
    expect(records[0].says).toContain('too few');
  });

  it('gives a filter of the caller no verdict', async () => {
    for (const filter of ['symbol=SA', 'regime=NORMAL', 'from=2025-05-06']) {
      const { records } = (await get(`?${filter}`)).json() as { records: Counted[] };
      expect(
        [...new Set(records.map(({ verdict }) => verdict))].filter((verdict) => verdict !== 'too_few'),
      ).toEqual(filter.startsWith('regime') ? [] : ['explored']);
    }
  });

  it('sums over the symbols of a narrowed grant alone', async () => {
    const token = await narrowedToken();
    const { records } = (await get('?kind=level&key=pivot', token)).json() as { records: Counted[] };
    const own = STOCKS.slice(0, 2);
    const alone = await Promise.all(
      own.map(
        async (symbol) => (await get(`?kind=level&key=pivot&symbol=${symbol}`)).json().records[0] as Counted,
      ),
    );
    expect(records[0]!.n).toBe(alone.reduce((sum, { n }) => sum + n, 0));
    expect(records[0]!.n).toBeGreaterThan(0);
    const events = await everyEvent('/level.pivot/events?outcome=all', token);
    expect([...new Set(events.map(({ symbol }) => symbol))].sort()).toEqual(own);
  });

  it('counts nothing that closed after the instant of the caller', async () => {
    const asOf = new Date(calendar.session(SESSIONS[3]!)!.close - 60_000).toISOString();
    const [past, now] = await Promise.all(
      [`?kind=level&key=pivot&as_of=${asOf}`, '?kind=level&key=pivot'].map(async (query) =>
        (await get(query)).json(),
      ),
    );
    expect(past.as_of).toBe(new Date(calendar.session(SESSIONS[2]!)!.close).toISOString());
    expect(past.records[0].n).toBeLessThan(now.records[0].n);
    const events = await everyEvent(`/level.pivot/events?outcome=all&as_of=${asOf}`);
    expect(events.every(({ begun_at }) => begun_at <= asOf)).toBe(true);
    expect(events.some(({ outcome }) => outcome === 'open')).toBe(true);
  });
});

describe('the best of a kind', () => {
  it('stands beside how often the best of as many looks as good, and not of what the caller chose', async () => {
    const { app: other } = await freshApp({ TIGRAPH_NOW: '2025-06-01T12:00:00Z' });
    const dates = calendar.sessionsBetween('2025-01-02', LAST);
    const count = (events: number, held: number) => [
      SUM_FIELDS.map((field) => (field === 'events' ? events : field === 'true' ? held : 0)),
    ];
    const rows = dates.map((tradeDate, at) => {
      const by = at % 4;
      const sums = JSON.stringify({
        [controlsOf('opening')]: [[0, 0, 40, 40, 18 + by]],
        [controlsOf('pivot')]: [[0, 0, 40, 40, 18 + by]],
        opening: count(10, 4 + ((at + 1) % 4)),
        pivot: count(10, 7 + (by % 2)),
      });
      const digest = tradeDate;
      return {
        symbol: '*',
        tradeDate,
        formula: level.version,
        regime: 'NORMAL',
        digest,
        sums,
        terms: null,
        events: [],
      };
    });
    const { database: store } = other.context;
    await store.write(`insert into symbol_market (symbol, simulated) values ('MADE', true)`);
    await writeClaimDays(store, true, 'level', dates, rows);
    const own = await serverOf(other);
    const bestOf = async (query: string) => (await own.inject(`${ROOT}${query}`)).json().best;
    const answer = (await own.inject(ROOT)).json();
    await expectDocumented(own, ROOT, answer);
    expect(answer.best).toMatchObject([{ kind: 'level', key: 'pivot', of: 2, p: 0.001, simulated: true }]);
    const [{ says, edge }] = answer.best;
    expect(edge).toBeCloseTo(0.2625, 1);
    expect(says).toMatch(
      /^Of 2 kinds of levels tested the best is pivot levels, \+\d+ points over chance; by luck alone the best looks as good less than once in 100\. SIMULATED/,
    );
    expect(await bestOf('?key=opening')).toEqual(answer.best);
    for (const query of ['?kind=pattern', '?key=doji', '?regime=NORMAL', '?from=2025-01-02'])
      expect(await bestOf(query)).toEqual([]);
  });
});

describe('a symbol-day of very many claims', () => {
  it('is written again after an interruption, also when its former content comes back', async () => {
    const store = await freshDatabase();
    const begunAt = calendar.session(LAST)!.open;
    const claims = (outcome: 'true' | 'false') =>
      Array.from({ length: 600 }, (_, place) => ({
        key: 'pivot',
        claim: `P${place}`,
        begunAt: begunAt + place,
        decidedAt: null,
        side: 1 as const,
        price: place,
        outcome,
        isGone: false,
        isAmbiguous: false,
        chance: null,
        controls: 0,
      }));
    const write = (outcome: 'true' | 'false', to = store) => {
      const day = { symbol: 'MANY', tradeDate: LAST, formula: 1, regime: null, terms: null, sums: '' };
      const content = { digest: outcome, events: claims(outcome) };
      return writeClaimDays(to, false, 'level', [LAST], [{ ...day, ...content }]);
    };
    const stored = () =>
      store.query(`select claim, outcome from claim_event where symbol = 'MANY' order by place`);
    const whole = claims('true').map(({ claim, outcome }) => ({ claim, outcome }));
    await write('true');
    expect(await stored()).toEqual(whole);
    let left = 2;
    const broken = {
      ...store,
      async atomically(statements: Parameters<typeof store.atomically>[0]) {
        if (left-- === 0) throw new Error('the process ends here');
        await store.atomically(statements);
      },
    };
    await expect(write('false', broken)).rejects.toThrow('the process ends here');
    expect((await stored()).length).toBeLessThan(600);
    expect([await write('true'), await write('true')]).toEqual([1, 0]);
    expect(await stored()).toEqual(whole);
  });
});

describe('claims of a level that moves', () => {
  it.each(['vwap', 'developing_profile'])('of %s are of what was served a minute before', async (family) => {
    const events = await everyEvent(`/level.${family}/events?outcome=all`);
    expect(new Set(events.map(({ claim }) => claim)).size).toBeGreaterThan(2);
    for (const { symbol, claim, begun_at, price } of events.slice(-12)) {
      // A bar counts at its end; what it met was known when it began.
      const before = new Date(Date.parse(begun_at) - 60_000).toISOString();
      const url = `/api/graph/v1/stocks/${symbol}?as_of=${before}&include=levels`;
      expect((await server.inject(url)).json().levels[claim]).toBeCloseTo(price, 3);
    }
  });
});

describe('beside what is claimed', () => {
  it('stands by each level and pattern of a stock, on request alone', async () => {
    const url = '/api/graph/v1/stocks/SA';
    const stock = (await server.inject(`${url}?include=level_ladder,patterns,records`)).json();
    await expectDocumented(server, '/api/graph/v1/stocks/{symbol}', stock);
    const { records } = (await get()).json() as { records: (Counted & { says: string })[] };
    const of = (id: string) => records.find((record) => record.id === id);
    expect(stock.level_ladder.levels.length).toBeGreaterThan(10);
    for (const { family, record } of stock.level_ladder.levels) {
      const whole = of(`level.${family}`)!;
      expect([record.id, record.n, record.says]).toEqual([whole.id, whole.n, whole.says]);
    }
    for (const { type, record } of stock.patterns) expect(record.says).toBe(of(`pattern.${type}`)!.says);
    const plain = (await server.inject(`${url}?include=level_ladder,patterns`)).json();
    expect(plain.level_ladder.levels[0].record).toBeUndefined();
    for (const level of stock.level_ladder.levels) delete level.record;
    expect(stock.level_ladder).toEqual(plain.level_ladder);
  });

  const contextOf = async (page: string) => {
    const url = `/api/graph/v1/chat/context?page_type=${page}&symbol=SA&max_tokens=32000`;
    const chat = (await server.inject(url)).json();
    const facts = new Map<string, number>(
      chat.facts.map((fact: { id: string; value: number }) => [fact.id, fact.value]),
    );
    return { chat, facts };
  };
  const verdicts = async (text: string) => {
    const payload = { symbol: 'SA', text };
    const { claims } = (
      await server.inject({ method: 'POST', url: '/api/graph/v1/chat/verify', payload })
    ).json();
    return claims.map(({ verdict }: { verdict: string }) => verdict);
  };

  it('is a fact of a chat context, which a draft may quote and not contradict', async () => {
    const { chat, facts } = await contextOf('stock_detail');
    const [record] = (await get('?kind=level&key=pivot')).json().records;
    expect(facts.get('record.level.pivot.rate')).toBeCloseTo(100 * record.rate, 1);
    expect(facts.get('record.level.pivot.chance')).toBeCloseTo(100 * record.chance, 1);
    expect(facts.get('record.level.pivot.n')).toBe(record.n);
    const [shown] = chat.stock_data.records.filter(({ key }: { key: string }) => key === 'pivot');
    expect(shown).toMatchObject({ kind: 'level', n: record.n, true: record.true });
    const rate = facts.get('record.level.pivot.rate')!;
    const said = (value: number) => `Pivot levels held ${value}% [record.level.pivot.rate] of the time.`;
    expect(await verdicts(said(rate))).toEqual(['matches']);
    expect(await verdicts(said(rate + 20))).toEqual(['contradicts']);
  });

  it('is one of the expirations that a context recommends, and of no other trade', async () => {
    const { chat, facts } = await contextOf('options');
    const expiration = 'record.expiration.swing.bullish';
    const [swing] = (await get('?kind=expiration&key=swing.bullish')).json().records;
    expect(facts.get('dte.bullish.expiration')).toBeDefined();
    expect(facts.get(`${expiration}.rate`)).toBeCloseTo(100 * swing.rate, 1);
    expect(facts.get(`${expiration}.chance`)).toBeCloseTo(100 * swing.chance, 1);
    expect(facts.has('record.expiration.position.bullish.rate')).toBe(false);
    const shown = chat.stock_data.records.map(({ kind, key }: Record<string, string>) => `${kind}.${key}`);
    expect(shown).toContain('expiration.swing.bearish');
    const beat = (value: number) =>
      `Expirations recommended for bullish swings beat their premium ${value}% [${expiration}.rate] of the time.`;
    expect(await verdicts(beat(facts.get(`${expiration}.rate`)!))).toEqual(['matches']);
    expect(await verdicts(beat(70))).toEqual(['contradicts']);
  });
});

describe('a count from the page of records', () => {
  const url = '/api/internal/records/build';

  it('runs once at a time in the background, and counts what was not counted', async () => {
    const { app: own } = await freshApp({ TIGRAPH_NOW: '2025-06-01T12:00:00Z' });
    const service = await serverOf(own);
    const few = claimDays('2025-03-03', '2025-03-03', LAST).slice(0, 2);
    const symbols = CLAIM_STOCKS.slice(0, 2);
    await bring(own, [...few, ...symbols.map((symbol) => claimMinutes(few, symbol, SESSIONS.slice(-3)))]);
    expect((await service.inject(url)).json()).toEqual({ state: 'idle', share_done: null });
    const [one, other] = await Promise.all([0, 1].map(() => service.inject({ method: 'POST', url })));
    await expectDocumented(service, url, one!.json(), 'post');
    expect([one!.json().state, other!.json().state]).toEqual(['building', 'building']);
    await own.idle();
    expect((await service.inject(url)).json()).toEqual({ state: 'built', share_done: null });
    const { records } = (await service.inject(`${ROOT}?kind=level`)).json();
    expect(records.some(({ n }: Counted) => n > 0)).toBe(true);
  });

  it('is refused to a caller whose grant is narrowed', async () => {
    const refused = await server.inject({ method: 'POST', url, headers: bearer(await narrowedToken()) });
    expect(refused.statusCode).toBe(403);
  });
});

describe('an explanation', () => {
  it('has the ledger that sums to the score, its inputs with instants, and the record', async () => {
    const url = '/api/graph/v1/stocks/SA';
    const answer = (await server.inject(`${url}/explain?field=bullish_confluence`)).json();
    await expectDocumented(server, '/api/graph/v1/stocks/{symbol}/explain', answer);
    const sum = answer.ledger.reduce(
      (total: number, line: { contribution: number }) => total + line.contribution,
      0,
    );
    expect(sum).toBeCloseTo(answer.value, 3);
    expect(answer.inputs.length).toBeGreaterThan(5);
    for (const { instant } of answer.inputs) expect(instant <= answer.as_of).toBe(true);
    expect(answer.record.id).toBe('score.bullish_confluence.5d');
    // No VIX and no news were brought: what would wake their lines is said.
    const next = new Map(answer.import_next.map((one: { data: string }) => [one.data, one]));
    expect(next.get('volatility_index')).toMatchObject({ wakes: ['vix_regime'] });
    expect(next.has('daily_bars')).toBe(false);
    expect(next.has('earnings')).toBe(true);
    expect(answer.nearest_flip_says).toContain('All else equal');
    const stock = (await server.inject(url)).json();
    expect(answer.value).toBe(stock.bullish_confluence);
  });

  it('of a level has the record of its family, and of any other field none', async () => {
    const of = async (field: string) =>
      (await server.inject(`/api/graph/v1/stocks/SA/explain?field=${field}`)).json();
    const [record] = (await get('?kind=level&key=prior_day')).json().records;
    const level = await of('levels.pdh');
    expect([level.record.id, level.record.n]).toEqual(['level.prior_day', record.n]);
    expect(await of('volume')).toMatchObject({ record: null, ledger: [], inputs: [], nearest_flip: null });
  });

  it('of an unknown field names the nearest', async () => {
    const response = await server.inject('/api/graph/v1/stocks/SA/explain?field=bullish_confluense');
    expect(response.statusCode).toBe(422);
    expect(response.json().detail[0].msg).toContain("did you mean 'bullish_confluence'?");
  });
});

describe('403', () => {
  it('refuses a symbol beyond the grant', async () => {
    const token = await narrowedToken();
    for (const query of ['?symbol=SD', '/level.pivot/events?symbol=SD'])
      expect((await get(query, token)).statusCode).toBe(403);
  });
});

describe('422', () => {
  it.each([
    ['?key=prior_da', 'prior_day, prior_week'],
    ['?kind=pattern&key=prior_day', 'double_top, double_bottom'],
    ['?regime=QUIET', 'COMPLACENT, NORMAL, ELEVATED, EXTREME_FEAR'],
    ['/level.nothing/events', 'level.prior_day, level.prior_week'],
    ['?from=2025-05-02&to=2025-05-01', 'should not be after'],
    ['/level.pivot/events?cursor=abc.1.1.', 'another query'],
  ])('refuses %s and lists what there is', async (query, known) => {
    const response = await get(query);
    expect(response.statusCode).toBe(422);
    expect(response.json().detail[0].msg).toContain(known);
  });
});
