import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EarningsReport } from '../../../src/market/facts.ts';
import type { Delivery, SourceUnit } from '../../../src/market/feed.ts';
import { referenceFeed } from '../../../src/market/feeds/reference.ts';
import type { SplitSource } from '../../../src/market/feeds/reference-splits.ts';
import { temporaryFolder } from './feed-probe.ts';
import { factsIn, filesUnder, instant, ofKind, told } from './reference-probe.ts';

/** Results told by files that overlap, contradict each other, or name no day. All figures are made up. */

const folder = temporaryFolder();

const FILINGS = 'earnings/sec_8k_item202_dates.csv';
const HISTORY = 'earnings/eps_history_2012_2018.csv';
const RECENT = 'earnings/eps_recent_2026.csv';
const QUARTERLY = 'earnings/earnings_history_quarterly.csv';
const CALENDAR = 'earnings/earnings_calendar_2026-08-21.csv';
const WEEK = 'earnings/earnings_calendar_2025-05.json';
const SURPRISES = 'earnings/finnhub_surprise_earnings_2023.csv';

const HISTORY_HEAD = 'symbol,date,qtr,eps_est,eps,release_time,surp\n';
const RECENT_HEAD = 'symbol,report_date,fiscal_quarter,fiscal_year,eps_estimate,eps_actual\n';
const CALENDAR_HEAD =
  'symbol,sector,report_date,session,fiscal_quarter,fiscal_year,eps_estimate,eps_actual,revenue_estimate,revenue_actual,date_check,alt_date\n';
const QUARTERLY_HEAD =
  'ticker,quarter_end,announce_date,eps_estimate,eps_actual,revenue_estimate,revenue_actual\n';

const filed = (...rows: string[]): string => `symbol,filing_date\n${rows.join('\n')}\n`;
const surprised = (...rows: string[]): string => `symbol,period,actual,estimate\n${rows.join('\n')}\n`;

function report(date: string, told: Partial<EarningsReport>): EarningsReport {
  const none = { epsEstimate: null, epsActual: null, revenueEstimate: null, revenueActual: null };
  return { date, time: 'unknown', periodEnd: null, ...none, ...told };
}

describe('dates and times of day', () => {
  it('reads dates as m/d/yy and leaves the mangled quarter alone', async () => {
    const { facts, refused } = await told(folder, {
      [HISTORY]: `${HISTORY_HEAD}A,11/19/12,12-Oct,0.8,0.84,post,0.04\nA,2/14/13,13-Jan,0.66,0.63,pre,-0.03\n`,
    });
    expect(refused).toEqual({});
    expect(ofKind(facts, 'earnings_report')).toMatchObject([
      {
        key: '2012-11-19',
        // 20:00 in New York, winter.
        knownAt: instant('2012-11-20T01:00:00Z'),
        value: report('2012-11-19', { time: 'post_market', epsEstimate: 0.8, epsActual: 0.84 }),
      },
      {
        key: '2013-02-14',
        // 09:30 in New York.
        knownAt: instant('2013-02-14T14:30:00Z'),
        value: report('2013-02-14', { time: 'pre_market', epsEstimate: 0.66, epsActual: 0.63 }),
      },
    ]);
  });

  it('refuses a date that does not exist and a figure that is none', async () => {
    const { facts, refused } = await told(folder, {
      [HISTORY]: `${HISTORY_HEAD}A,2/30/13,x,1,1,pre,0\nB,2/28/13,x,1,n.a.,pre,0\nC,2013-02-28,x,1,1,pre,0\n`,
    });
    expect(facts.map(({ symbol }) => symbol)).toEqual(['C']);
    expect(refused).toEqual({ bad_time: 1, not_finite: 1 });
  });

  it('quotes a report without a time of day from the end of its day', async () => {
    const { facts } = await told(folder, { [RECENT]: `${RECENT_HEAD}VZ,2026-07-24,2,2026,1.3,1.31\n` });
    expect(facts).toMatchObject([{ knownAt: instant('2026-07-25T04:00:00Z') }]);
  });
});

describe('splits since', () => {
  const split = (exDate: string, value: number) => ({
    kind: 'split' as const,
    exDate: instant(exDate),
    value,
  });

  /** A feed that tells of splits and nothing else. */
  const splitsOf =
    (symbol: string, ...actions: ReturnType<typeof split>[]) =>
    async (): Promise<SplitSource[]> => {
      const delivery: Delivery = { kind: 'actions', symbol, actions };
      const unit = {
        key: 'splits.csv',
        weight: 1,
        fingerprint: async () => 'one',
        async *read() {
          yield delivery;
        },
      };
      return [{ feed: { name: 'splits', simulated: false, units: async () => [unit] }, units: /splits/ }];
    };

  it('brings figures back to the shares of their day', async () => {
    const rows = `${HISTORY_HEAD}AAPL,1/23/13,x,1.92,1.97,post,0.05\nAAPL,7/22/14,x,1.22,1.28,post,0.06\n`;
    // Seven for one on 2014-06-09; the announced 13.81 of January 2013 is 1.97 after it, and 13.79 back again.
    const { facts, refused } = await told(
      folder,
      { [HISTORY]: rows },
      { splitSources: splitsOf('AAPL', split('2014-06-09', 7), split('2020-08-31', 4)) },
    );
    expect(ofKind(facts, 'earnings_report').map(({ value }) => [value.epsEstimate, value.epsActual])).toEqual(
      [
        [13.44, 13.79],
        [1.22, 1.28],
      ],
    );
    expect(refused).toEqual({ repaired: 1 });
  });

  it('undoes three for two and one for three, and leaves a spin-off alone', async () => {
    const rows = `${HISTORY_HEAD}A,1/23/13,x,1,0.3,post,0\n`;
    const factorOf = async (value: number) => {
      const splitSources = splitsOf('A', split('2014-06-09', value));
      const { facts } = await told(folder, { [HISTORY]: rows }, { splitSources });
      return ofKind(facts, 'earnings_report')[0]!.value.epsEstimate;
    };
    expect(await factorOf(1.5)).toBe(1.5);
    expect(await factorOf(1 / 3)).toBeCloseTo(0.333333, 6);
    expect(await factorOf(1.238)).toBe(1);
  });
});

describe('one report told by several files', () => {
  it('stands once, on the date of the most trusted file, with the figures of all', async () => {
    const { facts, refused } = await told(folder, {
      [RECENT]: `${RECENT_HEAD}WMT,2026-08-19,2,2027,0.75,0.81\n`,
      [CALENDAR]: `${CALENDAR_HEAD}WMT,x,2026-08-20,pre,2,2027,,0.81,188000000000,187900000000,both,\n`,
      [FILINGS]: filed('WMT,2026-08-21'),
    });
    expect(facts).toMatchObject([
      {
        symbol: 'WMT',
        key: '2026-08-20',
        knownAt: instant('2026-08-20T13:30:00Z'),
        value: {
          date: '2026-08-20',
          time: 'pre_market',
          epsEstimate: 0.75,
          epsActual: 0.81,
          revenueEstimate: 188_000_000_000,
          revenueActual: 187_900_000_000,
        },
      },
    ]);
    expect(refused).toEqual({ duplicate: 2 });
  });

  it('never sets an estimate beside the actual of another file', async () => {
    const { facts } = await told(folder, {
      [RECENT]: `${RECENT_HEAD}X,2026-08-19,2,2027,0.7,0.9\n`,
      [CALENDAR]: `${CALENDAR_HEAD}X,x,2026-08-19,post,2,2027,,0.8,,,both,\n`,
    });
    expect(ofKind(facts, 'earnings_report')[0]!.value).toMatchObject({ epsEstimate: 0.7, epsActual: 0.9 });
  });

  it('is one report up to seven days apart, and a filing within forty-five days is none of its own', async () => {
    const seen = async (filing: string) => {
      const files = { [RECENT]: `${RECENT_HEAD}X,2026-05-01,1,2026,1,1\n`, [FILINGS]: filed(`X,${filing}`) };
      const { facts, refused } = await told(folder, files);
      return [facts.map(({ key }) => key), refused.duplicate ?? 0];
    };
    expect(await seen('2026-05-08')).toEqual([['2026-05-01'], 1]);
    expect(await seen('2026-06-14')).toEqual([['2026-05-01'], 1]);
    expect(await seen('2026-06-15')).toEqual([['2026-06-15', '2026-05-01'], 0]);

    const twice = `${RECENT_HEAD}X,2026-05-01,1,2026,1,1\n`;
    const next = (date: string) => ({ [RECENT]: `${twice}X,${date},1,2026,1,1\n` });
    expect((await told(folder, next('2026-05-08'))).facts.length).toBe(1);
    expect((await told(folder, next('2026-05-09'))).facts.length).toBe(2);
  });

  it('is delivered by its unit alone, whichever is read first and however often', async () => {
    const root = mkdtempSync(join(folder, 'twice-'));
    const folders = filesUnder(root, {
      [RECENT]: `${RECENT_HEAD}WMT,2026-08-19,2,2027,0.75,0.81\n`,
      [CALENDAR]: `${CALENDAR_HEAD}WMT,x,2026-08-20,pre,2,2027,,0.81,,,both,\n`,
    });
    const [recent, calendar] = await referenceFeed({ folders }).units();
    const keysOf = async (unit: SourceUnit) =>
      factsIn(await Array.fromAsync(unit.read())).map(({ key }) => key);
    expect(await keysOf(calendar!)).toEqual(['2026-08-20']);
    expect(await keysOf(recent!)).toEqual([]);
    expect(await keysOf(calendar!)).toEqual(['2026-08-20']);
  });

  it('is read again when another file of results changes, since it may be told differently then', async () => {
    const root = mkdtempSync(join(folder, 'changed-'));
    const print = async (actual: number) => {
      const folders = filesUnder(root, {
        [RECENT]: `${RECENT_HEAD}WMT,2026-08-19,2,2027,0.75,${actual}\n`,
        [FILINGS]: filed('WMT,2026-08-21'),
        'insider/finnhub_insider_sentiment_2023.csv': 'symbol,mspr\n',
      });
      const units = await referenceFeed({ folders }).units();
      return Promise.all(units.map((unit) => unit.fingerprint()));
    };
    const [before, after, again] = [await print(0.8), await print(0.81), await print(0.81)];
    expect(after).toEqual(again);
    expect(before.map((one, index) => one === after[index])).toEqual([false, false, true]);
  });
});

describe('filings of results', () => {
  it('keeps the last of those that announce a quarter', async () => {
    const { facts, refused } = await told(folder, {
      [FILINGS]: filed('LITE,2025-02-03', 'LITE,2025-02-06', 'LITE,2025-05-06'),
    });
    expect(facts.map(({ key }) => key)).toEqual(['2025-02-06', '2025-05-06']);
    expect(facts[0]).toMatchObject({ value: report('2025-02-06', {}) });
    expect(refused).toEqual({ duplicate: 1 });
  });

  it('refuses a company that files every month, whose quarters cannot be told', async () => {
    const { facts, refused } = await told(folder, {
      [FILINGS]: filed('M,2025-01-09', 'M,2025-02-06', 'M,2025-03-06', 'M,2025-04-10'),
    });
    expect(facts).toEqual([]);
    expect(refused).toEqual({ duplicate: 4 });
  });
});

describe('surprises that name a period and no day', () => {
  it('take the filing that follows a true period', async () => {
    const { facts, refused } = await told(folder, {
      [FILINGS]: filed('JPM,2023-01-13', 'JPM,2023-04-14', 'JPM,2023-07-14', 'JPM,2023-10-13'),
      [SURPRISES]: surprised('JPM,2023-06-30,4.37,4.0', 'JPM,2023-03-31,4.1,3.4', 'JPM,2022-09-30,3.1,2.9'),
    });
    const reports = ofKind(facts, 'earnings_report').filter(({ value }) => value.epsActual !== null);
    expect(reports.map(({ value }) => [value.date, value.epsActual, value.epsEstimate])).toEqual([
      ['2023-07-14', 4.37, 4],
      ['2023-04-14', 4.1, 3.4],
    ]);
    // The third has no filing within 75 days of its period; the filings of the first two are told by them.
    expect(refused).toEqual({ missing_value: 1, duplicate: 2 });
  });

  it('pair off backwards where the periods run ahead of the filings', async () => {
    const { facts, refused } = await told(folder, {
      [FILINGS]: filed(
        'NVDA,2022-08-24',
        'NVDA,2022-11-16',
        'NVDA,2023-02-22',
        'NVDA,2023-05-24',
        'NVDA,2023-08-23',
      ),
      [SURPRISES]: surprised(
        'NVDA,2024-03-31,1.09,0.94',
        'NVDA,2023-12-31,0.88,0.83',
        'NVDA,2023-09-30,0.58,0.71',
      ),
    });
    const reports = ofKind(facts, 'earnings_report').filter(({ value }) => value.epsActual !== null);
    expect(reports.map(({ value }) => [value.date, value.epsActual])).toEqual([
      ['2023-05-24', 1.09],
      ['2023-02-22', 0.88],
      ['2022-11-16', 0.58],
    ]);
    expect(refused).toEqual({ duplicate: 3 });
  });

  it('stop at a gap in the filings, and are refused where the newest filing is too old', async () => {
    const gap = await told(folder, {
      [FILINGS]: filed('X,2022-08-24', 'X,2023-02-22', 'X,2023-05-24'),
      [SURPRISES]: surprised('X,2024-03-31,3,3', 'X,2023-12-31,2,2', 'X,2023-09-30,1,1'),
    });
    expect(gap.refused).toEqual({ missing_value: 1, duplicate: 2 });
    const stale = (date: string) =>
      told(folder, { [FILINGS]: filed(`X,${date}`), [SURPRISES]: surprised('X,2024-03-31,3,3') });
    // A hundred days before 2023-07-28 is 2023-04-19.
    expect((await stale('2023-04-19')).refused).toEqual({ duplicate: 1 });
    expect((await stale('2023-04-18')).refused).toEqual({ missing_value: 1 });
  });
});

describe('calendars', () => {
  it('make awaited reports of the rows after the day in the name', async () => {
    const { facts, refused } = await told(folder, {
      [CALENDAR]: `${CALENDAR_HEAD}NVDA,x,2026-08-26,post,2,2027,2.1283,,93634391959,,both,\nNVDA,x,2026-11-17,post,3,2027,2.4,,,,,\nADI,x,2026-08-22,,3,2026,2,,,,conflict,2026-08-25\nROST,x,2026-08-21,,2,2027,1.9686,,,,conflict,\n`,
    });
    expect(ofKind(facts, 'earnings_date', 'NVDA')).toMatchObject([
      {
        key: 'next',
        knownAt: instant('2026-08-22T04:00:00Z'),
        value: {
          date: '2026-08-26',
          time: 'post_market',
          status: 'confirmed',
          epsEstimate: 2.1283,
          revenueEstimate: 93_634_391_959,
        },
      },
    ]);
    expect(ofKind(facts, 'earnings_date', 'ADI')).toMatchObject([
      { value: { status: 'projected', time: 'unknown' } },
    ]);
    // NVDA's report after the next, and a row of the day itself that has no actual.
    expect(refused).toEqual({ not_read: 1, missing_value: 1 });
  });

  it('take a week of events as known on the newest day that has an actual', async () => {
    const event = (date: string, symbol: string, eps: number | null) => ({
      date,
      symbol,
      eps,
      epsEstimated: 1,
      time: 'bmo',
      revenue: null,
      revenueEstimated: null,
      fiscalDateEnding: '2025-03-31',
    });
    const events = [
      event('2025-05-09', 'A', 1.2),
      event('2025-05-09', 'B', null),
      event('2025-05-12', 'C', null),
    ];
    const { facts, refused } = await told(folder, { [WEEK]: JSON.stringify(events) });
    expect(facts).toMatchObject([
      { symbol: 'A', kind: 'earnings_report', value: { periodEnd: '2025-03-31', epsActual: 1.2 } },
      { symbol: 'C', kind: 'earnings_date', knownAt: instant('2025-05-10T04:00:00Z') },
    ]);
    expect(refused).toEqual({ missing_value: 1 });
  });

  it('take quarters without an actual as awaited, known from the eve of the first of them', async () => {
    const { facts, refused } = await told(folder, {
      [QUARTERLY]: `${QUARTERLY_HEAD}NVDA,2026-07-31,2026-08-26,2.09,,92072420560,\nNVDA,2026-04-30,2026-05-20,1.77,1.87,,81615000000\nMSFT,2026-09-30,2026-10-28,4.67,,,\nSKHY,2026-09-30,2026-10-27,6.21,,101749246390000,\n005930_KS,2026-06-30,2026-07-28,1,2,,\n`,
    });
    expect(ofKind(facts, 'earnings_date', 'MSFT')[0]!.knownAt).toBe(instant('2026-08-26T04:00:00Z'));
    expect(ofKind(facts, 'earnings_report')).toMatchObject([
      {
        key: '2026-05-20',
        value: { periodEnd: '2026-04-30', epsActual: 1.87, revenueActual: 81_615_000_000 },
      },
    ]);
    // A hundred trillion is won, not dollars.
    expect(ofKind(facts, 'earnings_date', 'SKHY')[0]!.value).toMatchObject({
      epsEstimate: 6.21,
      revenueEstimate: null,
    });
    expect(refused).toEqual({ repaired: 1, foreign_listing: 1 });
  });
});
