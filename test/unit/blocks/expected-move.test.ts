import { describe, expect, it } from 'vitest';
import { expectedMove } from '../../../src/blocks/expected-move.ts';
import { derived } from '../../support/derived.ts';
import { between, forAll } from '../../support/for-all.ts';
import { CHAIN_DATE, type MadeChain, madeChain, strikesOf } from '../../support/made-chain.ts';
import { dailyFromCloses, flatMinutes, type ViewParts, viewOf } from '../../support/views.ts';

/** Closes 98 on March 12 and 99 on March 13. */
const CLOSES = [...Array.from({ length: 60 }, () => 97), 98];
const HOURS_OF_YEAR = 8_760;

const moveOf = (made: MadeChain | null, parts: ViewParts = {}) =>
  derived(
    expectedMove,
    viewOf({
      tradeDate: CHAIN_DATE,
      at: '15:30',
      daily: dailyFromCloses(CLOSES, 1000, CHAIN_DATE),
      ...(made === null ? {} : { chain: madeChain(made) }),
      ...parts,
    }),
  ).nested;

describe('expected move', () => {
  it('is one deviation of the sessions of each band, by the nearest expiration that lives to its end', () => {
    forAll([between(0.1, 1.5)], { numRuns: 20 }, (sigma) => {
      const found = moveOf({ volatility: () => sigma, halfSpread: 0, strikes: strikesOf(80, 120, 0.5) })!;
      // From Wednesday 15:00 to Friday 16:00: 49 hours, an hour of a session of six and a half, and two sessions.
      const ofSession = sigma * Math.sqrt(49 / HOURS_OF_YEAR / (2 + 1 / 6.5));
      expect(found.day!.move).toBeCloseTo(98 * ofSession, 3);
      expect(found.day).toMatchObject({ until: CHAIN_DATE, from: 98, expiration: '2024-03-15' });
      expect(found.day!.high - found.day!.low).toBeCloseTo(2 * found.day!.move, 9);
      expect(found.week!.move).toBeCloseTo(98 * ofSession * Math.sqrt(3), 3);
      expect(found.week).toMatchObject({ until: '2024-03-15', expiration: '2024-03-15' });
      const [friday] = found.expirations;
      expect(friday).toMatchObject({ expiration: '2024-03-15', days: 2 });
      expect(friday!.implied).toBeCloseTo(100 * sigma * Math.sqrt(49 / HOURS_OF_YEAR), 3);
      // Brenner and Subrahmanyam 1988: a straddle at the money is sqrt(2 / pi) of a deviation.
      expect(friday!.straddle! / friday!.implied!).toBeCloseTo(Math.sqrt(2 / Math.PI), 1);
    });
  });

  it('says where the price stands in it, by the official close once there is one', () => {
    const running = moveOf({}, { intraday: flatMinutes('15:00', 20, 99) })!;
    expect(running.day_position).toBeCloseTo(1 / running.day!.move, 9);
    expect(running.next).toBeNull();
    const closed = moveOf({}, { at: '16:30', daily: dailyFromCloses([...CLOSES, 99], 1000, '2024-03-14') })!;
    expect(closed.day_position).toBeCloseTo(1 / closed.day!.move, 9);
    expect(closed.next).toMatchObject({ from: 99, until: '2024-03-14' });
  });

  it('has no band where the close before is not known, and still each expiration', () => {
    const { day, week, expirations } = moveOf({}, { daily: dailyFromCloses(CLOSES, 1000, '2024-03-12') })!;
    expect([day, week]).toEqual([null, null]);
    expect(expirations).toHaveLength(4);
  });

  it('has no move where the volatility at the money is not quoted', () => {
    const found = moveOf({ revise: (row) => ({ ...row, bid: 0 }) })!;
    expect(found.day).toBeNull();
    expect(found.expirations[0]).toMatchObject({ implied: null, straddle: null });
  });

  it('leaves the last hours of contracts out', () => {
    const last = { expirations: [CHAIN_DATE, '2024-03-15'], strikes: strikesOf(98, 102, 0.5) };
    expect(moveOf(last)!.day).toMatchObject({ until: CHAIN_DATE, expiration: '2024-03-15' });
    expect(moveOf({ ...last, clock: '09:00' })!.day).toMatchObject({ expiration: CHAIN_DATE });
  });

  it('is null without a chain', () => {
    expect(moveOf(null)).toBeNull();
  });
});
