import { describe, expect, it } from 'vitest';
import { midnightUtc } from '../../../src/base/dates.ts';
import { ownership } from '../../../src/blocks/ownership.ts';
import type { AnyFact, InsiderTransaction } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { fact, instant, type ViewParts, viewOf } from '../../support/views.ts';

let filings = 0;

/** A line of a Form 4, filed on the evening of its day. */
function filed(date: string, code: string, shares: number, said: Partial<InsiderTransaction> = {}): AnyFact {
  const value = { date, owner: 'Owner', title: null, code, shares, price: 10, direction: null, ...said };
  return fact('insider_transaction', midnightUtc(date) + 20 * 3_600_000, value, `filing ${filings++}`);
}

const of = (facts: readonly AnyFact[], parts: ViewParts = {}) =>
  derived(ownership, viewOf({ facts, ...parts })).nested;

describe('ownership', () => {
  it('counts trades on the open market and shares of every code whose direction is known', () => {
    expect(
      of([
        filed('2024-02-01', 'P', 100),
        filed('2024-02-02', 'P', 200, { direction: 'acquired' }),
        filed('2024-02-05', 'S', 50),
        filed('2024-02-06', 'A', 1000, { direction: 'acquired' }),
        filed('2024-02-07', 'F', 400, { direction: 'disposed' }),
        filed('2024-02-08', 'M', 9999),
      ]),
    ).toEqual({
      insider_purchases: 2,
      insider_sales: 1,
      insider_acquired: 1300,
      insider_disposed: 450,
      insider_sentiment: 'buying',
    });
  });

  it('looks back 90 days from the trade date, by the day of the transaction', () => {
    // 2024-03-13 less 90 days is 2023-12-14.
    expect(of([filed('2023-12-14', 'P', 1)])).toMatchObject({ insider_purchases: 1 });
    expect(of([filed('2023-12-13', 'P', 1)])).toEqual({
      insider_purchases: 0,
      insider_sales: 0,
      insider_acquired: 0,
      insider_disposed: 0,
      insider_sentiment: 'neutral',
    });
  });

  it.each([
    ['more trades and more shares', [1, 10, 0, 0], 'buying'],
    ['more trades, as many shares', [2, 5, 1, 10], 'neutral'],
    ['more shares, as many trades', [1, 10, 1, 5], 'neutral'],
    ['more trades, fewer shares', [2, 1, 1, 5], 'neutral'],
    ['fewer of both', [1, 5, 2, 5], 'selling'],
    ['none', [0, 0, 0, 0], 'neutral'],
  ] as const)('%s bought than sold', (_words, [bought, each, sold, eachSold], sentiment) => {
    const facts = [
      filed('2024-02-01', 'G', 1, { direction: 'disposed' }),
      ...Array.from({ length: bought }, () => filed('2024-02-01', 'P', each)),
      ...Array.from({ length: sold }, () => filed('2024-02-01', 'S', eachSold)),
    ];
    expect(of(facts)!.insider_sentiment).toBe(sentiment);
  });

  it('counts shares of before a split as those of today', () => {
    const actions = [{ kind: 'split', exDate: midnightUtc('2024-03-01'), value: 3 }] as const;
    const facts = [filed('2024-02-01', 'P', 100), filed('2024-03-05', 'P', 100)];
    expect(of(facts, { actions })!.insider_acquired).toBe(400);
  });

  it('knows a transaction from its filing', () => {
    const late = { ...filed('2024-03-11', 'S', 5), knownAt: instant('2024-03-13', '17:30') } as AnyFact;
    expect(of([late], { at: '17:29' })).toBeNull();
    expect(of([late], { at: '17:30' })).toMatchObject({ insider_sales: 1, insider_sentiment: 'selling' });
  });
});
