import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { PricedChain } from '../../../../src/analysis/options/quotes.ts';
import type { OptionChain } from '../../../../src/market/chains.ts';
import { forAll } from '../../../support/for-all.ts';
import { pricedOf, reordered } from '../../../support/made-chain.ts';

type Row = readonly number[];

/** Figures of QuantLib and mpmath; columns and origin are in fixtures/options/metadata.json. */
export interface OptionReference {
  readonly normalisedBlack: readonly Row[];
  readonly european: readonly Row[];
  readonly american: readonly Row[];
  readonly americanWithDividends: readonly [
    number,
    number,
    number,
    number,
    number,
    number,
    number[],
    number[],
    number,
  ][];
  readonly americanBelowZero: readonly Row[];
  readonly cdf: readonly Row[];
  readonly scaledErfc: readonly Row[];
  readonly quantile: readonly Row[];
}

export const reference = JSON.parse(
  readFileSync(new URL('../../../../fixtures/options/reference.json', import.meta.url), 'utf8'),
) as OptionReference;

/** The terms of a contract under a constant rate and yield, as the functions want them. */
export interface Terms {
  readonly right: number;
  readonly spot: number;
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly volatility: number;
  readonly discount: number;
}

export function termsOf(
  right: number,
  spot: number,
  strike: number,
  years: number,
  rate: number,
  dividendYield: number,
  volatility: number,
): Terms {
  const forward = spot * Math.exp((rate - dividendYield) * years);
  return { right, spot, forward, strike, years, volatility, discount: Math.exp(-rate * years) };
}

/** The terms of a row whose life is in days, and the value of it. */
export function ofDays(row: Row): { readonly terms: Terms; readonly value: number } {
  const [right, spot, strike, days, rate, dividendYield, volatility, value] = row as number[];
  const terms = termsOf(right!, spot!, strike!, days! / 365, rate!, dividendYield!, volatility!);
  return { terms, value: value! };
}

/** Largest distance of two columns, relative to the second where that is larger than 1. */
export function worst(ours: readonly number[], theirs: readonly number[]): number {
  return ours.reduce(
    (max, value, row) => Math.max(max, Math.abs(value - theirs[row]!) / Math.max(1, Math.abs(theirs[row]!))),
    0,
  );
}

/** The same figures of a chain in whatever order its contracts come. */
export function expectOrderless(made: OptionChain, figuresOf: (priced: PricedChain) => unknown): void {
  const rows = [...made.contracts.strike.keys()];
  const whole = figuresOf(pricedOf(made));
  forAll([fc.shuffledSubarray(rows, { minLength: rows.length })], { numRuns: 5 }, (order) => {
    expect(figuresOf(pricedOf(reordered(made, order)))).toEqual(whole);
  });
}
