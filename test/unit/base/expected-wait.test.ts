import { describe, expect, it } from 'vitest';
import { expectedWaitMs, smoothed } from '../../../src/database/connection-pool.ts';

describe('an expected wait', () => {
  it('is none where nothing waits, however slow things have been', () => {
    expect(expectedWaitMs(0, 1, 60_000)).toBe(0);
  });

  it('is none before anything has been measured', () => expect(expectedWaitMs(1_000, 1, null)).toBe(0));

  it('is that of all who wait, shared among the places', () => {
    expect(expectedWaitMs(100, 1, 20)).toBe(2_000);
    expect(expectedWaitMs(100, 4, 20)).toBe(500);
  });

  it('begins with the first measurement and follows the later ones', () => {
    expect(smoothed(null, 40)).toBe(40);
    let mean = smoothed(null, 10);
    for (let at = 0; at < 50; at++) mean = smoothed(mean, 100);
    expect(mean).toBeGreaterThan(99);
    // An outlier moves it a little.
    expect(smoothed(10, 110)).toBe(20);
  });
});
