import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { FlowMinuteColumns } from '../../../src/market/observations.ts';
import { asBars } from '../../../src/market/series.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { expectRefused } from '../../support/answers.ts';
import { appOn, feedOf, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { at, type BarRow, barsOf } from '../../support/tape.ts';

const DATE = '2024-03-12';
const session = newYorkCalendar().session(DATE)!;
const BARS = '/api/graph/v1/stocks/ACME/bars';

/** Minutes of the session from 09:30 until an instant: each opens at its place, and trades 100 shares. */
function minutesUntil(instant: number, bump = 0): Delivery {
  const rows: BarRow[] = [];
  for (let time = session.open; time < instant; time += MINUTE_MS) {
    const place = 100 + (time - session.open) / MINUTE_MS / 100 + bump;
    rows.push([time, place, place + 0.5, place - 0.5, place + 0.25, 100]);
  }
  return { kind: 'bars', symbol: 'ACME', interval: '1m', columns: asBars(barsOf('bars-1m', rows)) };
}

/** The prints of the same minutes: of 100 shares 60 bought, by the quote and by the tick rule, and 30 sold. */
function printsUntil(instant: number): Delivery {
  const count = (instant - session.open) / MINUTE_MS;
  const all = (value: number): Float64Array => new Float64Array(count).fill(value);
  const columns: FlowMinuteColumns = {
    time: Float64Array.from({ length: count }, (_, minute) => session.open + minute * MINUTE_MS),
    trades: all(4),
    volume: all(100),
    notional: all(10_050),
    offExchangeVolume: all(30),
    blockTrades: all(0),
    blockVolume: all(0),
    buyByQuote: all(45),
    buyByTick: all(15),
    sellByQuote: all(20),
    sellByTick: all(10),
    lockedVolume: all(0),
  };
  return { kind: 'flow-minutes', symbol: 'ACME', columns };
}

/** A service at 11:07 of the session, and its answers to a caller whose data are a quarter of an hour old. */
async function service(now = at(DATE, '11:07'), extra: readonly Delivery[] = []) {
  const { app, store } = await freshApp({ TIGRAPH_NOW: new Date(now).toISOString() });
  const history = dailyBars('ACME', '2024-01-02', '2024-03-11');
  await importFeed(app.context, feedOf({ history: [history], minutes: [minutesUntil(now)], extra }));
  const server = await app.server();
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    server.inject({ url: `${BARS}?${query}`, headers });
  return {
    app,
    store,
    ask,
    async get(query: string) {
      const response = await ask(query);
      expect(response.statusCode, response.body).toBe(200);
      return response.json();
    },
    async stock() {
      return (await server.inject('/api/graph/v1/stocks/ACME')).json();
    },
    async fault(query: string) {
      const response = await ask(query);
      expect(response.statusCode, response.body).toBe(422);
      return response.json().detail[0];
    },
  };
}

/** Of this one nothing is asked but what it has. */
const usual = await service();

const ARROW = 'application/vnd.apache.arrow.stream';

describe('bars', () => {
  it('of a delayed caller end with the last whole minute that is old enough, the last bar unfinished', async () => {
    const { get } = usual;
    const minutes = await get('interval=1m');
    expect(minutes.as_of).toBe('2024-03-12T14:52:00.000Z');
    expect([minutes.time[0], minutes.time.at(-1)]).toEqual([
      '2024-03-12T13:30:00.000Z',
      '2024-03-12T14:51:00.000Z',
    ]);
    expect(minutes).toMatchObject({ source: 'delayed', unfinished: false, next_cursor: null });
    const quarters = await get('interval=15m');
    // 10:45 to 10:52 New York: seven minutes of the bar.
    expect(quarters.time.at(-1)).toBe('2024-03-12T14:45:00.000Z');
    expect([quarters.volume.at(-1), quarters.volume.at(-2), quarters.unfinished]).toEqual([700, 1500, true]);
    const days = await get('interval=1d');
    expect([days.time.at(-1), days.volume.at(-1), days.unfinished]).toEqual([DATE, 8200, true]);
    expect([days.open.at(-1), days.close.at(-1)]).toEqual([100, 101.06]);
    const weeks = await get('interval=1w&from=2024-03-04');
    expect([weeks.time, weeks.unfinished]).toEqual([['2024-03-04', '2024-03-11'], true]);
  });

  it('say what was bought less sold, and nothing where no print is known', async () => {
    const { get, stock } = await service(at(DATE, '11:07'), [printsUntil(at(DATE, '11:07'))]);
    const minutes = await get('interval=1m');
    expect(new Set(minutes.delta)).toEqual(new Set([30]));
    const quarters = await get('interval=15m');
    expect([quarters.delta.at(-2), quarters.delta.at(-1)]).toEqual([450, 210]);
    const days = await get('interval=1d');
    expect([days.delta.at(-2), days.delta.at(-1), days.vwap.at(-1)]).toEqual([null, 82 * 30, 100.5]);
    expect((await stock()).cvd).toBe(days.delta.at(-1));
  });

  it('show what another process has imported since, as soon as it is announced', async () => {
    const { app, get, store } = await service();
    const december = 'interval=1d&from=2023-12-01&to=2023-12-29';
    expect((await get(december)).time).toEqual([]);
    const other = await appOn(store);
    await importFeed(
      other.context,
      feedOf({ earlier: [dailyBars('ACME', '2023-12-01', '2023-12-29')] }, 'later'),
    );
    await app.idle();
    expect((await get(december)).time).toHaveLength(20);
  });

  it('are the same whatever has happened in the last quarter of an hour', async () => {
    const lie: Delivery = {
      kind: 'bars',
      symbol: 'ACME',
      interval: '1d',
      columns: asBars(barsOf('bars-1d', [[Date.UTC(2024, 2, 12), 1, 900, 1, 800, 5]])),
    };
    const other = await service(at(DATE, '11:07'), [lie]);
    for (const interval of ['1m', '5m', '1h', '1d', '1w']) {
      expect(await other.get(`interval=${interval}`)).toEqual(await usual.get(`interval=${interval}`));
    }
  });

  it('as of an earlier minute are those that a caller got then', async () => {
    const { get } = usual;
    const earlier = await service(at(DATE, '10:20'));
    for (const interval of ['1m', '30m', '1d']) {
      const now = await get(`interval=${interval}&as_of=2024-03-12T10:05:30-04:00`);
      expect(now).toEqual(await earlier.get(`interval=${interval}`));
    }
  });

  it('come in pages without a gap, and as an Arrow stream', async () => {
    const { get, ask } = usual;
    const query = `interval=1m&from=${DATE}`;
    const whole = await get(query);
    const times: string[] = [];
    let cursor = '';
    for (let page = 0; page < 9; page++) {
      const part = await get(`${query}&limit=10${cursor}`);
      times.push(...part.time);
      if (part.next_cursor === null) break;
      cursor = `&cursor=${part.next_cursor}`;
    }
    expect(times).toEqual(whole.time);
    const arrow = await ask(query, { accept: 'application/vnd.apache.arrow.stream' });
    expect(arrow.headers['content-type']).toBe('application/vnd.apache.arrow.stream');
    const table = tableFromIPC(arrow.rawPayload);
    expect(table.schema.metadata.get('as_of')).toBe(whole.as_of);
    expect(Array.from(table.getChild('close')!)).toEqual(whole.close);
    expect(Array.from(table.getChild('vwap')!)).toEqual(whole.vwap);
    expect(Array.from(table.getChild('time')!, (time) => new Date(Number(time)).toISOString())).toEqual(
      whole.time,
    );
    const elsewhere = await ask('', { accept: 'application/vnd.apache.arrow.stream' });
    expect(elsewhere.statusCode).toBe(200);
  });

  it('without a beginning are the newest, and pages go back to the first bar of the tape', async () => {
    const { get } = await service(at(DATE, '11:07'), [dailyBars('ACME', '2020-01-02', '2020-01-31')]);
    const few = await get('interval=1d&limit=3');
    expect([few.time, few.unfinished]).toEqual([['2024-03-08', '2024-03-11', DATE], true]);
    expect((await get('interval=1d&to=2024-03-08&limit=2')).time).toEqual(['2024-03-07', '2024-03-08']);
    // Without a number of bars a year, an open session or five years as before.
    expect((await get('interval=1d')).time[0]).toBe('2024-01-02');
    for (const [interval, first] of [
      ['1d', '2020-01-02'],
      ['1w', '2019-12-30'],
      ['1h', '2024-03-12T13:30:00.000Z'],
      ['5m', '2024-03-12T13:30:00.000Z'],
    ] as const) {
      const whole = await get(`interval=${interval}&from=${interval === '1d' ? '2020-01-01' : '2023-12-01'}`);
      for (const limit of [1, 7, 16]) {
        const pages: { time: string[]; close: number[]; unfinished: boolean }[] = [];
        let cursor = '';
        do {
          const page = await get(`interval=${interval}&limit=${limit}${cursor}`);
          expect(page.time.length, `${interval} ${limit} ${cursor} ${pages.length}`).toBeGreaterThan(0);
          expect(page.unfinished, `page ${pages.length}`).toBe(pages.length === 0 && whole.unfinished);
          pages.unshift(page);
          cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
        } while (cursor !== '');
        const times = pages.flatMap(({ time }) => time);
        expect(times[0]).toBe(first);
        expect(times.slice(-whole.time.length)).toEqual(whole.time);
        expect(pages.flatMap(({ close }) => close).slice(-whole.close.length)).toEqual(whole.close);
        expect(new Set(times).size).toBe(times.length);
      }
    }
  });

  it('of many days of minutes let what others ask for go first, on threads and in the database', async () => {
    const { app, get } = await service();
    const { deriver, tape, metrics, database } = app.context;
    const bars = deriver.bars.bind(deriver);
    const isBulk: unknown[] = [];
    deriver.bars = (request, options) => {
      isBulk.push(options?.isBulk);
      return bars(request, options);
    };
    // Each reads what the tape has of the stock, which the next one would find in memory.
    Object.assign(app.context, { tapes: tape });
    const waits = metrics.families().find(({ name }) => name === 'tigraph_database_wait_seconds')!;
    const readBehind = async (): Promise<number> =>
      (await waits.read()).find(({ suffix, labels }) => suffix === '_count' && labels.pool === 'background')
        ?.value ?? 0;
    const counts = [await readBehind()];
    for (const query of [
      'interval=1m&from=2024-01-03',
      'interval=1m&from=2024-03-01',
      'interval=1d&from=2024-01-03',
    ]) {
      await get(query);
      counts.push(await readBehind());
    }
    const [before, ...after] = counts as [number, ...number[]];
    expect(isBulk).toEqual([true, false, false]);
    expect(after.map((count) => count - before)).toEqual(Array(3).fill(database.kind === 'embedded' ? 1 : 0));
  });

  it('are refused with a way out', async () => {
    const { ask, fault } = usual;
    expect(await fault('interval=7m')).toMatchObject({ loc: ['query', 'interval'], type: 'literal_error' });
    expect(await fault('from=2024-03-12&to=2024-03-11')).toMatchObject({ loc: ['query', 'from'] });
    expect(await fault('interval=1m&from=2020-01-01')).toMatchObject({
      msg: 'Range should be at most 370 days at 1m; ask for it in parts',
      ctx: { max_days: 370 },
    });
    expect(await fault('as_of=2024-03-12T15:00:00Z')).toMatchObject({
      type: 'as_of_not_reached',
      ctx: { newest: '2024-03-12T14:52:00.000Z' },
    });
    for (const text of ['2024-03-12', '2024-03-12T10:00:00', '2024-02-30T10:00:00Z', 'noon']) {
      expect(await fault(`as_of=${text}`)).toMatchObject({ type: 'datetime_parsing' });
    }
    expect(await fault('from=2024-02-30')).toMatchObject({ type: 'datetime_parsing' });
    const { next_cursor } = (await ask('interval=1m&limit=1')).json();
    expect(await fault(`interval=5m&limit=1&cursor=${next_cursor}`)).toMatchObject({
      loc: ['query', 'cursor'],
    });
    await expectRefused(ask('as_of=2023-12-01T15:00:00Z'), 404, 'no_data_for_date', '2024-01-02');
  });

  it('of a date without a session are none, and as of a holiday end with the session before', async () => {
    const { get } = usual;
    expect((await get('interval=1m&from=2024-03-09&to=2024-03-10')).time).toEqual([]);
    expect((await get('interval=1d&as_of=2024-02-19T15:00:00Z')).time.at(-1)).toBe('2024-02-16');
  });
});

describe('Arrow', () => {
  it('holds the numbers of JSON on both sides of a split', async () => {
    const split: Delivery = {
      kind: 'actions',
      symbol: 'ACME',
      actions: [{ kind: 'split', exDate: Date.UTC(2024, 0, 22), value: 4 }],
    } as never;
    const minutes = minuteBars('ACME', '2024-01-18', '2024-01-24');
    const { get, ask } = await service(at(DATE, '11:07'), [minutes, split]);
    const pages = ['from=2024-01-02', 'from=2024-01-18&to=2024-01-25', 'limit=7'];
    const queries = ['1m', '15m', '1d', '1w'].flatMap((interval) =>
      ['true', 'false'].flatMap((adjusted) =>
        pages.map((page) => `interval=${interval}&adjusted=${adjusted}&session=all&${page}`),
      ),
    );
    for (const query of queries) {
      const json = await get(query);
      const table = tableFromIPC((await ask(query, { accept: ARROW })).rawPayload);
      expect(json.time.length).toBeGreaterThan(0);
      for (const column of ['open', 'high', 'low', 'close', 'volume', 'vwap', 'delta']) {
        expect(Array.from(table.getChild(column)!), `${query} ${column}`).toEqual(json[column]);
      }
    }
  });

  it('is not acceptable where only JSON is served', async () => {
    const server = await serverOf(usual.app);
    const ask = (accept: string) =>
      server.inject({ url: '/api/graph/v1/market/context', headers: { accept } });
    await expectRefused(ask('application/vnd.apache.arrow.stream'), 406, 'not_acceptable');
    expect((await ask('application/vnd.apache.arrow.stream, */*;q=0.1')).statusCode).not.toBe(406);
  });
});
