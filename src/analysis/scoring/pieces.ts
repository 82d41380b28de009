/** The few shapes that every score is made of. NaN in is NaN out: a missing input is never a neutral one. */

/** Where a ramp begins and where it is full, in the unit of its input. */
export interface Ramp {
  readonly from: number;
  readonly to: number;
}

/** 0 up to `from`, 1 from `to` on, straight between. */
export function ramp(value: number, { from, to }: Ramp): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** 1 up to `from`, 0 from `to` on, straight between. */
export function fall(value: number, over: Ramp): number {
  return 1 - ramp(value, over);
}

/** What supports a reading without being one (volume behind a move) takes away half of it at most. */
export const LIFT_MIN = 0.5;

/** A factor of `LIFT_MIN` to 1 for a support of 0 to 1. */
export function lift(support: number): number {
  return LIFT_MIN + (1 - LIFT_MIN) * support;
}

/** Weighted mean of the parts that are there; NaN without any. */
export function meanOfPresent(parts: readonly (readonly [value: number, weight: number])[]): number {
  let sum = 0;
  let present = 0;
  for (const [value, weight] of parts) {
    if (Number.isNaN(value)) continue;
    sum += value * weight;
    present += weight;
  }
  return sum / present;
}

/** How sure independent witnesses are together, each 0 to 1: one minus the product of their doubts; 0 without any. */
export function evidence(shares: readonly number[]): number {
  return 1 - shares.reduce((doubt, share) => doubt * (1 - share), 1);
}
