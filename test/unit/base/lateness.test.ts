import { describe, expect, it } from 'vitest';
import { Lateness } from '../../../src/base/lateness.ts';

/** How late the first events of some kinds are. */
const latenessOf = (seed: string, kinds: number, events: number): number[][] => {
  const lateness = new Lateness(seed);
  return Array.from({ length: kinds }, (_, kind) =>
    Array.from({ length: events }, () => lateness.next(`kind ${kind}`)),
  );
};

describe('lateness', () => {
  it('follows from the seed alone, whatever the order of the kinds', () => {
    const [one, again, other] = [new Lateness('7'), new Lateness('7'), new Lateness('8')];
    const kinds = Array.from({ length: 200 }, (_, at) => `select ${at}`);
    const late = kinds.map((kind) => one.next(kind));
    expect(kinds.toReversed().map((kind) => again.next(kind))).toEqual(late.toReversed());
    expect(kinds.map((kind) => other.next(kind))).not.toEqual(late);
  });

  it('is none for two kinds in five, and for some always much', () => {
    const mosts = latenessOf('1', 1_000, 20).map((late) => Math.max(...late));
    const share = (isSo: (most: number) => boolean) => mosts.filter(isSo).length / mosts.length;
    expect(share((most) => most === 0)).toBeCloseTo(0.4, 1);
    expect(share((most) => most > 50)).toBeGreaterThan(0.1);
    expect(Math.max(...mosts)).toBeLessThan(250);
  });

  it('becomes rare where events are many, so that long work ends', () => {
    const frequent = latenessOf('1', 100, 1_000).find((late) => late.some((ms) => ms > 50))!;
    const lateOnes = frequent.slice(100).filter((ms) => ms > 0).length;
    expect(lateOnes / 900).toBeCloseTo(1 / 8, 1);
  });
});
