import { beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { KnownFacts } from '../../../src/market/facts.ts';
import { realDataPlan } from '../../../src/market/feeds/real-data.ts';
import { knownFacts } from '../../../src/market/known-facts.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { deliveriesOf, refusedByReason } from './feed-probe.ts';
import { factsIn, instant, type ToldFact } from './reference-probe.ts';

/**
 * The recorded files themselves. Rows, distinct transactions and distinct reports were counted with Python's csv, json
 * and zipfile; single figures are read off the files by eye.
 */

const skip = realDataDirectory === null;

/** Facts by kind, then rows refused by reason, of each file. */
const EXPECTED: Readonly<Record<string, readonly [Record<string, number>, Record<string, number>]>> = {
  // 39,790 rows: most tell of results that the next files tell as well.
  'earnings/sec_8k_item202_dates.csv.gz': [{ earnings_report: 24166 }, { duplicate: 15624 }],
  // 348 rows; 6 of a Toronto listing, the rest of the refused without a filing to date them.
  'earnings/finnhub_surprise_earnings_2023.csv.gz': [
    { earnings_report: 189 },
    { foreign_listing: 6, missing_value: 153 },
  ],
  // 58,712 rows; 279 lie before a split that the folder knows.
  'earnings/eps_history_2012_2018.csv.gz': [{ earnings_report: 58712 }, { repaired: 279 }],
  // 143 events.
  'earnings/earnings_calendar_2025-05.json': [
    { earnings_report: 19, earnings_date: 67 },
    { missing_value: 57 },
  ],
  // 217 rows; 73 with a suffix of Korea, Germany, Singapore or Paris.
  'earnings/earnings_history_quarterly.csv': [
    { earnings_report: 120, earnings_date: 17 },
    { foreign_listing: 73, repaired: 2, duplicate: 7 },
  ],
  // 418 rows.
  'earnings/eps_recent_2026.csv': [{ earnings_report: 304 }, { duplicate: 114 }],
  // 574 rows: 112 with an actual, 4 past ones without, 458 ahead, 8 of them second ones of their company.
  'earnings/earnings_calendar_2026-08-21.csv': [
    { earnings_report: 112, earnings_date: 450 },
    { missing_value: 4, not_read: 8 },
  ],
  'fundamentals_analyst/finnhub_basic_company_financials_2023.csv.gz': [
    { fundamentals: 58 },
    { foreign_listing: 1 },
  ],
  'analyst/finnhub_recommendation_trends_2023.csv.gz': [{ recommendations: 575 }, { foreign_listing: 9 }],
  'insider/finnhub_insider_sentiment_2023.csv.gz': [{}, { not_read: 4952 }],
  'insider/finnhub_insider_transactions_2023.csv.gz': [
    { insider_transaction: 12771 },
    { duplicate: 2263, out_of_range: 15, foreign_listing: 164 },
  ],
  // 23,874 listed, 200 of them in files of another layout; 4,143 distinct by company, owner, date, code, shares, price.
  'insider/sec_form4_json.zip': [{ insider_transaction: 4143 }, { duplicate: 19731 }],
  'insider/form4_transactions_2025_2026.csv.gz': [
    { insider_transaction: 14425 },
    { duplicate: 279, bad_symbol: 73, out_of_range: 2, known_too_early: 2 },
  ],
  // 19 companies, 735 ratings, 28 files with a bare NaN, and three counts of one share class.
  'fundamentals_analyst/profiles_2026-03.zip': [
    { price_target: 19, recommendations: 74, analyst_grade: 735, fundamentals: 123, profile: 19, shares: 19 },
    { repaired: 31, not_read: 19 },
  ],
  'reference/sp500_snapshot_2026-07-02.json.gz': [
    { profile: 453, fundamentals: 905, earnings_date: 410 },
    { repaired: 2 },
  ],
  'reference/estimates_2026-07-02.json.gz': [
    { analyst_estimates: 2253, price_target: 449, recommendations: 421, shares: 424 },
    {},
  ],
  'analyst/consensus_target_2026.csv.gz': [{ price_target: 3243 }, {}],
  'reference/constituents-financials.csv': [{ profile: 503, fundamentals: 486 }, { missing_value: 17 }],
};

describe.skipIf(skip)('the recorded files of reported facts', () => {
  const read = new Map<string, { facts: ToldFact[]; refused: Record<string, number> }>();
  let bySymbol: Partial<Record<string, ToldFact[]>> = {};

  beforeAll(async () => {
    const plan = await realDataPlan(realDataDirectory!, newYorkCalendar());
    const { feed } = plan.find(({ title }) => title === 'reported facts of companies')!;
    for (const unit of await feed.units()) {
      const deliveries = await deliveriesOf({ ...feed, units: async () => [unit] });
      read.set(unit.key, { facts: factsIn(deliveries), refused: refusedByReason(deliveries) });
    }
    const facts = [...read.values()].flatMap((unit) => unit.facts);
    bySymbol = Object.groupBy(
      facts.sort((a, b) => a.knownAt - b.knownAt),
      ({ symbol }) => symbol,
    );
  }, 60_000);

  /** What was known of a symbol at the end of 2026-08-19's after-hours trading. */
  const known = (symbol: string): KnownFacts =>
    knownFacts(bySymbol[symbol]!, instant('2026-08-20T00:00:00Z'));

  it('are read in the order of trust', () => {
    expect([...read.keys()]).toEqual(Object.keys(EXPECTED));
  });

  it.each(Object.entries(EXPECTED))('%s comes to its facts and counted refusals', (key, [kinds, refused]) => {
    const unit = read.get(key)!;
    const counts: Record<string, number> = {};
    for (const { kind } of unit.facts) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(counts).toEqual(kinds);
    expect(unit.refused).toEqual(refused);
  });

  it('tell a report once: no two of a symbol lie within a week', () => {
    const near = Object.values(bySymbol).flatMap((facts) => {
      const dates = facts!.filter(({ kind }) => kind === 'earnings_report').map(({ key }) => Date.parse(key));
      dates.sort((a, b) => a - b);
      return dates.filter((date, index) => index > 0 && date - dates[index - 1]! <= 7 * 86_400_000);
    });
    expect(near).toEqual([]);
  });

  it('bring AAPL of 2014 back to the shares of its day', () => {
    // Announced on 2014-04-23: 11.62 dollars, estimate about 10.2; the file has 1.66 and 1.46.
    const report = bySymbol.AAPL!.find(({ kind, key }) => kind === 'earnings_report' && key === '2014-04-23');
    expect(report).toMatchObject({
      knownAt: instant('2014-04-24T00:00:00Z'),
      value: { epsActual: 11.62, epsEstimate: 10.22 },
    });
  });

  it.each(['AAPL', 'JPM', 'NVDA'])('let %s be answered on 2026-08-19', (symbol) => {
    const facts = known(symbol);
    expect(facts.profile.at(-1)!.sector).toMatch(/Information Technology|Financials/);
    expect(facts.shares.findLast(({ outstanding }) => outstanding !== null)!.outstanding).toBeGreaterThan(
      2e9,
    );
    const ratios = Object.assign({}, ...facts.fundamentals.map(({ stated }) => stated));
    expect(Object.keys(ratios)).toEqual(
      expect.arrayContaining(['pe_ratio', 'roe', 'profit_margin', 'price_to_book']),
    );
    expect(facts.earnings_report.length).toBe(13);
    expect(facts.analyst_estimates.map(({ year }) => year)).toEqual(['current_year', 'next_year']);
    expect(facts.price_target.length).toBe(1);
    expect(facts.recommendations.length).toBe(1);
    expect(facts.analyst_grade.length).toBeGreaterThan(10);
    expect(facts.insider_transaction.filter(({ date }) => date >= '2026-05-21').length).toBeGreaterThan(5);
  });

  it('hold eight quarters of NVDA with estimates, and of AAPL and JPM only the newest', () => {
    const surprises = (symbol: string) =>
      known(symbol).earnings_report.filter(
        ({ epsActual, epsEstimate }) => epsActual !== null && epsEstimate !== null,
      );
    expect(surprises('NVDA').map(({ date }) => date)).toEqual([
      '2023-05-24',
      '2024-08-28',
      '2024-11-20',
      '2025-02-26',
      '2025-05-28',
      '2025-08-27',
      '2025-11-19',
      '2026-02-25',
      '2026-05-20',
    ]);
    expect(surprises('AAPL')).toMatchObject([{ date: '2026-07-30', epsEstimate: 1.9271, epsActual: 1.91 }]);
    expect(surprises('JPM')).toMatchObject([{ date: '2026-07-14', epsEstimate: 5.906, epsActual: 6.14 }]);
  });

  it('know nothing of the archive of March 2026 before its newest rating', () => {
    const before = knownFacts(bySymbol.PATH!, instant('2026-03-18T03:59:59.999Z'));
    const after = knownFacts(bySymbol.PATH!, instant('2026-03-18T04:00:00Z'));
    expect(before.fundamentals.length).toBe(0);
    expect(before.analyst_grade.length).toBe(26);
    expect(after.fundamentals.length).toBeGreaterThan(3);
  });

  it('sum the four quarters of NVDA that its yearly statement has as a year', () => {
    // Fiscal year to 2026-01-31: 215.938 billion of revenue, 4.90 dollars a share.
    const year = known('NVDA').fundamentals.find(({ periodEnd }) => periodEnd === '2026-01-31');
    expect(year).toMatchObject({ revenueTtm: 215_938_000_000, revenueTtmPriorYear: 130_497_000_000 });
  });
});
