import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CANDLESTICK_SHAPES,
  candles,
  SHAPE_WARM_UP,
} from '../../../src/analysis/patterns/candlestick-shapes.ts';
import type { CandlestickType } from '../../../src/analysis/patterns/finding.ts';
import { detectPatterns } from '../../../src/analysis/patterns/index.ts';
import { prefix } from '../../support/bar-columns.ts';
import { barsOf, type Candle } from '../../support/price-paths.ts';
import { figures } from '../../support/tables.ts';

interface Reference {
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly rows: Readonly<Record<string, readonly number[]>>;
}

const reference: Reference = JSON.parse(
  readFileSync(new URL('../../../fixtures/patterns/candlesticks.json', import.meta.url), 'utf8'),
);

describe('shapes agree with TA-Lib', () => {
  const columns = ['open', 'high', 'low', 'close'] as const;
  const prices = (row: number) =>
    Object.fromEntries(columns.map((name) => [name, reference[name][row]! / 8]));
  const bars = barsOf(reference.open.map((_, row) => ({ ...prices(row), volume: 1 }) as Candle));
  const of = candles(bars, 0);

  it.each(Object.entries(reference.rows))('%s', (type, expected) => {
    const shape = CANDLESTICK_SHAPES[type as CandlestickType];
    const found: number[] = [];
    for (let row = SHAPE_WARM_UP; row < bars.close.length; row++) if (shape.holds(of, row)) found.push(row);
    expect(found).toEqual(expected.filter((row) => row >= SHAPE_WARM_UP));
    expect(found.length).toBeGreaterThan(1);
  });
});

/** Twenty candles with a body of 1 and shadows of 0.5 that step up (1) or down (-1) by 0.5 a day, from 100. */
function trend(step: 1 | -1): Candle[] {
  return Array.from({ length: 20 }, (_, row) => candle(100 + step * row * 0.5, 100 + step * (row * 0.5 + 1)));
}

function candle(open: number, close: number, upper = 0.5, lower = 0.5): Candle {
  return {
    open,
    close,
    high: Math.max(open, close) + upper,
    low: Math.min(open, close) - lower,
    volume: 1_000_000,
  };
}

function namesAt(path: readonly Candle[]): string[] {
  const bars = barsOf(path);
  return detectPatterns(bars)
    .filter((finding) => finding.family === 'candlestick' && finding.firstSeenRow === path.length - 1)
    .map((finding) => finding.type);
}

function find(path: readonly Candle[], type: CandlestickType) {
  return detectPatterns(barsOf(path)).find((finding) => finding.type === type);
}

/** The last black candle of the decline runs from 90.5 to 89.5; this one opens at 89 and closes at 91. */
const engulfing = [...trend(-1), candle(89, 91)];

describe('meaning', () => {
  it('calls a bullish engulfing one only after a decline', () => {
    expect(namesAt(engulfing)).toContain('bullish_engulfing');
    // The same two candles after an advance: black 109.5 to 108.5, white 108 to 110.
    const after = [...trend(1), candle(109.5, 108.5), candle(108, 110)];
    expect(namesAt(after)).not.toContain('bullish_engulfing');
  });

  it('takes a volume that is not known neither for its pattern nor against it', () => {
    const last = engulfing.at(-1)!;
    const of = (volume: number): number =>
      find([...engulfing.slice(0, -1), { ...last, volume }], 'bullish_engulfing')!.confidence;
    const [little, much] = [of(700_000), of(1_500_000)];
    // Volume is one of three measures: 0 at seven tenths of the average, 1 at half as much again.
    expect(much - little).toBeCloseTo(1 / 3, 12);
    expect(of(Number.NaN)).toBeCloseTo((little * 3) / 2, 12);
  });

  it('is no engulfing when the body stays inside', () => {
    expect(namesAt([...trend(-1), candle(89.75, 90.25)])).not.toContain('bullish_engulfing');
  });

  it('distinguishes a hammer from a hanging man by the trend before', () => {
    expect(namesAt([...trend(-1), candle(89, 89.5, 0, 2)])).toContain('hammer');
    const up = namesAt([...trend(1), candle(111.25, 110.75, 0, 2)]);
    expect(up).toContain('hanging_man');
    expect(up).not.toContain('hammer');
  });

  it('gives one name to a doji that has a better one', () => {
    // No body, no upper shadow, a lower one of 2: a dragonfly, hence neither doji nor hammer nor spinning top.
    expect(namesAt([...trend(-1), candle(89, 89, 0, 2)])).toEqual(['dragonfly_doji']);
    // Shadows of 1 on both sides; two fifths of the mean range of 2 are 0.8.
    expect(namesAt([...trend(-1), candle(89, 89, 1, 1)])).toEqual(['long_legged_doji']);
    expect(namesAt([...trend(-1), candle(89, 89, 0.5, 0.5)])).toEqual(['doji']);
  });
});

describe('the life of a candlestick', () => {
  const still = candle(90, 90.25);

  it.each<[what: string, after: Candle[], expected: object]>([
    // High 91.5, low 88.5 of the two candles (the first has its low at 89): height 3.
    ['forms with trigger at its high', [], figures`trigger 91.5, stop 88.5, invalidation 88.5, target 94.5`],
    ['forms', [], { direction: 'bullish', status: 'forming', firstSeenRow: 20, confirmedRow: null }],
    ['is not confirmed by a close at its high', [candle(91, 91.5)], { status: 'forming' }],
    ['is confirmed beyond it', [candle(91, 91.75)], { status: 'confirmed', confirmedRow: 21 }],
    [
      'fails on a close beyond its low',
      [candle(90, 88)],
      { status: 'failed', failure: 'invalidated', failedRow: 21 },
    ],
    ['waits for two sessions', [still, still], { status: 'forming' }],
    ['expires after three', [still, still, still], { status: 'failed', failure: 'expired', failedRow: 23 }],
  ])('%s', (_, after, expected) => {
    expect(find([...engulfing, ...after], 'bullish_engulfing')).toMatchObject(expected);
  });

  it('is served for ten sessions after its confirmation', () => {
    const path = [...engulfing, candle(91, 92), ...Array.from({ length: 12 }, () => candle(92, 92.5))];
    const bars = barsOf(path);
    const asOf = (row: number) =>
      detectPatterns(prefix(bars, row + 1)).find((finding) => finding.type === 'bullish_engulfing');
    expect(asOf(31)).toMatchObject({ status: 'confirmed', confirmedRow: 21 });
    expect(asOf(32)).toBeUndefined();
  });

  it('lets a neutral one take the side of the close that leaves it', () => {
    const doji = [...trend(1), candle(110, 110, 0.5, 0.5)];
    const [up, down] = [candle(110, 111), candle(110, 109)].map((day) => find([...doji, day], 'doji'));
    const edges = { trigger: 110.5, counterTrigger: 109.5 };
    expect(find(doji, 'doji')).toMatchObject({ direction: 'neutral', ...edges, target: Number.NaN });
    expect(up).toMatchObject({ direction: 'bullish', trigger: 110.5, target: 111.5, stop: 109.5 });
    const below = { trigger: 109.5, counterTrigger: 110.5, target: 108.5, stop: 110.5 };
    expect(down).toMatchObject({ direction: 'bearish', ...below });
  });
});
