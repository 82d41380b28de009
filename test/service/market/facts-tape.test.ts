import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, newYorkCalendar } from '../../../src/base/calendar.ts';
import { migrate, readMigrations } from '../../../src/database/migrate.ts';
import type { AnyFact } from '../../../src/market/facts.ts';
import { knownFacts } from '../../../src/market/known-facts.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { planDerivations } from '../../../src/pipeline/detector.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { openTape, readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { importFeed, refusedRows } from '../../../src/tape/ingest.ts';
import { directoryStore } from '../../../src/tape/segments/directory-store.ts';
import { feedOf, freshApp, freshStore } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';
import { fundamentalsWith, newsWith, profileWith } from '../../support/reported.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const NOON = Date.parse('2024-05-01T16:00:00Z');
const HOUR = 3_600_000;

let units = 0;
/** Brings facts of one symbol onto the tape as a separate unit. */
const bring = (symbol: string, facts: readonly AnyFact[]) =>
  importFeed({ tape }, feedOf({ [`unit-${units++}`]: [{ kind: 'facts', symbol, facts }] }));

/** What the tape gives for one instant, or for a range of them. */
async function factsOf(symbol: string, from = NOON, to = from): Promise<readonly AnyFact[]> {
  const [bare] = await tape.symbolTapes([symbol]);
  const [loaded] = await tape.withFacts([{ tape: bare!, from, to }]);
  return loaded!.facts;
}

const rowsOf = (symbol: string) =>
  database.query<{ key: string; at: number; value: object; feed: string }>(
    `select key, (extract(epoch from known_at) * 1000)::double precision as at, value, feed
     from reported_fact where symbol = $1 order by known_at, key`,
    [symbol],
  );

const shares = (knownAt: number, outstanding: number | null, float: number | null = null) =>
  factOf('shares', knownAt, { outstanding, float });
const halt = (from: number, knownAt = from, to: number | null = null) =>
  factOf('halt', knownAt, { from, to, reason: 'News' });
const target = (knownAt: number, mean: number) =>
  factOf('price_target', knownAt, { mean, high: null, low: null, analysts: null });

const store = await freshStore();
const database = await store.open();
const tape = await openTape(
  database,
  directoryStore(join(store.options.dataDirectory, 'tape')),
  newYorkCalendar(),
  { now: () => NOON },
);

describe('reported facts on the tape', () => {
  it('come back as they went in, of every kind of field', async () => {
    const news = factOf(
      'news',
      NOON - HOUR,
      newsWith({
        publishedAt: NOON - HOUR - 1,
        headline: 'Quotes "and" \\ backslashes – 漢字 🎉',
        summary: 'Two\nlines',
        source: 'Wire',
        url: 'https://example.com/?a="1"',
        symbols: ['TRIP', 'SPY'],
        sentiment: -0.25,
        relevance: 1,
      }),
    );
    const books = factOf('fundamentals', NOON - 2 * HOUR, {
      ...fundamentalsWith({ revenueTtm: 1.5e9, epsTtm: -0.01, stated: { pe_ratio: 12.5 } }),
    });
    expect(await bring('TRIP', [news, books])).toMatchObject({
      factsKept: 2,
      factsUnchanged: 0,
      refusals: [],
    });
    expect(await factsOf('TRIP')).toEqual([books, news]);
  });

  it('change nothing when they are reported again, and leave nothing to derive', async () => {
    const facts = [shares(NOON - DAY_MS, 10), shares(NOON - HOUR, 11), halt(NOON - HOUR)];
    expect(await bring('SAME', facts)).toMatchObject({ factsKept: 3, factsUnchanged: 0 });
    const before = await rowsOf('SAME');
    await tape.clearDirtyRanges(await tape.touched(['SAME']));
    expect(await bring('SAME', facts)).toMatchObject({ factsKept: 3, factsUnchanged: 3, refusals: [] });
    expect(await rowsOf('SAME')).toEqual(before);
    expect(await tape.touched(['SAME'])).toEqual([]);
  });

  it('do not repeat a report that is still valid, nor one without content', async () => {
    await bring('STILL', [shares(NOON - 9 * HOUR, 10, 5), shares(NOON - 8 * HOUR, 10, null)]);
    expect(await bring('STILL', [shares(NOON - HOUR, 10, 5)])).toMatchObject({ factsUnchanged: 1 });
    expect((await rowsOf('STILL')).map(({ at }) => at)).toEqual([NOON - 9 * HOUR]);
    expect(await bring('STILL', [shares(NOON - HOUR, 10, -0)])).toMatchObject({ factsUnchanged: 0 });
    expect(await bring('STILL', [shares(NOON - HOUR, 10, -0)])).toMatchObject({ factsUnchanged: 1 });
  });

  it('keep a report that is repeated once the first is half a window old', async () => {
    const first = NOON - 300 * DAY_MS;
    const half = 200 * DAY_MS;
    expect(await bring('AGED', [target(first, 50), target(first + half, 50)])).toMatchObject({
      factsUnchanged: 1,
    });
    expect(await bring('AGED', [target(first + half + 1, 50)])).toMatchObject({ factsUnchanged: 0 });
    expect((await rowsOf('AGED')).map(({ at }) => at)).toEqual([first, first + half + 1]);
  });

  it('are revised, each report seen from its own instant only', async () => {
    const reports = [shares(NOON - 3 * HOUR, 10), shares(NOON - 2 * HOUR, 20), shares(NOON - HOUR, 10)];
    // Reported in any order, in one flush or in several.
    await bring('REVISED', [reports[2]!, reports[0]!]);
    await bring('REVISED', [reports[1]!]);
    const known = async (asOf: number) =>
      knownFacts(await factsOf('REVISED', asOf), asOf).shares.map(({ outstanding }) => outstanding);
    expect(await known(NOON - 3 * HOUR - 1)).toEqual([]);
    expect(await known(NOON - 3 * HOUR)).toEqual([10]);
    expect(await known(NOON - 2 * HOUR - 1)).toEqual([10]);
    expect(await known(NOON - 2 * HOUR)).toEqual([20]);
  });

  it('follow the later import where two reports have one instant', async () => {
    await bring('LATER', [shares(NOON, 10), shares(NOON, 11)]);
    expect(await rowsOf('LATER')).toMatchObject([{ value: { outstanding: 11 } }]);
    expect(await bring('LATER', [shares(NOON, 12)])).toMatchObject({ factsUnchanged: 0 });
    expect(await rowsOf('LATER')).toMatchObject([{ value: { outstanding: 12 }, feed: 'test' }]);
  });

  it('refuse a fact that one source reports twice, and what fails validation, from any feed', async () => {
    const report = await bring('DOOR', [shares(NOON, 10), shares(NOON, 10), shares(NOON, -1)]);
    expect(report.factsKept).toBe(1);
    expect(refusedRows(report)).toBe(2);
    expect(report.refusals.map(({ reason, rows }) => `${rows} ${reason}`).sort()).toEqual([
      '1 duplicate',
      '1 negative_amount',
    ]);
    expect(report.refusals.every(({ example }) => example.startsWith('DOOR {"kind":"shares"'))).toBe(true);
    expect(await rowsOf('DOOR')).toHaveLength(1);
  });

  it('of many symbols are read at once, each inside the windows of its instants', async () => {
    const old = NOON - 7 * DAY_MS;
    await bring('WINA', [halt(old), halt(old + 1), shares(NOON + 1, 5)]);
    await bring('WINB', [shares(NOON, 6)]);
    const tapes = await tape.symbolTapes(['WINA', 'WINB']);
    const of = (symbol: string) => tapes.find((one) => one.symbol === symbol)!;
    const [b, a, range] = await tape.withFacts([
      { tape: of('WINB'), from: NOON, to: NOON },
      { tape: of('WINA'), from: NOON, to: NOON },
      { tape: of('WINA'), from: NOON - 1, to: NOON + 1 },
    ]);
    expect(b!.facts.map(({ knownAt }) => knownAt)).toEqual([NOON]);
    // `knownFacts` decides what may still be read at the window's edge.
    expect(knownFacts(a!.facts, NOON).halt.map(({ from }) => from)).toEqual([old + 1]);
    expect(a!.facts.some(({ knownAt }) => knownAt > NOON)).toBe(false);
    expect(range!.facts.map(({ knownAt }) => knownAt)).toEqual([old, old + 1, NOON + 1]);
    expect(await tape.withFacts([])).toEqual([]);
  });

  it('are not read with the tapes themselves, but make a symbol known', async () => {
    await bring('ALONE', [shares(NOON, 5)]);
    expect(await tape.symbolTapes(['ALONE', 'NOBODY'])).toEqual([
      { symbol: 'ALONE', slices: [], running: [], actions: [], facts: [], chains: [] },
    ]);
    expect(await tape.symbols()).not.toContain('ALONE');
  });

  it('of any number come in, one part after the other', async () => {
    const many = Array.from({ length: 10_001 }, (_, second) => shares(NOON - second * 1000, second + 1));
    const deliveries = [many.slice(0, 10_000), many.slice(10_000), many.slice(0, 1)].map((facts) => ({
      kind: 'facts' as const,
      symbol: 'MANY',
      facts,
    }));
    const report = await importFeed({ tape }, feedOf({ many: deliveries }));
    expect(report).toMatchObject({ factsKept: 10_001, factsUnchanged: 0 });
    expect(report.refusals).toMatchObject([{ reason: 'duplicate', rows: 1 }]);
    expect(await rowsOf('MANY')).toHaveLength(10_001);
  });

  it('make the same view, whatever lies before their windows and after the instant', async () => {
    const days = fc.sample(fc.integer({ min: 0, max: 1_500 }), { numRuns: 300, seed: 11 });
    const all = days
      .map((day, nth) => {
        const at = NOON - day * DAY_MS;
        if (nth % 4 === 0) return halt(at);
        if (nth % 4 === 1) return shares(at, nth);
        if (nth % 4 === 2) return target(at, nth);
        return factOf('profile', at, profileWith({ employees: nth }));
      })
      .sort((a, b) => a.knownAt - b.knownAt || (a.kind < b.kind ? -1 : 1));
    // Of two reports with one instant and key the later one counts.
    const reports = [
      ...new Map(all.map((fact) => [`${fact.kind} ${fact.key} ${fact.knownAt}`, fact])).values(),
    ];
    await bring('WIDE', all);
    const instants = fc.sample(fc.integer({ min: 0, max: 1_600 * 24 }), { numRuns: 40, seed: 12 });
    for (const hours of instants) {
      const asOf = NOON + DAY_MS - hours * HOUR;
      const loaded = await factsOf('WIDE', asOf);
      expect(knownFacts(loaded, asOf), `${hours}`).toEqual(knownFacts(reports, asOf));
      const range = await factsOf('WIDE', asOf, NOON + DAY_MS);
      expect(knownFacts(range, asOf), `${hours}`).toEqual(knownFacts(reports, asOf));
    }
  });

  it('go in whole or not at all', async () => {
    const writer = tape.writer({ name: 'broken', simulated: false });
    const [unit] = await feedOf({
      u: [{ kind: 'facts', symbol: 'WHOLE', facts: [shares(NOON, 5)] }],
    }).units();
    await writer.take(unit!, 'print');
    await database.query('alter table tape_touched rename to tape_touched_away');
    await expect(writer.flush()).rejects.toThrow();
    await database.query('alter table tape_touched_away rename to tape_touched');
    expect(await rowsOf('WHOLE')).toEqual([]);
    expect(await tape.delivered('broken')).toEqual(new Map());
    // The facts are still in hand: the next flush brings them in.
    await writer.flush();
    writer.close();
    expect(await rowsOf('WHOLE')).toHaveLength(1);
  });
});

describe('a view', () => {
  it('holds the facts of its instant', async () => {
    const { app } = await freshApp();
    const at = Date.parse('2024-01-30T18:00:00Z');
    await importFeed(
      app.context,
      feedOf({
        bars: [dailyBars('ACME', '2024-01-02', '2024-01-31')],
        facts: [{ kind: 'facts', symbol: 'ACME', facts: [shares(at, 5), shares(at + 1, 6)] }],
      }),
    );
    const [bare] = await app.context.tape.symbolTapes(['ACME']);
    const [loaded] = await app.context.tape.withFacts([{ tape: bare!, from: at, to: at + DAY_MS }]);
    const reader = new SegmentReader(app.context.tape.location);
    const viewAt = (asOf: number) => readStockView(reader, loaded!, app.context.calendar, '2024-01-30', asOf);
    const close = Date.parse('2024-01-30T21:00:00Z');
    expect(viewAt(close)!.facts.shares).toEqual([{ outstanding: 6, float: null, knownAt: at + 1 }]);
    const [past] = await app.context.tape.withFacts([{ tape: bare!, from: at, to: at }]);
    expect(past!.facts).toHaveLength(1);
    reader.close();
  });
});

describe('facts that come in after a day was derived', () => {
  it('have that day and the later ones derived again, by their New York date', async () => {
    const { app } = await freshApp();
    const { tape: own } = app.context;
    await importFeed(app.context, feedOf({ bars: [dailyBars('ACME', '2024-01-02', '2024-01-31')] }));
    await syncGraph(app.context, { kind: 'range', from: '2024-01-29', to: '2024-01-31' });
    await own.clearDirtyRanges(await own.touched());
    // 19:30 of 30 January in New York, which UTC calls the 31st.
    const evening = Date.parse('2024-01-31T00:30:00Z');
    await importFeed(
      app.context,
      feedOf({ facts: [{ kind: 'facts', symbol: 'ACME', facts: [shares(evening, 5)] }] }),
    );
    const day = Date.UTC(2024, 0, 30) / DAY_MS;
    expect(await own.touched()).toMatchObject([
      { symbol: 'ACME', kind: 'fact', firstDay: day, lastDay: day },
    ]);
    const dates: string[] = [];
    for await (const { jobs } of planDerivations(
      { ...app.context, delayMs: 0 },
      { kind: 'touched' },
      Date.parse('2024-02-01T12:00:00Z'),
    )) {
      for (const job of jobs) dates.push(...job.days.map(({ tradeDate }) => tradeDate));
    }
    expect(dates).toEqual(['2024-01-30', '2024-01-31']);
  });
});

describe('the migration of company profiles', () => {
  it('makes them facts', async () => {
    const empty = await freshStore('empty');
    const old = await empty.open();
    const migrations = readMigrations();
    await migrate(old, migrations.slice(0, 3));
    const { companyName, ...rest } = profileWith({ companyName: 'Example Corp', sector: 'Energy' });
    const known = '2024-07-03T04:00:00.000Z';
    await old.query('insert into company_profile (symbol, known_at, profile, feed) values ($1, $2, $3, $4)', [
      'ACME',
      known,
      JSON.stringify({ companyName, ...rest }),
      'profiles',
    ]);
    await migrate(old, migrations);
    const directory = temporaryDirectory();
    const opened = await openTape(old, directoryStore(directory), newYorkCalendar(), { now: () => NOON });
    const [bare] = await opened.symbolTapes(['ACME']);
    const at = Date.parse(known);
    const [loaded] = await opened.withFacts([{ tape: bare!, from: at, to: at }]);
    expect(loaded!.facts).toEqual([factOf('profile', at, { companyName, ...rest })]);
    expect(await old.query("select to_regclass('company_profile') as gone")).toEqual([{ gone: null }]);
  });
});
