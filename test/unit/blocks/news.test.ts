import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/base/dates.ts';
import { news } from '../../../src/blocks/news.ts';
import type { AnyFact, NewsItem } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { newsWith } from '../../support/reported.ts';
import { fact, instant, TRADE_DATE, viewOf } from '../../support/views.ts';

// 2024-03-14T00:00Z, the end of after-hours trading.
const AS_OF = instant(TRADE_DATE, '20:00');
const HOUR = 3_600_000;

let items = 0;

/** An item published some hours before the as-of instant and known at once; without tone unless it says so. */
function item(hoursAgo: number, said: Partial<NewsItem> = {}, knownHoursAgo = hoursAgo): AnyFact {
  const number = items++;
  return fact(
    'news',
    AS_OF - knownHoursAgo * HOUR,
    newsWith({
      publishedAt: AS_OF - hoursAgo * HOUR,
      headline: `Item ${number}`,
      source: 'Wire',
      symbols: ['TEST'],
      ...said,
    }),
    `item ${number}`,
  );
}

const viewWith = (facts: readonly AnyFact[]) =>
  viewOf({ facts: facts.toSorted((one, other) => one.knownAt - other.knownAt) });
const of = (facts: readonly AnyFact[]) => derived(news, viewWith(facts)).nested;

describe('news', () => {
  it('lists events newest first with the vendor’s tone', () => {
    const vendor = {
      headline: 'Acme Wins',
      eventType: 'product',
      sentiment: -0.4,
      relevance: 0.5,
      url: 'https://a.b',
    };
    expect(of([item(30), item(2, vendor)])!.items).toEqual([
      {
        id: '2024-03-13 acme wins',
        headline: 'Acme Wins',
        summary: null,
        source: 'Wire',
        url: 'https://a.b',
        published_at: '2024-03-13T22:00:00.000Z',
        event_type: 'product',
        sentiment: 'negative',
        sentiment_score: -0.4,
        sentiment_source: 'vendor',
        relevance: 0.5,
      },
      expect.objectContaining({
        published_at: '2024-03-12T18:00:00.000Z',
        sentiment: 'neutral',
        sentiment_score: 0,
      }),
    ]);
  });

  it('scores a headline by the lexicon where the vendor is silent, the summary where the headline has no tone', () => {
    const toneOf = (headline: string, summary: string | null = null) =>
      of([item(1, { headline, summary })])!.items[0]!;
    // The list rates upgraded 1 and lawsuit -2: 1 / sqrt(16), -2 / sqrt(19).
    expect(toneOf('Acme upgraded')).toMatchObject({ sentiment_score: 0.25, sentiment_source: 'lexicon' });
    expect(toneOf('Acme speaks', 'A lawsuit')).toMatchObject({
      sentiment: 'negative',
      sentiment_source: 'lexicon',
    });
    expect(toneOf('Acme speaks', 'A lawsuit').sentiment_score).toBeCloseTo(-2 / Math.sqrt(19), 12);
    expect(toneOf('Acme upgraded', 'A lawsuit').sentiment_score).toBe(0.25);
    expect(toneOf('10 %')).toMatchObject({ sentiment: null, sentiment_score: null, sentiment_source: null });
  });

  it('counts what was published in the last day and week', () => {
    const nested = of([item(0), item(23.99), item(24), item(7 * 24 - 0.01), item(7 * 24), item(29 * 24)])!;
    expect(nested).toMatchObject({
      count_24h: 2,
      count_7d: 4,
      latest_published_at: '2024-03-14T00:00:00.000Z',
    });
    expect(nested.items).toHaveLength(6);
  });

  it('forgets after 30 days', () => {
    expect(of([item(30 * 24 - 0.01)])!.items).toHaveLength(1);
    expect(of([item(30 * 24)])).toBeNull();
  });

  it('shows 50 events and counts all', () => {
    const many = Array.from({ length: 60 }, (_, at) => item(at / 10));
    const nested = of(many)!;
    expect(nested.items).toHaveLength(50);
    expect(nested.count_24h).toBe(60);
    expect(nested.items.map(({ published_at }) => published_at)).toEqual(
      nested.items
        .map(({ published_at }) => published_at)
        .toSorted()
        .reverse(),
    );
  });

  it('takes reports of one headline on one day as one event, the first of them', () => {
    const nested = of([
      item(3, { headline: 'ACME wins ', source: 'Second' }),
      item(5, { headline: 'Acme wins', source: 'First' }),
      item(30, { headline: 'Acme wins', source: 'The day before' }),
    ])!;
    expect(nested.items.map(({ source }) => source)).toEqual(['First', 'The day before']);
    expect(nested.count_24h).toBe(1);
  });

  it('weighs the tone of the last day by relevance, in full where none is given', () => {
    // (0.8 x 0.5 - 0.2 x 1) / 1.5 = 0.1333..
    const nested = of([item(1, { sentiment: 0.8, relevance: 0.5 }), item(2, { sentiment: -0.2 })])!;
    expect(nested.sentiment_score).toBeCloseTo(0.2 / 1.5, 12);
    expect(nested.sentiment).toBe('neutral');
    const old = of([item(25, { sentiment: 0.8 })])!;
    expect(old).toMatchObject({ count_24h: 0, sentiment: null, sentiment_score: null });
    expect(of([item(1, { sentiment: 0.8, relevance: 0 })])!.sentiment_score).toBeNull();
  });

  it('measures a burst against ten events in 30 days at least', () => {
    const quiet = Array.from({ length: 8 }, (_, at) => item(48 + at));
    // Two of ten in the last day: 2 / (10 / 30) = 6.
    expect(of([...quiet, item(1), item(2)])!.burst).toBe(6);
    expect(of([...quiet, item(1)])!.burst).toBeNull();
    expect(of([...quiet, item(30), item(31)])!.burst).toBe(0);
  });

  it('hangs what was published since the session before on the day', () => {
    // After-hours trading of the session before ended at 2024-03-13T00:00Z, 24 hours before.
    const facts = [item(24), item(23.5, { headline: 'Acme upgraded', relevance: 0.5 })];
    const view = viewWith(facts);
    expect(news.relate!(derived(news, view).nested!, view)).toEqual([
      {
        type: 'MENTIONED_IN',
        label: 'News',
        key: '2024-03-13 acme upgraded',
        props: {
          headline: 'Acme upgraded',
          published_at: '2024-03-13T00:30:00.000Z',
          source: 'Wire',
          url: null,
        },
        edgeProps: { sentiment: 'positive', sentiment_score: 0.25, relevance: 0.5 },
      },
    ]);
  });

  it('is not changed by what is known later, however early it is dated', () => {
    const now = [item(1), item(50, { sentiment: 0.3 })];
    const known = of(now);
    const later = fc.record({
      published: wholeBetween(-100, 700),
      after: wholeBetween(1, 30 * DAY_MS),
    });
    forAll([fc.array(later, { maxLength: 5 })], (items) => {
      const late = items.map(({ published, after }) => item(published, { sentiment: -1 }, -after / HOUR));
      expect(of([...now, ...late])).toEqual(known);
    });
  });
});
