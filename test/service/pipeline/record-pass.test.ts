import { describe, expect, it } from 'vitest';
import { anonymousCaller } from '../../../src/api/access/viewer.ts';
import { listRecordEvents } from '../../../src/api/records/list-record-events.ts';
import { listRecords } from '../../../src/api/records/list-records.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import type { App } from '../../../src/app.ts';
import { dayOf, newYorkCalendar } from '../../../src/base/calendar.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { keepGraphFresh } from '../../../src/pipeline/background-pass.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { findPeersOnce } from '../../../src/pipeline/topology-pass.ts';
import { binsOf, SUM_FIELDS } from '../../../src/records/events.ts';
import { CLAIM_KINDS, RECORD_KINDS } from '../../../src/records/index.ts';
import { claimVersion } from '../../../src/records/store.ts';
import { bring, freshMarket } from '../../support/app.ts';
import { mapColumns } from '../../support/bar-columns.ts';
import {
  CLAIM_STOCKS,
  type ClaimDelivery,
  claimChains,
  claimDays,
  claimMinutes,
} from '../../support/claim-market.ts';
import { peerMarket } from '../../support/peer-market.ts';

const calendar = newYorkCalendar();
const FIRST = '2024-09-03';
/** The first month that is recorded, and the one after it. */
const FROM = '2025-05-01';
const MIDDLE = '2025-05-30';
const LAST = '2025-06-30';
const NOW = '2025-07-01T12:00:00Z';
const MINUTES = calendar.sessionsBetween('2025-05-12', MIDDLE);
const LATER_MINUTES = calendar.sessionsBetween('2025-06-02', '2025-06-13');
const STOCKS_BY_MINUTE = CLAIM_STOCKS.slice(0, 3);

const allDays = claimDays(FIRST, FIRST, LAST);
const until = (delivery: ClaimDelivery, date: string): ClaimDelivery =>
  part(delivery, (time) => time <= Date.parse(`${date}T00:00:00Z`));
const after = (delivery: ClaimDelivery, date: string): ClaimDelivery =>
  part(delivery, (time) => time > Date.parse(`${date}T00:00:00Z`));

function part(delivery: ClaimDelivery, isKept: (time: number) => boolean): ClaimDelivery {
  const rows = [...delivery.columns.time.keys()].filter((row) => isKept(delivery.columns.time[row]!));
  const columns = mapColumns(delivery.columns, (column) => Float64Array.from(rows, (row) => column[row]!));
  return { ...delivery, columns };
}

const minutesOf = (dates: readonly string[]): ClaimDelivery[] =>
  STOCKS_BY_MINUTE.map((symbol) => claimMinutes(allDays, symbol, dates));

const chainsOf = (dates: readonly string[]): Delivery[] =>
  STOCKS_BY_MINUTE.flatMap((symbol) => claimChains(allDays, symbol, dates));

/** A market up to the end of the first month, whose records are built. */
async function recordedMonth(): Promise<App> {
  const app = await freshMarket({ TIGRAPH_NOW: NOW }, [
    ...allDays.map((days) => until(days, MIDDLE)),
    ...minutesOf(MINUTES),
    ...chainsOf(MINUTES),
  ]);
  await syncGraph(app.context, { kind: 'range', from: '2025-05-26', to: MIDDLE });
  await bringRecordsUpToDate(app.context, { range: { from: FROM } });
  await bringRecordsUpToDate(app.context);
  return app;
}

const [NEXT, ...AFTER_NEXT] = LATER_MINUTES as [string, ...string[]];

/** One market for all who only read it or bring it more, in the order of their tests. */
const month = await recordedMonth();
let later: Promise<void> | undefined;
async function laterMonth(): Promise<void> {
  await bring(month, [
    ...allDays.map((days) => after(days, NEXT)),
    ...minutesOf(AFTER_NEXT),
    ...chainsOf(AFTER_NEXT),
  ]);
  await bringRecordsUpToDate(month.context);
}
async function bothMonths(): Promise<App> {
  later ??= nextSession().then(laterMonth);
  await later;
  return month;
}

/** The first session of the later month, brought to the market once. */
let next: Promise<void> | undefined;
const nextSession = (): Promise<void> => {
  next ??= bring(month, [
    ...allDays.map((days) => part(days, (time) => time === Date.parse(`${NEXT}T00:00:00Z`))),
    ...minutesOf([NEXT]),
    ...chainsOf([NEXT]),
  ]);
  return next;
};

const viewerAt = (asOf: number) => ({ ...anonymousCaller(0), asOf });

async function answersAt({ context }: App, asOf: number): Promise<string> {
  const records = await listRecords(context, {}, viewerAt(asOf));
  const pages = [];
  for (const id of IDS) pages.push(await listRecordEvents(context, { id, limit: 1_000 }, viewerAt(asOf)));
  return JSON.stringify([records, pages]);
}

const IDS = [
  'level.pivot',
  'pattern.doji',
  'pattern.spinning_top',
  'playbook.vwap_touch_long',
  'playbook.range_fade_long',
  'expiration.intraday.bullish',
];

const eventCount = async (app: App): Promise<Record<string, number>> => {
  const rows = await app.context.database.query<{ kind: string; count: number }>(
    'select kind, count(*)::integer as count from claim_event group by kind',
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
};

/** Trade dates of a kind whose rows are newer than a version. */
const changedSince = async (
  { context: { database } }: App,
  version: number,
  kind: string,
): Promise<string[]> => {
  const rows = await database.query<{ date: string }>(
    'select distinct trade_date::text as date from claim_day where version > $1 and kind = $2 order by 1',
    [version, kind],
  );
  return rows.map(({ date }) => date);
};

describe('a pass over records', () => {
  it('finds claims of every kind, and a second time has nothing to do', async () => {
    const app = month;
    const counts = await eventCount(app);
    expect(counts.level).toBeGreaterThan(100);
    expect(counts.pattern).toBeGreaterThan(50);
    expect(counts.score).toBeGreaterThan(50);
    expect(counts.playbook).toBeGreaterThan(100);
    expect(counts.expiration).toBeGreaterThan(50);
    const again = await bringRecordsUpToDate(app.context, { range: { from: FROM } });
    expect(again.dates).toBeGreaterThan(20);
    expect(again.written).toBe(0);
    expect(await bringRecordsUpToDate(app.context)).toEqual({ dates: 0, events: 0, written: 0 });
  });

  it('runs after the stock-days of a session that has come, and counts it', async () => {
    const app = month;
    const version = await claimVersion(app.context.database);
    await nextSession();
    const timers = new SteppedTimers();
    const scope = new Scope('passes', timers);
    await keepGraphFresh(scope, app.context, (error) => expect.fail(String(error)));
    await timers.advance(2_000, () => scope.idle());
    await scope.close();
    for (const kind of ['level', 'pattern', 'playbook', 'score'])
      expect([kind, await changedSince(app, version, kind)]).toEqual([kind, expect.arrayContaining([NEXT])]);
    // Deriving it anew, with all that it rests on, finds the same.
    expect((await bringRecordsUpToDate(app.context, { range: { from: NEXT } })).written).toBe(0);
    expect(await bringRecordsUpToDate(app.context)).toEqual({ dates: 0, events: 0, written: 0 });
  });

  it('answers a past instant with the same bytes before and after a later month', async () => {
    const app = month;
    const instants = [calendar.session('2025-05-20')!.open + 3_600_000, calendar.session(MIDDLE)!.close];
    const before = await Promise.all(instants.map((asOf) => answersAt(app, asOf)));
    await bothMonths();
    const again = await Promise.all(instants.map((asOf) => answersAt(app, asOf)));
    expect(again.map((bytes, at) => bytes === before[at])).toEqual([true, true]);
    // Something came of it all the same.
    expect((await answersAt(app, calendar.session(LAST)!.close)) === before[1]).toBe(false);
    expect(before[1]).toContain('"outcome":"false"');
  });

  it('derives the dates of a corrected row again, and no other', async () => {
    const app = await bothMonths();
    const version = await claimVersion(app.context.database);
    const [date] = MINUTES.slice(2);
    const corrected = part(
      minutesOf([date!])[0]!,
      (time) => time === calendar.session(date!)!.open + 7_200_000,
    );
    for (const column of ['high', 'close'] as const) corrected.columns[column][0]! *= 1.03;
    await bring(app, [corrected]);
    await bringRecordsUpToDate(app.context);
    for (const [kind, sessions] of [
      ['level', 12],
      ['playbook', 21],
    ] as const) {
      const changed = await changedSince(app, version, kind);
      const reach = calendar.sessionAt(calendar.sessionIndex(date!) + sessions)!.tradeDate;
      expect(changed).toContain(date);
      expect(changed.filter((each) => each < date! || each > reach)).toEqual([]);
      expect(changed.length).toBeLessThan(MINUTES.length + LATER_MINUTES.length - 1);
    }
    for (const kind of ['pattern', 'swing_playbook', 'score', 'divergence', 'expiration'])
      expect(await changedSince(app, version, kind)).toEqual([]);
    const symbols = await app.context.database.query(
      `select distinct symbol from claim_day where version > $1 and symbol <> '*'`,
      [version],
    );
    expect(symbols).toEqual([{ symbol: corrected.symbol }]);
    expect((await bringRecordsUpToDate(app.context, { range: { from: FROM } })).written).toBe(0);
  });

  it('reads the levels of earlier sessions as they were kept', async () => {
    const app = await bothMonths();
    const { database } = app.context;
    const date = LATER_MINUTES.at(-1)!;
    const alter = (was: string, is: string) =>
      database.write(
        `update claim_day set terms = replace(terms, $2, $3) where kind = 'level' and trade_date < $1`,
        [date, was, is],
      );
    await alter('"priorClose":', '"priorClose":1');
    await database.write(
      `insert into claim_touched (simulated, kind, first_day, last_day)
       select distinct simulated, 'bars-1m', $1::integer, $1::integer from claim_day where kind = 'level'`,
      [dayOf(date)],
    );
    const version = await claimVersion(database);
    await bringRecordsUpToDate(app.context);
    expect(await changedSince(app, version, 'level')).toEqual([date]);
    await alter('"priorClose":1', '"priorClose":');
    expect((await bringRecordsUpToDate(app.context, { range: { from: FROM } })).written).toBeGreaterThan(0);
    expect((await bringRecordsUpToDate(app.context, { range: { from: FROM } })).written).toBe(0);
  });

  it('lets nothing one minute past the instant change what was known at it', async () => {
    const app = await bothMonths();
    const [date] = MINUTES.slice(5);
    const asOf = calendar.session(date!)!.open + 2 * 3_600_000;
    const before = await answersAt(app, asOf);
    const altered = STOCKS_BY_MINUTE.map((symbol) =>
      part(claimMinutes(allDays, symbol, [date!]), (time) => time >= asOf),
    );
    for (const { columns } of altered)
      for (const column of [columns.open, columns.high, columns.low, columns.close])
        for (const row of column.keys()) column[row]! *= 1.2;
    await bring(app, altered);
    await bringRecordsUpToDate(app.context);
    expect((await answersAt(app, asOf)) === before).toBe(true);
    expect((await answersAt(app, calendar.session(date!)!.close)) === before).toBe(false);
  });

  it('has a record of every key, and none with a rate but without chance', async () => {
    const app = await bothMonths();
    const { records } = await listRecords(app.context, {}, viewerAt(calendar.session(LAST)!.close));
    expect(records.map(({ id }) => id)).toEqual(
      CLAIM_KINDS.flatMap((kind) => RECORD_KINDS[kind].keys.map((key) => `${kind}.${key}`)),
    );
    for (const record of records) {
      expect(record.rate === null).toBe(record.chance === null);
      if (record.rate === null) expect(record.says).toContain('too few');
      else expect(record.says).toContain(`Chance ${Math.round(100 * record.chance!)} %`);
    }
    expect(records.some(({ rate }) => rate !== null)).toBe(true);
  });

  it('counts every stock by its score as a probability, half of which beat the median', async () => {
    const app = await bothMonths();
    const { database } = app.context;
    const [day] = await database.query<{ date: string; sums: string }>(
      `select trade_date::text as date, sums from claim_day where kind = 'score' and symbol = '*' order by 1 limit 1`,
    );
    const rows = JSON.parse(day!.sums)[binsOf('bearish_confluence.5d')] as number[][];
    const sumOf = (field: (typeof SUM_FIELDS)[number]): number =>
      rows.reduce((sum, row) => sum + row[SUM_FIELDS.indexOf(field)]!, 0);
    const scores = await Promise.all(
      CLAIM_STOCKS.map(async (symbol) => {
        const asOf = calendar.session(day!.date)!.close;
        const { body } = await getStock(app.context, { symbol, includes: [] }, viewerAt(asOf));
        return JSON.parse(String(body)).bearish_confluence as number;
      }),
    );
    expect(sumOf('events')).toBe(CLAIM_STOCKS.length);
    expect(sumOf('true')).toBe(CLAIM_STOCKS.length / 2);
    expect(sumOf('measure')).toBeCloseTo(
      scores.reduce((sum, score) => sum + score / 100, 0),
      3,
    );
    for (const row of rows) {
      const [bin, events, forecasts] = (['stratum', 'events', 'measure'] as const).map(
        (field) => row[SUM_FIELDS.indexOf(field)]!,
      );
      expect(Math.floor((20 * forecasts!) / events!)).toBe(bin);
    }
  });

  it('counts the divergences of every date, whether somebody asked for its peers before or not', async () => {
    const strayed = peerMarket('2023-01-03', '2024-03-13', { A0: 0.08 });
    const [asked, quiet] = await Promise.all([
      freshMarket({ TIGRAPH_NOW: NOW }, strayed),
      freshMarket({ TIGRAPH_NOW: NOW }, strayed),
    ]);
    await findPeersOnce(asked.context, calendar.sessionsBetween('2024-03-11', '2024-03-13'));
    const range = { from: '2024-03-01', to: '2024-03-13' };
    const counted = async ({ context }: App) => {
      await bringRecordsUpToDate(context, { range, kinds: ['divergence'] });
      const [sums, measured] = await Promise.all([
        context.database.query(
          `select symbol, trade_date::text, sums from claim_day where kind = 'divergence' order by 1, 2`,
        ),
        context.database.query<{ date: string }>(
          'select trade_date::text as date from peer_session where changed_at is not null order by 1',
        ),
      ]);
      return { sums, measured: measured.map(({ date }) => date) };
    };
    const [one, other] = [await counted(asked), await counted(quiet)];
    expect(one.sums.length).toBeGreaterThan(0);
    expect(one.sums).toEqual(other.sums);
    // Counting stores the peers of no date.
    expect(other.measured).toEqual([]);
  });

  it('keeps the figures of the newest close, which are those that counting anew would give', async () => {
    const { context } = await bothMonths();
    const { database } = context;
    const kept = await listRecords(context, {}, viewerAt(Date.parse(NOW)));
    const stored = await database.query<{ kind: string }>('select kind from claim_figures order by kind');
    expect(stored.map(({ kind }) => kind)).toEqual([...CLAIM_KINDS].sort());
    await database.write('delete from claim_figures', []);
    await database.write(`update claim_day set version = default where kind = 'level' and symbol = '*'`, []);
    expect(await listRecords(context, {}, viewerAt(Date.parse(NOW)))).toEqual(kept);
    const { written } = await bringRecordsUpToDate(context);
    expect(written).toBe(0);
  });
});
