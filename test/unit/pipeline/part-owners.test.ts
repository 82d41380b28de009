import { describe, expect, it } from 'vitest';
import { ownersOf } from '../../../src/pipeline/minute-work.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';

const PARTS = 64;
const random = mulberry32(1);
const name = (): string =>
  Array.from({ length: 3 }, () => Math.floor(random() * 65_536).toString(16)).join('-');
const someMembers = (count: number): string[] => Array.from({ length: count }, name);
const countsOf = (owners: readonly string[]): number[] =>
  Array.from(Map.groupBy(owners, (owner) => owner).values(), (own) => own.length);

describe('owners of the parts of a minute', () => {
  it.each([1, 2, 3, 7, 10, 64])('have equally many of them: %i members', (count) => {
    for (let round = 0; round < 20; round++) {
      const counts = countsOf(ownersOf(PARTS, new Set(someMembers(count))));
      expect(counts).toHaveLength(count);
      expect(Math.max(...counts)).toBe(Math.ceil(PARTS / count));
      expect(Math.min(...counts)).toBe(Math.floor(PARTS / count));
    }
  });

  it('give one part each to some of more members than parts', () => {
    expect(countsOf(ownersOf(PARTS, new Set(someMembers(100))))).toEqual(new Array(PARTS).fill(1));
  });

  it('do not depend on the order of members', () => {
    const members = someMembers(5);
    expect(ownersOf(PARTS, new Set(members.toReversed()))).toEqual(ownersOf(PARTS, new Set(members)));
  });

  it.each([2, 3, 8])('keep most parts when one of them leaves: %i stay', (count) => {
    let moved = 0;
    const ROUNDS = 50;
    for (let round = 0; round < ROUNDS; round++) {
      const [left, ...members] = someMembers(count + 1);
      const before = ownersOf(PARTS, new Set([left!, ...members]));
      const after = ownersOf(PARTS, new Set(members));
      moved += after.filter((owner, part) => owner !== before[part] && before[part] !== left).length;
    }
    expect(moved / ROUNDS).toBeLessThan(PARTS / 12);
  });
});
