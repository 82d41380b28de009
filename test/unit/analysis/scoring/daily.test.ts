import { describe, expect, it } from 'vitest';
import type { PatternWitness } from '../../../../src/analysis/scoring/daily.ts';
import { patternEvidence, upVolumeShare } from '../../../../src/analysis/scoring/daily.ts';

describe('upVolumeShare', () => {
  // 21 closes: ten rises of 300 shares, five falls of 100, five days that close where they were.
  const changes = [...Array(10).fill(1), ...Array(5).fill(-1), ...Array(5).fill(0)];
  const close = Float64Array.from(
    [0, ...changes].map((_, row) => 100 + changes.slice(0, row).reduce((a, b) => a + b, 0)),
  );
  const volume = Float64Array.from([
    999,
    ...changes.map((change) => (change > 0 ? 300 : change < 0 ? 100 : 5000)),
  ]);

  it('is the share of the volume on rises, of the volume that took a side', () => {
    expect(upVolumeShare(close, volume, 20)).toBeCloseTo(3000 / 3500, 12);
  });

  it('needs 21 closes and a side', () => {
    expect(upVolumeShare(close, volume, 19)).toBeNaN();
    expect(upVolumeShare(close, volume, 21)).toBeNaN();
    expect(upVolumeShare(new Float64Array(30).fill(5), new Float64Array(30).fill(100), 29)).toBeNaN();
  });
});

describe('patternEvidence', () => {
  const witness = (parts: Partial<PatternWitness>): PatternWitness => ({
    direction: 'bullish',
    status: 'confirmed',
    confidence: 0.6,
    spent: false,
    ...parts,
  });

  it('doubts less with every witness: 1 - 0.4 x 0.75 of a confirmed 0.6 and a forming 0.5', () => {
    const both = [witness({}), witness({ status: 'forming', confidence: 0.5 })];
    expect(patternEvidence(both, 'bullish')).toBeCloseTo(0.7, 12);
  });

  it('hears no failed, no spent and no other side', () => {
    const silent = [
      witness({ status: 'failed' }),
      witness({ spent: true }),
      witness({ direction: 'bearish' }),
    ];
    expect(patternEvidence(silent, 'bullish')).toBe(0);
    expect(patternEvidence(silent, 'bearish')).toBeCloseTo(0.6, 12);
  });
});
