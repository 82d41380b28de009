import { describe, expect, it } from 'vitest';
import {
  COMPONENT_NAMES,
  COMPONENTS,
  type ComponentName,
  scorePair,
  scoreTable,
} from '../../../../src/analysis/scoring/components.ts';
import { INPUT_NAMES, type InputName, type ScoreInputs } from '../../../../src/analysis/scoring/inputs.ts';
import { forAll } from '../../../support/for-all.ts';
import { figures, words } from '../../../support/tables.ts';
import { ALL_INPUTS, anyInputs, anyValueOf, withInputs } from './known-inputs.ts';

/** Which way each side goes as an input grows: 1 up, -1 down, 0 not at all. */
const BULL: Readonly<Record<InputName, number>> = figures`
  support_atr -1, support_strength 1, resistance_atr 0, resistance_strength 0, percent_b 1,
  atr_compression_ratio -1, up_volume_share 1, rel_vol_5d 1, vwap_atr 1, volume_pace 1,
  bullish_patterns 1, bearish_patterns 0, iv_rank -1, iv_skew -1, trend_score 1, vix -1,
  days_to_earnings 1, days_since_earnings -1, surprise_pct 1, news_sentiment 1, momentum_blend 1,
  momentum_slope_60d 1, ema_spread_atr 1, adx_14 1, pricing_edge_bull 1, pricing_edge_bear 0,
  greek_lean 1, orb_lean 1, orb_high_atr -1, orb_low_atr 0, intraday_return_atr 1, rsi_14 1,
  macd_gap_atr 1, sma20_atr 1`;
const BEAR: typeof BULL = figures`
  support_atr 0, support_strength 0, resistance_atr -1, resistance_strength 1, percent_b -1,
  atr_compression_ratio -1, up_volume_share -1, rel_vol_5d 1, vwap_atr -1, volume_pace 1,
  bullish_patterns 0, bearish_patterns 1, iv_rank 1, iv_skew 1, trend_score -1, vix 1,
  days_to_earnings 1, days_since_earnings -1, surprise_pct -1, news_sentiment -1, momentum_blend -1,
  momentum_slope_60d -1, ema_spread_atr -1, adx_14 1, pricing_edge_bull 0, pricing_edge_bear 1,
  greek_lean -1, orb_lean -1, orb_high_atr 0, orb_low_atr -1, intraday_return_atr -1, rsi_14 -1,
  macd_gap_atr -1, sma20_atr -1`;

const ofInput = (input: InputName): ComponentName[] =>
  COMPONENT_NAMES.filter((name) =>
    [...COMPONENTS[name].inputs.bull, ...COMPONENTS[name].inputs.bear].includes(input),
  );

describe('components by hand', () => {
  // Worked from the definitions with every ramp of ALL_INPUTS at a round share.
  it.each([
    // 10 x (1 - 0.25) x (0.5 + 0.5 x 0.6); 10 x (1 - 0.75) x (0.5 + 0.5 x 0.4)
    ['proximity', 6, 1.75],
    // ratio 1 is half of 0.7-1.3: 10 x 0.75 x (0.25 / 0.5)
    ['volatility', 3.75, 0],
    // both volumes are half of 0.7-1.5: 0.75; shares (0.1 / 0.2) and (0.25 / 0.5): 10 x mean(0.375, 0.375)
    ['volume', 3.75, 0],
    ['pattern', 5, 2],
    // rank 0.3, skew (0.025 + 0.05) / 0.15 = 0.5: dear 0.4
    ['iv', 6, 4],
    ['day_type', 5, 0],
    // (21.5 - 13) / 17 = 0.5
    ['vix_regime', 5, 5],
    // drift half gone at 55 of 20-90 days: 10 x mean(0.5 x 0.5, 0.5)
    ['event_proximity', 3.75, 0],
    // adx half of 15-30: 0.75; blend ln 1.1...: 10 of 20, slope 30 of 60, spread 1 of 2: 10 x 0.75 x 0.5
    ['momentum_trend', 3.75, 0],
    ['pricing_edge', 6, 4],
    // lean half of 0-0.5
    ['greek_alignment', 5, 0],
    ['orb_structure', 5, 0],
    // (1 - 0.1 / 0.5), (1 - 0.4 / 0.5)
    ['orb_proximity', 8, 2],
    ['intraday_return', 4, 0],
    ['technical', 5, 0],
  ] as const)('%s: bull %d, bear %d', (name, bull, bear) => {
    const pair = scorePair(name, ALL_INPUTS);
    expect(pair?.bull).toBeCloseTo(bull, 12);
    expect(pair?.bear).toBeCloseTo(bear, 12);
  });
});

describe('every component', () => {
  it('stays within 0 to 10 whatever the inputs', () => {
    forAll([anyInputs(10)], (inputs) => {
      for (const pair of Object.values(scoreTable(inputs))) {
        if (pair === null) continue;
        for (const score of [pair.bull, pair.bear]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(10 + 1e-12);
        }
      }
    });
  });

  it('has each input to itself, so that one input moves one component', () => {
    for (const input of INPUT_NAMES) expect(ofInput(input), input).toHaveLength(1);
  });

  it.each(INPUT_NAMES)('is monotone in %s, the way that the page says', (input) => {
    const [name] = ofInput(input);
    forAll([anyInputs(0), anyValueOf(input)], (inputs, value) => {
      const [low, high] = [Math.min(inputs[input], value), Math.max(inputs[input], value)];
      const before = scorePair(name!, { ...inputs, [input]: low })!;
      const after = scorePair(name!, { ...inputs, [input]: high })!;
      const [bull, bear] = [BULL[input], BEAR[input]];
      if (bull === 0) expect(after.bull).toBe(before.bull);
      else expect((after.bull - before.bull) * bull).toBeGreaterThanOrEqual(-1e-12);
      if (bear === 0) expect(after.bear).toBe(before.bear);
      else expect((after.bear - before.bear) * bear).toBeGreaterThanOrEqual(-1e-12);
    });
  });

  it('moves with each of its inputs somewhere', () => {
    for (const input of INPUT_NAMES) {
      const [name] = ofInput(input);
      const [bull, bear] = [BULL[input], BEAR[input]];
      // Results are due within the five days in which they matter.
      const near = withInputs({ days_to_earnings: 2 });
      const up = scorePair(name!, { ...near, [input]: near[input] * 1.05 + 0.01 })!;
      const now = scorePair(name!, near)!;
      const moved = Math.abs(up.bull - now.bull) + Math.abs(up.bear - now.bear);
      expect(moved, `${input} ${bull} ${bear}`).toBeGreaterThan(1e-6);
    }
  });
});

/** The same market seen in the mirror: what spoke for longs speaks for shorts. */
function mirror(inputs: ScoreInputs): ScoreInputs {
  const negated = words`
    vwap_atr trend_score surprise_pct news_sentiment momentum_slope_60d ema_spread_atr greek_lean orb_lean
    intraday_return_atr macd_gap_atr sma20_atr` as InputName[];
  const pairs: [InputName, InputName][] = [
    ['support_atr', 'resistance_atr'],
    ['support_strength', 'resistance_strength'],
    ['bullish_patterns', 'bearish_patterns'],
    ['pricing_edge_bull', 'pricing_edge_bear'],
    ['orb_high_atr', 'orb_low_atr'],
  ];
  /** The sum of an input and its mirror image. */
  const sums = figures`percent_b 1, up_volume_share 1, iv_rank 100, iv_skew 0.05, vix 43, rsi_14 100`;
  const turned: Record<InputName, number> = { ...inputs };
  for (const name of negated) turned[name] = -inputs[name];
  for (const [one, other] of pairs) [turned[one], turned[other]] = [inputs[other], inputs[one]];
  for (const [name, sum] of Object.entries(sums)) turned[name as InputName] = sum - inputs[name as InputName];
  return { ...turned, momentum_blend: 100 * (1 / (1 + inputs.momentum_blend / 100) - 1) };
}

describe('the mirror', () => {
  it('swaps both sides of every component', () => {
    forAll([anyInputs(10)], (inputs) => {
      const table = scoreTable(inputs);
      const mirrored = scoreTable(mirror(inputs));
      for (const name of COMPONENT_NAMES) {
        const [pair, other] = [table[name], mirrored[name]];
        expect(other === null, name).toBe(pair === null);
        if (pair === null || other === null) continue;
        expect(other.bull, name).toBeCloseTo(pair.bear, 9);
        expect(other.bear, name).toBeCloseTo(pair.bull, 9);
      }
    });
  });
});

describe('missing inputs', () => {
  const without = (...names: InputName[]) =>
    withInputs(Object.fromEntries(names.map((name) => [name, Number.NaN])));

  it.each(
    COMPONENT_NAMES.filter((name) => !['volume', 'event_proximity'].includes(name)).flatMap((name) =>
      [...new Set([...COMPONENTS[name].inputs.bull, ...COMPONENTS[name].inputs.bear])].map(
        (input) => [name, input] as const,
      ),
    ),
  )('%s is null without %s', (name, input) => {
    expect(scorePair(name, without(input))).toBeNull();
  });

  it('volume uses the half that is known', () => {
    expect(scorePair('volume', withInputs({ vwap_atr: Number.NaN, up_volume_share: 0.7 }))?.bull).toBeCloseTo(
      7.5,
    );
    expect(scorePair('volume', withInputs({ rel_vol_5d: Number.NaN, vwap_atr: 0.5 }))?.bull).toBeCloseTo(7.5);
    expect(scorePair('volume', without('rel_vol_5d', 'volume_pace'))).toBeNull();
  });

  it('event_proximity uses the surprise or the news, and deducts nothing for an unknown date', () => {
    expect(scorePair('event_proximity', without('surprise_pct'))?.bull).toBeCloseTo(5);
    expect(scorePair('event_proximity', without('days_since_earnings'))?.bull).toBeCloseTo(5);
    expect(scorePair('event_proximity', without('news_sentiment'))?.bull).toBeCloseTo(2.5);
    expect(scorePair('event_proximity', without('days_to_earnings'))?.bull).toBeCloseTo(3.75);
    expect(scorePair('event_proximity', withInputs({ days_to_earnings: 0 }))).toEqual({ bull: 0, bear: 0 });
    expect(scorePair('event_proximity', without('surprise_pct', 'news_sentiment'))).toBeNull();
  });
});
