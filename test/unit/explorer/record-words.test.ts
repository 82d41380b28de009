import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reliabilityWords } from '../../../explorer/src/shared/records.ts';
import { RECORDED } from '../../../explorer/src/shared/sentences.ts';

const bin = (forecast: number, observed: number, n: number) => ({ forecast, observed, n });

it('says what the highest and the lowest scores were worth as probabilities, where enough stocks had them', () => {
  const bins = [bin(0.02, 1, 3), bin(0.13, 0.49, 400), bin(0.52, 0.5, 900), bin(0.72, 0.514, 200)];
  const reliability = { n: 1_503, miscalibration: 0.05, discrimination: 0.001, uncertainty: 0.25, bins };
  expect(reliabilityWords({ key: 'bullish_confluence.5d', reliability })).toBe(
    'Of the highest scored, 72 on average, 51 in 100 beat the median; of the lowest, 13 on average, 49 in 100. Of a probability both numbers would agree.',
  );
  expect(reliabilityWords({ key: 'bearish_confluence.5d', reliability })).toContain('fell behind the median');
  expect(
    reliabilityWords({
      key: 'bullish_confluence.5d',
      reliability: { ...reliability, bins: bins.slice(0, 2) },
    }),
  ).toBe('');
  expect(reliabilityWords({ key: 'net_confluence.5d', reliability: null })).toBe('');
});

it('says of recorded markets what the document of records says', () => {
  const text = readFileSync(new URL('../../../docs/records.md', import.meta.url), 'utf8');
  expect(text).toContain(`recorded data as of ${RECORDED.until}`);
  for (const { true: held, n, chance } of RECORDED.records) {
    const counted = `${held.toLocaleString('en-US')} of ${n.toLocaleString('en-US')}`;
    const pattern = new RegExp(`\\b${counted}\\b[^()]*\\([^()]*chance ${chance} %\\)`);
    expect(text).toMatch(pattern);
  }
});
