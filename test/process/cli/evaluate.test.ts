import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { printedReport } from '../../../src/cli/evaluate.ts';
import { projectStock } from '../../../src/derive/projection.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { type EvaluationRequest, evaluateScore } from '../../../src/records/evaluate-score.ts';
import type { EvaluationReport } from '../../../src/records/evaluation.ts';
import { NUMBER_PATHS, scoreReader } from '../../../src/records/score-field.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshApp, openTestApp } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';
import { inFull, sampled } from '../../support/depth.ts';
import { words } from '../../support/tables.ts';
import { type BarRow, barsOf, temporaryDirectory } from '../../support/tape.ts';

const calendar = newYorkCalendar();
const SESSIONS = calendar.sessionsBetween('2024-01-02', '2024-03-28');
const SYMBOLS = Array.from({ length: 14 }, (_, place) => `S${String(place).padStart(2, '0')}`);
/** Two shares for one, in the middle of the window. */
const SPLIT = { symbol: 'S03', session: 30, value: 2 };

/** Closes that wander without any order: hashes of the place, on the share basis of the first session. */
function closeOf(symbol: string, session: number): number {
  const mixed = Math.imul(Number(symbol.slice(1)) * 7919 + session * 104_729 + 17, 0x9e3779b1) >>> 0;
  return 50 + Number(symbol.slice(1)) + (mixed % 1009) / 100;
}

/** As traded. */
function deliveriesOf(symbol: string, sessions = SESSIONS.length): Delivery[] {
  const ratio = (session: number): number =>
    symbol === SPLIT.symbol && session >= SPLIT.session ? SPLIT.value : 1;
  const rows = SESSIONS.slice(0, sessions).map((date, session): BarRow => {
    const close = closeOf(symbol, session) / ratio(session);
    const volume = Math.max(1, 20 - Number(symbol.slice(1))) * 10_000;
    return [midnightUtc(date), close, close + 1, close - 1, close, volume];
  });
  const bars = { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) } as const;
  if (symbol !== SPLIT.symbol) return [bars];
  const exDate = midnightUtc(SESSIONS[SPLIT.session]!);
  return [bars, { kind: 'actions', symbol, actions: [{ kind: 'split', exDate, value: SPLIT.value }] }];
}

const feed = (sessions?: number) =>
  feedOf(
    Object.fromEntries(
      [...SYMBOLS, '^VIX', 'SPY'].map((symbol) => [
        symbol,
        deliveriesOf(asStock(symbol), sessions).map((delivery) => ({ ...delivery, symbol })),
      ]),
    ),
  );

/** The benchmark symbols trade here like one more stock. */
const asStock = (symbol: string): string => (symbol.startsWith('S') && symbol !== 'SPY' ? symbol : 'S90');

const evaluated = (request: Partial<EvaluationRequest> = {}): Promise<EvaluationReport> =>
  evaluateScore(
    app.context,
    { score: 'price.change_pct', horizon: 5, every: 1, ...request },
    new AbortController().signal,
  );

/** Spearman's formula for lists without ties, 1 - 6 sum d^2 / (n (n^2 - 1)). */
function rankCorrelation(x: readonly number[], y: readonly number[]): number {
  const rank = (of: readonly number[]): number[] =>
    of.map((value) => of.filter((other) => other <= value).length);
  const [ranksX, ranksY] = [rank(x), rank(y)];
  const squares = ranksX.reduce((sum, value, at) => sum + (value - ranksY[at]!) ** 2, 0);
  return 1 - (6 * squares) / (x.length * (x.length ** 2 - 1));
}

const { app } = await freshApp();
await importFeed(app.context, feed());
/** The change of the day, judged on every date. */
const whole = await evaluated();

describe('the report', () => {
  it('has on each date the coefficient that closes alone give, through a split', async () => {
    const { information_coefficient: ic, ...report } = whole;
    // The change of the first session has no close before it; the last five have no horizon.
    expect(report).toMatchObject({ from: SESSIONS[0], to: SESSIONS.at(-6), symbols: 14, failed: 0 });
    expect(ic.by_date).toHaveLength(SESSIONS.length - 5);
    expect(ic.by_date[0]).toEqual({ date: SESSIONS[0], value: null });
    for (const [session, { date, value }] of ic.by_date.entries()) {
      expect(date).toBe(SESSIONS[session]);
      if (session === 0) continue;
      const change = SYMBOLS.map((symbol) => closeOf(symbol, session) / closeOf(symbol, session - 1));
      const forward = SYMBOLS.map((symbol) => closeOf(symbol, session + 5) / closeOf(symbol, session));
      expect(value).toBeCloseTo(rankCorrelation(change, forward), 12);
    }
    const known = ic.by_date.slice(1).map(({ value }) => value!);
    expect(ic.mean).toBeCloseTo(known.reduce((sum, value) => sum + value) / known.length, 12);
  });

  it('counts what it had and what it lacked', async () => {
    const report = whole;
    expect(report.stock_dates).toBe(14 * (SESSIONS.length - 5));
    expect(report.scored).toBe(14 * (SESSIONS.length - 6));
    expect(report.coverage).toBeCloseTo(report.scored / report.stock_dates, 12);
    expect(report.deciles.reduce((sum, { count }) => sum + count, 0)).toBe(report.scored);
    // A quarter of the eleven horizons that fit into 56 dates.
    expect(report.cosines).toBe(2);
    expect(report.simulated).toBe(false);
    expect(report.hit_rate.kind).toBe('sign');
  });

  it('judges every so many sessions, over the dates that it is given', async () => {
    const report = await evaluated({ every: 5, from: SESSIONS[10]!, to: SESSIONS[31]! });
    expect(report.information_coefficient.by_date.map(({ date }) => date)).toEqual(
      [10, 15, 20, 25, 30].map((session) => SESSIONS[session]),
    );
    expect(report.cosines).toBe(2);
  });

  it('leaves out indices and benchmark funds unless they are named', async () => {
    expect((await evaluated({ every: 20 })).symbols).toBe(14);
    expect((await evaluated({ every: 20, symbols: [...SYMBOLS, 'SPY'] })).symbols).toBe(15);
  });

  it('of the most traded takes those of each date', async () => {
    const report = await evaluated({ every: 10, from: SESSIONS[10]!, top: 11 });
    expect(report.stock_dates).toBe(11 * report.dates);
    expect(report.top).toBe(11);
  });

  it('holds scores that later prices do not move', async () => {
    // The tape ends earlier; what both can judge has the same score-only figures.
    const shorter = await makeTestStore();
    const other = await openTestApp(shorter);
    try {
      await importFeed(other.context, feed(45));
      const request = { score: 'technical.rsi_14', horizon: 5, every: inFull(1, 4), to: SESSIONS[35]! };
      const [then, now] = [
        await evaluateScore(other.context, request, new AbortController().signal),
        await evaluated(request),
      ];
      expect(now.scored).toBeGreaterThan(inFull(200, 50));
      expect(now).toEqual(then);
    } finally {
      await other.close();
      await shorter.remove();
    }
  });

  it('says how far it is, and ends at once when it is called off', async () => {
    const seen: number[] = [];
    const calledOff = new AbortController();
    const work = evaluateScore(
      app.context,
      { score: 'price.change_pct', horizon: 5, every: 1 },
      calledOff.signal,
      (done, planned) => {
        seen.push(done);
        expect(done).toBeLessThanOrEqual(planned);
        calledOff.abort(new Error('enough'));
      },
    );
    await expect(work).rejects.toThrow('enough');
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe('what cannot be evaluated', () => {
  it.each([
    ['technical.rsi14', /no field technical\.rsi14.*technical\.rsi_14/],
    ['rsi_14', /no field rsi_14\. Near it: technical\.rsi_14/],
    ['symbol', /symbol is text, not a number/],
    ['technical', /technical is a record \(rsi_14/],
    ['technical.rsi_14.x', /no field/],
    ['', /no field/],
    ['levels.vwap', /on request only/],
    ['constructor', /no field/],
  ])('the score %j is refused with what is wrong', async (score, sentence) => {
    await expect(evaluated({ score })).rejects.toThrow(sentence);
  });

  it.each([
    [{ symbols: ['S01', 'NONE'] }, /Not on the tape: NONE$/],
    [{ from: SESSIONS.at(-3)! }, /no session.*5 sessions later/i],
    [{ horizon: 200 }, /200 sessions later/],
    [{ to: '2023-12-29' }, /2024-01-02 to 2024-03-28/],
  ])('%j is refused', async (request, sentence) => {
    await expect(evaluated(request)).rejects.toThrow(sentence);
  });

  it('the last session that can be judged is judged', async () => {
    const report = await evaluated({ from: SESSIONS.at(-6)! });
    expect(report.dates).toBe(1);
    expect(report.information_coefficient.low).toBeNull();
  });
});

describe('scores', () => {
  it('are every number that is always served, each read at its path', () => {
    expect(NUMBER_PATHS).toContain('technical.rsi_14');
    expect(NUMBER_PATHS).not.toContain('symbol');
    expect(new Set(NUMBER_PATHS).size).toBe(NUMBER_PATHS.length);
    const packed = (answer: object) => projectStock(answer as Readonly<Record<string, unknown>>).packed;
    for (const path of NUMBER_PATHS) expect(scoreReader(path)(packed({}))).toBeNaN();
    const read = scoreReader('technical.rsi_14');
    expect(read(packed({ technical: { rsi_14: 55.5 } }))).toBe(55.5);
    expect(read(packed({ technical: { rsi_14: null } }))).toBeNaN();
    expect(read(packed({ technical: null }))).toBeNaN();
  });
});

describe('the text', () => {
  it('prints every figure, and a dash for what is not known', async () => {
    const text = printedReport(whole);
    const names = ['information coefficient', 'decile 10 minus 1', 'hit rate (sign)', 'turnover', 'coverage'];
    for (const name of names) expect(text).toContain(name);
    const sparse = printedReport(await evaluated({ from: SESSIONS.at(-6)! }));
    expect(sparse).toMatch(/95 % - to -/);
    expect(sparse).toContain('No t on 1 date: no evidence of a new score.');
    for (const each of [text, sparse]) expect(each).not.toMatch(/NaN|null|undefined|SIMULATED|No figures/);
  });

  it('calls a new score evidence from a t of 3 on', () => {
    const { information_coefficient: ic } = whole;
    expect(ic.is_evidence).toBe(Math.abs(ic.t!) >= 3);
    const withT = (t: number) =>
      printedReport({ ...whole, information_coefficient: { ...ic, t, is_evidence: Math.abs(t) >= 3 } });
    expect(withT(2.9)).toContain('t 2.90, below 3: no evidence of a new score (Harvey, Liu, Zhu 2016).');
    expect(withT(-3.1)).toContain('t -3.10: a new score takes 3 (Harvey, Liu, Zhu 2016), if');
  });

  it.each<[string, Partial<EvaluationRequest>, RegExp]>([
    [
      'a stock too few',
      { symbols: SYMBOLS.slice(0, 9) },
      /No figures: No date has 10 stocks .*, of 9 symbols/,
    ],
    ['no score', { score: 'entry_v2.net' }, /No figures: entry_v2\.net has no value at the close of any of/],
  ])('says with %s why there are no figures', async (_, request, reason) => {
    const report = await evaluated({ every: 10, ...request });
    expect(report.information_coefficient.mean).toBeNull();
    expect(printedReport(report)).toMatch(reason);
  });
});

describe('the command', () => {
  it.each([
    [[], /required option '--score <path>' not specified/],
    [['--score', 'technical.rsi'], /Near it: technical\.rsi_14/],
    [
      ['--score', 'technical.rsi_14', '--horizon', '0'],
      /'--horizon <sessions>' argument '0' is invalid. It must be a whole number/,
    ],
    [['--score', 'technical.rsi_14', '--from', '2024-02-30'], /'2024-02-30' is invalid. It is not a date/],
    [['--score', 'technical.rsi_14', '--from', '2024-03-05', '--to', '2024-03-04'], /lies after/],
    [['--score', 'technical.rsi_14', '--symbols', ' , '], /It lists nothing/],
    [['--score', 'technical.rsi_14', '--json', '/nowhere/at/all.json'], /no folder/],
  ])('%j is a wrong call', async (words, sentence) => {
    const result = await callCommand(['record', 'evaluate', ...words], {
      TIGRAPH_DATA_DIR: temporaryDirectory(),
    });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  const settings = { TIGRAPH_DATA_DIR: '', LOG_LEVEL: 'warn', TIGRAPH_WORKERS: '1' };
  let made: TestStore;
  beforeAll(async () => {
    made = await makeTestStore('cold');
    settings.TIGRAPH_DATA_DIR = made.options.dataDirectory;
    const simulate = words`simulate --symbols 14 --days 120 --minutes 0 --end 2026-11-20`;
    expect((await callCommand(simulate, settings)).code).toBe(0);
  });
  afterAll(() => made.remove());

  it('measures a simulated market, says that it is one, and writes the report', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'rsi.json');
    const words = ['record', 'evaluate', '--score', 'technical.rsi_14', '--every', '20', '--json', file];
    const { code, stdout } = await callCommand(words, settings);
    expect(code).toBe(0);
    expect(stdout).toContain('SIMULATED');
    const report: EvaluationReport = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({
      score: 'technical.rsi_14',
      horizon: 5,
      every: 20,
      simulated: true,
      failed: 0,
    });

    const none = await callCommand([...words, '--from', '2026-11-19'], settings);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/5 sessions later/);
  });

  // While the app opens, and when it begins to judge more than a thousand days.
  it.each(sampled(['catalogue.stored', 'minutes.forgotten'] as const, 2))(
    'stops at an interrupt after %s, without a trace',
    async (point) => {
      const directory = temporaryDirectory();
      const [file, passed] = [join(directory, 'rsi.json'), join(directory, 'passed')];
      writeFileSync(passed, '');
      const words = ['record', 'evaluate', '--score', 'technical.rsi_14', '--json', file];
      const running = startCommand(words, { ...settings, TIGRAPH_FAULT: `trace:${passed}` });
      for await (const _ of watch(passed)) if (readFileSync(passed, 'utf8').includes(point)) break;
      running.process.kill('SIGINT');
      const { code, stderr } = await running.ended;
      expect(code).toBe(130);
      expect(stderr).toContain('nothing was written');
      expect(existsSync(file)).toBe(false);
    },
  );
});
