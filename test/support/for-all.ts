import fc from 'fast-check';

/** A number from one to another, both included. */
export const between = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true });

/** A whole number from one to another, both included. */
export const wholeBetween = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** Any character; the library takes a second to make that of its own. */
export const anyCharacter = wholeBetween(0, 0x10ffff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.isWellFormed());

type Holds<Values extends unknown[]> = (...values: Values) => void;

/** Asserts what holds of whatever values are drawn; parameters of the runs may come before it. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  drawn: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  ...asked: [holds: Holds<Values>] | [runs: fc.Parameters<Values>, holds: Holds<Values>]
): void {
  const [runs, holds] = asked.length === 1 ? [undefined, asked[0]] : asked;
  fc.assert(fc.property<Values>(...drawn, holds), runs);
}
