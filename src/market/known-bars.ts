import type { BarColumns, CorporateAction, Interval } from './observations.ts';

/** What the tape has of a symbol: bars of a length from one day to another (midnight UTC), and every split. */
export type KnownBars = (symbol: string, interval: Interval, from: number, to: number) => Promise<Known>;

export interface Known {
  readonly bars: BarColumns;
  readonly splits: readonly CorporateAction[];
  /** Whether it is a symbol of the simulated market, beside which no real row can be. */
  readonly simulated?: boolean;
}
