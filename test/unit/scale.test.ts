import { describe, expect, it } from 'vitest';
import {
  type Compared,
  compareCache,
  compareLosses,
  compareMergedMinutes,
  compareMinutes,
  compareOutages,
  compareRefusals,
  compareWaits,
} from '../../bench/scale/compare.ts';
import {
  minuteMs,
  minuteWithoutBarrierMs,
  refusalsFrom,
  refusedShare,
  waitMs,
} from '../../bench/scale/model.ts';

/** The formulas behind docs/scale.md against the same desk, played event by event. */

/** Where the model is off by more than a share of the simulated figure, or of 1 where that is less. */
const apart = (compared: readonly Compared[], share: number, read = (one: Compared) => one.model): string[] =>
  compared
    .filter((one) => Math.abs(read(one) - one.simulation) > share * Math.max(1, one.simulation))
    .map((one) => `${one.what}: ${read(one)} against ${one.simulation}`);

describe('model and simulation', () => {
  const minutes = compareMinutes(150);

  it('agree on a minute within 5 %', () => {
    expect(apart(minutes, 0.05)).toEqual([]);
  });

  it('agree that a minute waits for its slowest worker: work over threads is too short for most desks', () => {
    const naive = apart(minutes, 0.05, (one) => one.naive!);
    expect(naive.length).toBeGreaterThan(minutes.length / 2);
    expect(minutes.filter(({ naive, simulation }) => naive! > 1.01 * simulation)).toEqual([]);
  });

  it('agree on a minute in which a worker ends within 5 %', () => {
    const losses = compareLosses(150);
    expect(apart(losses, 0.05)).toEqual([]);
    expect(apart(losses, 0.05, (one) => one.naive!)).toHaveLength(losses.length);
  });

  it('agree on the wait for a thread within 12 %', () => {
    expect(apart(compareWaits(20_000), 0.12)).toEqual([]);
  });

  it('agree on refusals within 5 %', () => {
    expect(apart(compareRefusals(30_000), 0.05)).toEqual([]);
  });

  it('agree on answers from the cache within 3 %', () => {
    expect(apart(compareCache(600_000), 0.03)).toEqual([]);
  });

  it('agree on the time to catch up within 5 %, which is short for minutes that are processed together', () => {
    expect(apart(compareOutages(2), 0.05)).toEqual([]);
    const merged = compareMergedMinutes(50);
    expect(apart(merged, 0.05)).toEqual([]);
    expect(apart(merged, 0.05, (one) => one.naive!)).toHaveLength(merged.length);
  });
});

describe('the model alone', () => {
  const minute = {
    parts: 64,
    workers: 8,
    threads: 1,
    partMs: 100,
    partSpread: 0.1,
    placement: 'chance',
  } as const;

  it('has no barrier for one thread, and parts by chance cost more than parts in equal numbers', () => {
    const alone = { ...minute, workers: 1 };
    expect(minuteMs(alone)).toBeCloseTo(minuteWithoutBarrierMs(alone), -1);
    expect(minuteMs(minute)).toBeGreaterThan(1.3 * minuteMs({ ...minute, placement: 'equal' }));
  });

  it('waits as long as the textbook says for M/M/1 and M/M/2', () => {
    expect(waitMs({ rate: 0.08, servers: 1, serviceMs: 10, serviceSpread: 1 })).toBeCloseTo(40, 9);
    // 2 servers, load 1.6: Erlang C is 0.7111.
    expect(waitMs({ rate: 0.16, servers: 2, serviceMs: 10, serviceSpread: 1 })).toBeCloseTo(17.7778, 3);
    expect(waitMs({ rate: 0.2, servers: 2, serviceMs: 10, serviceSpread: 1 })).toBe(Number.POSITIVE_INFINITY);
  });

  it('refuses as Erlang says without room to wait, and from saturation on with much', () => {
    // Erlang B of 5 servers at load 3.
    expect(refusedShare({ rate: 0.3, servers: 5, serviceMs: 10 }, 5)).toBeCloseTo(0.110054, 6);
    const limit = refusalsFrom({ servers: 2, serviceMs: 10 }, 98, 0.001);
    expect(limit).toBeGreaterThan(0.9 * 0.2);
    expect(limit).toBeLessThan(0.2);
  });
});
