import { expect } from 'vitest';

interface Ledgers {
  readonly bull: number | null;
  readonly bear: number | null;
  readonly bull_ledger: readonly { readonly component: string; readonly contribution: number }[];
  readonly bear_ledger: Ledgers['bull_ledger'];
}

/** Each score is the sum of its ledger, which has a line for every weight. */
export function expectLedgers(block: Ledgers, weights: readonly (readonly [string, number])[]): void {
  for (const side of ['bull', 'bear'] as const) {
    const ledger = block[`${side}_ledger`];
    const sum = ledger.reduce((total, line) => total + line.contribution, 0);
    expect(Math.abs(sum - block[side]!)).toBeLessThan(1e-9);
    expect(ledger.map((line) => line.component)).toEqual(weights.map(([name]) => name));
  }
}
