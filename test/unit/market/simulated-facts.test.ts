import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, newYorkCalendar } from '../../../src/base/calendar.ts';
import { type AnyFact, FACT_KINDS, type FactKind, type ReportedFact } from '../../../src/market/facts.ts';
import { knownFacts } from '../../../src/market/known-facts.ts';
import { validateFact } from '../../../src/market/validate-fact.ts';
import { symbolAt } from '../../../src/simulated/companies.ts';
import { type SimulatedMarket, simulatedMarket, simulatedSymbol } from '../../../src/simulated/market.ts';
import { reportedFacts } from '../../../src/simulated/reported.ts';
import { quarterEnd, quarterOf } from '../../../src/simulated/timeline.ts';
import { inFull } from '../../support/depth.ts';
import { deliveredBySymbol, END } from './simulated-probe.ts';

const calendar = newYorkCalendar();
const market = simulatedMarket(7, END, calendar);
const SESSIONS = market.timeline.sessions.length;

function factsOf(symbol: string, from = 0, of: SimulatedMarket = market): AnyFact[] {
  const found = simulatedSymbol(of, symbol);
  return found === null ? [] : reportedFacts(of, found, from);
}

const ofKind = <Kind extends FactKind>(facts: readonly AnyFact[], kind: Kind): ReportedFact<Kind>[] =>
  facts.filter((fact) => fact.kind === kind) as unknown as ReportedFact<Kind>[];

/** Lists of thousands of facts are compared as text, which is quick; equal text is equal facts. */
const textOf = (facts: readonly AnyFact[]): string => facts.map((fact) => JSON.stringify(fact)).join('\n');

const companies = Array.from({ length: 60 }, (_, place) => symbolAt(place));
const byCompany = new Map(companies.map((symbol) => [symbol, factsOf(symbol)]));
const all = [...byCompany.values()].flat();

describe('what is delivered', () => {
  it('holds every kind, and each fact is valid', () => {
    // Nobody is listed anew in a market of two years.
    const kinds = FACT_KINDS.filter((kind) => kind !== 'listing');
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(kinds));
    for (const fact of [...all, ...factsOf('SIMX'), ...factsOf('^SIMVIX')])
      assert.equal(validateFact(fact), null);
  });

  it('comes in the order of its instants, none twice and none after the end of the market', () => {
    const end = market.timeline.sessions.at(-1)!.postClose;
    for (const facts of byCompany.values()) {
      const names = facts.map(({ kind, key, knownAt }) => `${kind} ${key} ${knownAt}`);
      assert.equal(new Set(names).size, names.length);
      for (const [at, { knownAt }] of facts.entries()) {
        assert(knownAt <= end);
        if (at > 0) assert(knownAt >= facts[at - 1]!.knownAt);
      }
    }
  });

  it('is bounded: some 60 facts a stock-year at most beside news, and 40 items of news', () => {
    for (const [symbol, facts] of byCompany) {
      const rows = simulatedSymbol(market, symbol)?.path.rows ?? 0;
      const years = rows / 252;
      if (years < 1) continue;
      const news = ofKind(facts, 'news').length;
      expect(news / years).toBeLessThan(40);
      expect((facts.length - news) / years).toBeLessThan(64);
    }
  });

  it('names a model wherever it uses words', () => {
    const texts = all.flatMap(({ kind, value }) => {
      if (kind === 'news') return [value.headline];
      if (kind === 'analyst_grade') return [value.firm];
      if (kind === 'insider_transaction') return [value.owner];
      if (kind === 'theme_exposure') return [value.themeName!];
      return kind === 'halt' ? [value.reason!] : [];
    });
    assert(texts.length > 1000);
    for (const text of texts) assert(text.includes('(simulated)'));
  });

  it('reports nothing of indices and funds but their profiles and halts', () => {
    for (const symbol of ['SIMX', '^SIMVIX']) {
      const kinds = new Set(factsOf(symbol).map(({ kind }) => kind));
      kinds.delete('halt');
      expect([...kinds]).toEqual(['profile']);
    }
  });
});

describe('no knowledge of the future', () => {
  it('a longer market has every fact of the shorter one, and nothing new that was known in it', () => {
    const session = fc.integer({ min: 150, max: SESSIONS - 2 });
    fc.assert(
      fc.property(
        session,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 90 }),
        (at, place, more) => {
          const { tradeDate, postClose } = market.timeline.sessions[at]!;
          const later = market.timeline.sessions[Math.min(at + more, SESSIONS - 1)]!.tradeDate;
          const then = factsOf(symbolAt(place), 0, simulatedMarket(7, tradeDate, calendar));
          const now = factsOf(symbolAt(place), 0, simulatedMarket(7, later, calendar));
          expect(textOf(now.filter(({ knownAt }) => knownAt <= postClose))).toBe(textOf(then));
        },
      ),
      { numRuns: inFull(40, 5), seed: 5 },
    );
  });

  it('the day after a market ends changes none of its facts, day by day over a reporting season', () => {
    const from = market.timeline.sessions.findIndex(({ tradeDate }) => tradeDate >= '2025-10-10');
    let shorter = simulatedMarket(7, market.timeline.sessions[from - 1]!.tradeDate, calendar);
    const factsIn = (one: typeof market) => companies.slice(0, 4).map((symbol) => factsOf(symbol, 0, one));
    let before = factsIn(shorter);
    for (let session = from; session < from + inFull(25, 3); session++) {
      const longer = simulatedMarket(7, market.timeline.sessions[session]!.tradeDate, calendar);
      const end = shorter.timeline.sessions.at(-1)!.postClose;
      const after = factsIn(longer);
      for (const [place, facts] of after.entries()) {
        expect(textOf(facts.filter(({ knownAt }) => knownAt <= end))).toBe(textOf(before[place]!));
      }
      [shorter, before] = [longer, after];
    }
  });

  it('a later window knows on its first day and ever after what the whole history knows', () => {
    for (const symbol of companies.slice(0, inFull(20, 4))) {
      const whole = factsOf(symbol);
      if (whole.length === 0) continue;
      const part = factsOf(symbol, SESSIONS - 40);
      expect(part.length).toBeLessThan(whole.length);
      for (const { preOpen, close } of market.timeline.sessions.slice(-40)) {
        expect(knownFacts(part, preOpen)).toEqual(knownFacts(whole, preOpen));
        expect(knownFacts(part, close)).toEqual(knownFacts(whole, close));
      }
    }
  });

  it('nothing is known before it happens', () => {
    for (const { kind, knownAt, value } of all) {
      if (kind === 'fundamentals') assert(knownAt > Date.parse(value.periodEnd) + DAY_MS);
      if (kind === 'insider_transaction') {
        const { close } = calendar.session(value.date)!;
        assert(knownAt > close);
      }
      if (kind === 'earnings_report') {
        const { preOpen, open, close, postClose } = calendar.session(value.date)!;
        const [from, to] = value.time === 'pre_market' ? [preOpen, open] : [close, postClose];
        assert(knownAt > from);
        assert(knownAt < to);
      }
      if (kind === 'halt') assert.equal(knownAt, value.to ?? value.from);
    }
  });
});

describe('the books', () => {
  it('keep their identities', () => {
    for (const { value } of ofKind(all, 'fundamentals')) {
      const of = (field: number | null): number => field ?? Number.NaN;
      expect(of(value.netIncomeTtm)).toBeCloseTo(of(value.pretaxIncomeTtm) - of(value.taxTtm), -1);
      assert(of(value.totalEquity) + of(value.totalDebt) < of(value.totalAssets));
      assert(of(value.cashAndEquivalents) < of(value.totalAssets));
      assert(of(value.ebitdaTtm) > of(value.operatingIncomeTtm));
      if (value.grossProfitTtm !== null) {
        assert(value.grossProfitTtm >= of(value.operatingIncomeTtm) - 1);
        assert(value.currentAssets! > of(value.cashAndEquivalents));
      } else {
        assert.equal(value.currentAssets, null);
      }
    }
  });

  it('state each quarter for the quarter that has just ended, and pay what the ex-dates say', () => {
    for (const { value, knownAt } of ofKind(all, 'fundamentals')) {
      const known = calendar.tradeDateOf(knownAt);
      assert.equal(value.periodEnd, quarterEnd(quarterOf(known) - 1));
    }
    assert.equal(quarterEnd(quarterOf('2024-02-10')), '2024-03-31');
    assert.equal(quarterEnd(quarterOf('2024-12-31')), '2024-12-31');
  });

  it('agree with the reports: four quarters of earnings a share are those of the twelve months', () => {
    let compared = 0;
    for (const [symbol, facts] of byCompany) {
      const { path } = simulatedSymbol(market, symbol) ?? {};
      if (path?.actions.some(({ kind }) => kind === 'split') ?? true) continue;
      const reports = new Map(
        ofKind(facts, 'earnings_report').map((fact) => [fact.value.periodEnd, fact.value]),
      );
      for (const { value } of ofKind(facts, 'fundamentals')) {
        const last = quarterOf(value.periodEnd);
        const quarters = [0, 1, 2, 3].map((back) => reports.get(quarterEnd(last - back)));
        if (quarters.includes(undefined)) continue;
        const sum = quarters.reduce((total, report) => total + report!.epsActual!, 0);
        const revenue = quarters.reduce((total, report) => total + report!.revenueActual!, 0);
        // Four roundings to cents, and a share count that drifts by a percent or so a year.
        assert(Math.abs(sum - value.epsTtm!) < 0.021 + 0.03 * Math.abs(value.epsTtm!));
        expect(revenue).toBeCloseTo(value.revenueTtm!, -1);
        compared++;
      }
    }
    assert(compared > 500);
  });

  it('earn what such companies earn: most make money, at sane multiples of the price', () => {
    const multiples = [...byCompany].flatMap(([symbol, facts]) => {
      const eps = ofKind(facts, 'fundamentals').at(-1)?.value.epsTtm;
      const path = simulatedSymbol(market, symbol)?.path;
      return eps == null || path === undefined ? [] : [path.close.at(-1)! / 100 / eps];
    });
    const earning = multiples.filter((multiple) => multiple > 0).sort((a, b) => a - b);
    expect(earning.length / multiples.length).toBeGreaterThan(0.85);
    const median = earning[Math.floor(earning.length / 2)]!;
    expect(median).toBeGreaterThan(10);
    expect(median).toBeLessThan(45);
  });

  it('count shares on the basis of the day: a split multiplies them on its morning, and targets with them', () => {
    let splits = 0;
    for (const [symbol, facts] of byCompany) {
      for (const { session, kind, value } of simulatedSymbol(market, symbol)?.path.actions ?? []) {
        if (kind !== 'split') continue;
        splits++;
        const { preOpen } = market.timeline.sessions[session]!;
        const before = knownFacts(facts, preOpen - 1);
        const after = knownFacts(facts, preOpen);
        const shares = after.shares[0]!.outstanding! / before.shares[0]!.outstanding!;
        expect(shares / value).toBeCloseTo(1, 1);
        if (before.price_target[0] === undefined) continue;
        const target = before.price_target[0].mean! / after.price_target[0]!.mean!;
        expect(Math.abs(Math.log(target / value))).toBeLessThan(0.4);
      }
    }
    expect(splits).toBeGreaterThan(10);
  });
});

describe('reports', () => {
  const surprises = [...byCompany.values()].map((facts) =>
    ofKind(facts, 'earnings_report').map(({ value }) => value.epsActual! - value.epsEstimate!),
  );

  it('come with the session that the price answers to, once a quarter', () => {
    const facts = byCompany.get(companies[0]!)!;
    const found = simulatedSymbol(market, companies[0]!)!;
    const reports = ofKind(facts, 'earnings_report');
    expect(reports.length).toBeGreaterThan(28);
    for (const { value } of reports) {
      const announced = market.timeline.sessions.findIndex(({ tradeDate }) => tradeDate === value.date);
      const session = value.time === 'post_market' ? announced + 1 : announced;
      expect(market.timeline.sessionOfQuarter[session]).toBe(found.company!.reportSession);
    }
  });

  it('move the price the way of the surprise', () => {
    let agree = 0;
    let count = 0;
    for (const [symbol, facts] of byCompany) {
      const path = simulatedSymbol(market, symbol)?.path;
      for (const { value } of ofKind(facts, 'earnings_report')) {
        const announced = market.timeline.sessions.findIndex(({ tradeDate }) => tradeDate === value.date);
        const row = announced + (value.time === 'post_market' ? 1 : 0) - path!.firstSession;
        const gap = path!.open[row]! - path!.priorClose[row]!;
        if (Number.isNaN(gap) || Math.abs(gap / path!.priorClose[row]!) < 0.03) continue;
        count++;
        if (Math.sign(gap) === Math.sign(value.epsActual! - value.epsEstimate!)) agree++;
      }
    }
    expect(count).toBeGreaterThan(300);
    expect(agree / count).toBeGreaterThan(0.6);
  });

  it('beat the estimates more often than not, and the same companies again', () => {
    const signs = surprises.map((list) => list.map((surprise) => (surprise > 0 ? 1 : 0)));
    const beats = signs.flat();
    const share = beats.reduce<number>((sum, beat) => sum + beat, 0) / beats.length;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.85);
    const afterBeat = signs.flatMap((list) => list.slice(1).filter((_, at) => list[at] === 1));
    const afterMiss = signs.flatMap((list) => list.slice(1).filter((_, at) => list[at] === 0));
    const mean = (list: readonly number[]): number => list.reduce((sum, beat) => sum + beat, 0) / list.length;
    expect(mean(afterBeat) - mean(afterMiss)).toBeGreaterThan(0.1);
  });

  it('are guessed first, then confirmed two weeks before for the day on which they come', () => {
    for (const facts of byCompany.values()) {
      const dates = ofKind(facts, 'earnings_date');
      for (const { value, knownAt } of ofKind(facts, 'earnings_report')) {
        const confirmed = dates.findLast((date) => date.knownAt < knownAt)!;
        assert.equal(confirmed.value.status, 'confirmed');
        assert.equal(confirmed.value.date, value.date);
        expect(confirmed.value.epsEstimate).not.toBeNull();
        const ahead = calendar.sessionCount(calendar.tradeDateOf(confirmed.knownAt), value.date) - 1;
        assert(ahead === 9 || ahead === 10);
        const guess = dates.findLast((date) => date.knownAt < confirmed.knownAt)!;
        assert.equal(guess.value.status, 'projected');
        assert(Math.abs(Date.parse(guess.value.date) - Date.parse(value.date)) < 8 * DAY_MS);
      }
    }
  });
});

describe('opinions, news and halts', () => {
  it('count analysts that sum to their number', () => {
    for (const { value } of ofKind(all, 'recommendations')) {
      const { strongBuy, buy, hold, sell, strongSell, analysts } = value;
      const parts = [strongBuy!, buy!, hold!, sell!, strongSell!];
      assert(parts.every((part) => part >= 0));
      assert.equal(
        parts.reduce((sum, part) => sum + part),
        analysts,
      );
    }
  });

  it('grades move the way that they say', () => {
    const order = ['Sell', 'Underperform', 'Hold', 'Buy', 'Strong Buy'];
    for (const { value } of ofKind(all, 'analyst_grade')) {
      const [from, to] = [order.indexOf(value.from ?? ''), order.indexOf(value.to!)];
      assert(to >= 0);
      if (value.action === 'initiate') assert.equal(value.from, null);
      else if (value.action === 'upgrade') assert.equal(to, from + 1);
      else if (value.action === 'downgrade') assert.equal(to, from - 1);
      else assert.equal(to, from);
    }
  });

  it('a vendor scores about two items of news in three, and words and score agree', () => {
    const news = ofKind(all, 'news').map(({ value }) => value);
    const scored = news.filter(({ sentiment }) => sentiment !== null);
    expect(scored.length / news.length).toBeGreaterThan(0.6);
    expect(scored.length / news.length).toBeLessThan(0.73);
    const mean = (word: string): number => {
      const of = scored.filter(({ headline }) => headline.includes(word));
      return of.reduce((sum, { sentiment }) => sum + sentiment!, 0) / of.length;
    };
    expect(mean('beats')).toBeGreaterThan(0.1);
    expect(mean('misses')).toBeLessThan(-0.1);
    expect(mean('surge')).toBeGreaterThan(0.2);
    expect(mean('plunge')).toBeLessThan(-0.2);
  });

  it('a halt is a stretch of minutes without a trade, reported when it begins and when it ends', async () => {
    let halts = 0;
    const delivered = await deliveredBySymbol({
      symbols: inFull(60, 30),
      days: 30,
      minuteSessions: 30,
      quoteSessions: 0,
    });
    const first = market.timeline.sessions.at(-30)!.preOpen;
    for (const { facts, minutes } of delivered.values()) {
      for (const { value } of ofKind(facts, 'halt')) {
        if (value.to === null || value.from < first) continue;
        halts++;
        const within = minutes.flatMap(({ time }) =>
          [...time].filter((at) => at >= value.from && at < value.to!),
        );
        expect(within).toEqual([]);
        expect(ofKind(facts, 'halt').filter((other) => other.value.from === value.from)).toHaveLength(2);
      }
    }
    expect(halts).toBeGreaterThan(1);
  });
});
