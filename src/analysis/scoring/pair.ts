/** A component's score for longs and for shorts, each 0 to 10; NaN: an input is missing. */
export interface Pair {
  readonly bull: number;
  readonly bear: number;
}

export type Side = keyof Pair;

/** The same reading for both sides: `of` gets 1 for longs and -1 for shorts. */
export function bothSides(of: (sign: number) => number): Pair {
  return { bull: of(1), bear: of(-1) };
}
