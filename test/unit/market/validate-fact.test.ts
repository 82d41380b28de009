import { describe, expect, it } from 'vitest';
import type { AnyFact, FactKind, FactValues } from '../../../src/market/facts.ts';
import { REFUSALS } from '../../../src/market/refusals.ts';
import { factOf, keyOf, validateFact } from '../../../src/market/validate-fact.ts';
import {
  estimatesWith,
  expectedWith,
  fundamentalsWith,
  newsWith,
  profileWith,
  reportWith,
} from '../../support/reported.ts';

/** 2024-05-01 in New York begins at 04:00 UTC. */
const MIDNIGHT = Date.parse('2024-05-01T04:00:00Z');
const LATER = Date.parse('2024-05-01T20:00:00Z');

/** One good fact of every kind. */
const GOOD: { readonly [Kind in FactKind]: FactValues[Kind] } = {
  profile: profileWith({ companyName: 'Example Corp', employees: 0, ipoDate: '1999-01-04' }),
  listing: { from: '2024-05-01', ticker: 'EXMP', exchange: null },
  fundamentals: fundamentalsWith({ revenueTtm: -1, totalAssets: 0, stated: { pe_ratio: -3, market_cap: 0 } }),
  shares: { outstanding: 1, float: 0 },
  earnings_report: reportWith({
    date: '2024-05-01',
    periodEnd: '2024-03-31',
    epsEstimate: -0.1,
    epsActual: 0,
    revenueActual: 1,
  }),
  earnings_date: expectedWith({ date: '2024-07-30' }),
  analyst_grade: {
    date: '2024-05-01',
    firm: 'A Bank',
    action: 'upgrade',
    from: 'Hold',
    to: 'Buy',
    target: 0.01,
  },
  recommendations: { strongBuy: 0, buy: 3, hold: null, sell: null, strongSell: null, mean: 5, analysts: 3 },
  price_target: { mean: 10, high: 12, low: 12, analysts: 2 },
  analyst_estimates: estimatesWith({ year: 'next_year', epsAverage: -1, epsHigh: -1, epsLow: -1 }),
  insider_transaction: {
    date: '2024-05-01',
    owner: 'Jane Doe',
    title: null,
    code: 'G',
    shares: 0.5,
    price: 0,
    direction: null,
  },
  news: newsWith({
    publishedAt: LATER,
    headline: 'Something',
    source: null,
    symbols: ['ACME'],
    sentiment: -1,
    relevance: 1,
  }),
  theme_exposure: {
    theme: 'ai',
    themeName: null,
    direction: 'mixed',
    magnitude: 0,
    rationale: null,
    validFrom: '2024-06-01',
  },
  halt: { from: LATER, to: LATER, reason: null },
};

/** The validation's answer to the good fact of a kind with some fields replaced by anything. */
function validated(kind: FactKind, fields: object = {}, knownAt = LATER, key?: unknown) {
  const value = { ...GOOD[kind], ...fields };
  return validateFact({ kind, key: key ?? keyOf(kind, GOOD[kind]), knownAt, value } as unknown as AnyFact);
}

describe('validateFact', () => {
  it.each(Object.keys(GOOD) as FactKind[])('accepts a good %s', (kind) => expect(validated(kind)).toBeNull());

  it('takes lines in prose, and every script and joined emoji in a name', () => {
    expect(validated('profile', { description: 'One.\r\n\tTwo.' })).toBeNull();
    for (const companyName of ['שטראוס', 'شركة', 'Société Générale', '\u{1f469}\u200d\u{1f4bb} Inc', '<b>&"'])
      expect(validated('profile', { companyName }), companyName).toBeNull();
  });

  it.each<[string, string, FactKind, object]>([
    ['negative_amount', 'employees below zero', 'profile', { employees: -1 }],
    ['out_of_range', 'half an employee', 'profile', { employees: 1.5 }],
    ['not_a_number', 'a number as text', 'profile', { employees: '12' }],
    ['bad_word', 'a text as number', 'profile', { ceo: 12 }],
    ['missing_value', 'an empty text', 'profile', { ceo: ' ' }],
    ['missing_value', 'a field that is left out', 'profile', { ceo: undefined }],
    ['bad_time', 'a day that does not exist', 'profile', { ipoDate: '1999-02-29' }],
    ['bad_time', 'a year before any exchange data', 'profile', { ipoDate: '1899-12-31' }],
    ['unknown_field', 'a field that no profile has', 'profile', { ticker: 'X' }],
    ['missing_value', 'a profile that says nothing', 'profile', profileWith({})],
    ['too_large', 'a text of 20,001 characters', 'profile', { description: 'x'.repeat(20_001) }],
    ['hidden_character', 'the character zero', 'profile', { ceo: 'A\0B' }],
    ['hidden_character', 'a line break in a name', 'profile', { companyName: 'ACME\nBUY' }],
    ['hidden_character', 'a line separator in a headline', 'news', { headline: 'Up\u2028down' }],
    ['hidden_character', 'a terminal escape in a sector', 'profile', { sector: '\u001b[31mEnergy' }],
    ['hidden_character', 'a name that runs backwards', 'profile', { companyName: 'ACME \u202ecnI' }],
    ['hidden_character', 'an isolate in a firm', 'analyst_grade', { firm: '\u2067Firm' }],
    ['hidden_character', 'a mark of direction in a reason', 'halt', { reason: 'news\u200f' }],
    ['hidden_character', 'prose that runs backwards', 'profile', { description: 'It \u202emakes' }],
    ['hidden_character', 'a bell in prose', 'news', { summary: 'Up\u0007' }],
    ['bad_word', 'half of a character', 'profile', { ceo: '\ud83d' }],
    ['not_finite', 'an infinite number', 'fundamentals', { revenueTtm: Number.POSITIVE_INFINITY }],
    ['not_finite', 'no number', 'earnings_report', { epsActual: Number.NaN }],
    ['negative_amount', 'assets below zero', 'fundamentals', { totalAssets: -0.01 }],
    ['negative_amount', 'a market value below zero', 'fundamentals', { stated: { market_cap: -1 } }],
    ['unknown_field', 'a ratio that nobody knows', 'fundamentals', { stated: { p_e: 1 } }],
    ['not_a_number', 'a ratio as text', 'fundamentals', { stated: { pe_ratio: '1' } }],
    ['missing_value', 'a period alone', 'fundamentals', fundamentalsWith({})],
    ['missing_value', 'no period', 'fundamentals', { periodEnd: null }],
    ['negative_amount', 'shares below zero', 'shares', { outstanding: -1 }],
    ['out_of_range', 'no share at all', 'shares', { outstanding: 0 }],
    ['bad_word', 'a time of day that is none', 'earnings_report', { time: 'noon' }],
    ['bad_word', 'a status that is none', 'earnings_date', { status: 'rumoured' }],
    ['bad_word', 'an action that is none', 'analyst_grade', { action: 'praise' }],
    ['out_of_range', 'a target of nothing', 'analyst_grade', { target: 0 }],
    ['negative_amount', 'analysts below zero', 'recommendations', { hold: -1 }],
    ['out_of_range', 'an opinion below strong sell', 'recommendations', { mean: 0.99 }],
    ['out_of_range', 'an opinion above strong buy', 'recommendations', { mean: 5.01 }],
    ['out_of_range', 'a low above the high', 'price_target', { low: 12.01 }],
    ['out_of_range', 'a low estimate above the high', 'analyst_estimates', { epsLow: -0.99 }],
    ['bad_word', 'a year that is none', 'analyst_estimates', { year: '2024' }],
    ['out_of_range', 'a transaction of no share', 'insider_transaction', { shares: 0 }],
    ['negative_amount', 'a transaction below zero', 'insider_transaction', { shares: -5 }],
    ['bad_word', 'a code of two letters', 'insider_transaction', { code: 'SS' }],
    ['bad_word', 'a direction that is none', 'insider_transaction', { direction: 'up' }],
    ['out_of_range', 'tone below -1', 'news', { sentiment: -1.01 }],
    ['out_of_range', 'tone above 1', 'news', { sentiment: 1.01 }],
    ['out_of_range', 'relevance above 1', 'news', { relevance: 1.01 }],
    ['missing_value', 'news of nobody', 'news', { symbols: [] }],
    ['bad_symbol', 'news of an empty symbol', 'news', { symbols: ['ACME', ''] }],
    ['bad_time', 'news of no instant', 'news', { publishedAt: Number.NaN }],
    ['out_of_range', 'a magnitude below 0', 'theme_exposure', { magnitude: -0.01 }],
    ['out_of_range', 'a magnitude above 1', 'theme_exposure', { magnitude: 1.01 }],
    ['out_of_range', 'a halt that ends before it starts', 'halt', { to: LATER - 1 }],
    ['bad_time', 'half a millisecond', 'halt', { from: LATER - 0.5 }],
  ])('refuses as %s: %s', (reason, _what, kind, fields) => {
    expect(validated(kind, fields)).toBe(reason);
    expect(REFUSALS).toHaveProperty(reason);
  });

  it('lets texts of 20,000 characters pass, and tone and relevance up to their ends', () => {
    expect(validated('profile', { description: 'x'.repeat(20_000) })).toBeNull();
    expect(validated('news', { sentiment: 1, relevance: 0 })).toBeNull();
    expect(validated('recommendations', { mean: 1 })).toBeNull();
    expect(validated('theme_exposure', { magnitude: 1 })).toBeNull();
  });

  it.each<FactKind>(['earnings_report', 'analyst_grade', 'insider_transaction'])(
    'lets nobody know a %s before its New York day has begun',
    (kind) => {
      expect(validated(kind, {}, MIDNIGHT)).toBeNull();
      expect(validated(kind, {}, MIDNIGHT - 1)).toBe('known_too_early');
    },
  );

  it('lets nobody read news before they are out, or books before their period ends', () => {
    expect(validated('news', {}, LATER - 1)).toBe('known_too_early');
    const periodEnd = { periodEnd: '2024-05-01' };
    expect(validated('fundamentals', periodEnd, MIDNIGHT)).toBeNull();
    expect(validated('fundamentals', periodEnd, MIDNIGHT - 1)).toBe('known_too_early');
  });

  it('knows dates that are expected before they come', () => {
    expect(validated('earnings_date', { date: '2024-07-30' }, MIDNIGHT)).toBeNull();
    expect(validated('halt', { from: MIDNIGHT, to: LATER }, MIDNIGHT)).toBeNull();
  });

  it('wants an instant of the years that its clocks know, a key, and a kind', () => {
    for (const knownAt of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Date.UTC(1900, 0, 1) - 1,
      Date.UTC(2100, 0),
    ]) {
      expect(validated('shares', {}, knownAt)).toBe('bad_time');
    }
    expect(validated('shares', {}, Date.UTC(1900, 0, 1))).toBeNull();
    expect(validated('shares', {}, LATER, ' ')).toBe('bad_word');
    expect(validated('shares', {}, LATER, 'a\nb')).toBe('bad_word');
    expect(validated('shares', {}, LATER, 'a\u202eb')).toBe('bad_word');
    expect(validated('shares', {}, LATER, 7)).toBe('bad_word');
    expect(validated('shares', {}, LATER, 'k'.repeat(200))).toBeNull();
    expect(validated('shares', {}, LATER, 'k'.repeat(201))).toBe('bad_word');
    const odd = { kind: 'toString', key: 'k', knownAt: LATER, value: {} };
    expect(validateFact(odd as unknown as AnyFact)).toBe('unknown_kind');
    expect(validateFact({ ...odd, kind: 'shares', value: null } as unknown as AnyFact)).toBe('missing_value');
  });
});

describe('usual keys', () => {
  it('are the same however the names are spelt', () => {
    const grade = GOOD.analyst_grade;
    expect(keyOf('analyst_grade', { ...grade, firm: ' a  BANK ' })).toBe(keyOf('analyst_grade', grade));
    expect(keyOf('analyst_grade', { ...grade, date: '2024-05-02' })).not.toBe(keyOf('analyst_grade', grade));
  });

  it('keep two lots of one filing apart, and drop one lot reported twice', () => {
    const sale = GOOD.insider_transaction;
    expect(keyOf('insider_transaction', { ...sale, price: 1 })).not.toBe(keyOf('insider_transaction', sale));
    expect(keyOf('insider_transaction', { ...sale, title: 'CEO' })).toBe(keyOf('insider_transaction', sale));
  });

  it('stay short, and are valid with the fact', () => {
    const url = `https://example.com/${'x'.repeat(500)}`;
    const fact = factOf('news', LATER, { ...GOOD.news, url });
    expect(fact.key).toMatch(/^[0-9a-f]{64}$/);
    expect(validateFact(fact)).toBeNull();
    for (const kind of Object.keys(GOOD) as FactKind[]) {
      expect(validateFact(factOf(kind, LATER, GOOD[kind])), kind).toBeNull();
    }
  });
});
