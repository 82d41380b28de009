import { describe, expect, it } from 'vitest';
import { seriesWords, spanOf, stretchOf } from '../../../explorer/src/imports/strip.ts';
import { base64Of } from '../../../explorer/src/imports/upload.ts';

describe('a part of a file', () => {
  it.each([0, 1, 2, 3, 32_768, 100_001])('of %s bytes is written in base64', (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  });
});

describe('the strip of a series', () => {
  const within = { first: '2024-01-01', last: '2024-01-10' };

  it('lies where its dates are, both ends with their whole day', () => {
    expect(stretchOf(within, within)).toEqual({ from: 0, to: 1 });
    expect(stretchOf({ first: '2024-01-03', last: '2024-01-03' }, within)).toEqual({ from: 0.2, to: 0.3 });
    expect(
      spanOf([
        { first: '2024-01-03', last: '2024-01-10' },
        { first: '2024-01-01', last: '2024-01-02' },
      ]),
    ).toEqual(within);
    expect(spanOf([])).toBeNull();
  });

  it('is told in words, with the newest holes first', () => {
    const series = {
      kind: 'days',
      first: '2024-01-02',
      last: '2024-03-08',
      sessions: 1_044,
      missing: 0,
      holes: [],
    } as const;
    expect(seriesWords({ ...series, holes: [] })).toBe('2024-01-02 to 2024-03-08, 1,044 sessions');
    const holes = [
      { from: '2024-01-17', to: '2024-01-19', sessions: 3 },
      { from: '2024-01-31', to: '2024-01-31', sessions: 1 },
    ];
    expect(seriesWords({ ...series, missing: 4, holes })).toBe(
      '2024-01-02 to 2024-03-08, 1,044 sessions, 4 missing: 2024-01-31, 2024-01-17 to 2024-01-19 (3)',
    );
    expect(seriesWords({ ...series, kind: 'facts', last: '2024-01-02', sessions: 1, holes: [] })).toBe(
      '2024-01-02, 1 fact',
    );
  });
});
