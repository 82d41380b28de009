import type { DayType } from '../day-type.ts';
import type { BacktestSpec } from './spec.ts';

/** The character of a whole session, which nobody knew while it ran: a way to read results, never a filter of them. */
export const DAY_KINDS = ['trending', 'rotational', 'uncertain', 'unknown'] as const;
export type DayKind = DayType | 'unknown';

export const DIRECTIONS = ['long', 'short'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What became of a session that was offered; only a walked one counts as a day of the symbol. */
export const SESSION_OUTCOMES = ['walked', 'no_minute_bars', 'fragment', 'no_daily_atr'] as const;
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

/**
 * Figures of trades that are kept for each cell, in this order: how many had R above 0 and how many not, the sums of R
 * of both (none negative), and how many were ambiguous.
 */
export const FIGURES = { wins: 0, gains: 1, losses: 2, lost: 3, ambiguous: 4 } as const;
export const FIGURE_COUNT = 5;

/**
 * What one symbol adds to a run: plain data that can be cloned, stored and merged in any order. Bytes: about
 * 8 x cells x (rows + 5 x slices), with rows at most sessions x signal types x 2; see `partialBytesMax`.
 */
export interface BacktestPartial {
  readonly spec: BacktestSpec;
  readonly symbol: string;
  readonly outcomes: Readonly<Record<SessionOutcome, number>>;
  /** One for each trade day of the spec that was walked, else 0. */
  readonly walked: Uint8Array;
  /**
   * Sums of R of one session, signal type and direction, one row of cells for each that had an entry; `rowDay` is its
   * place in the trade days, `rowGroup` what `groupOf` makes of signal type, day kind and direction.
   */
  readonly rowDay: Uint32Array;
  readonly rowGroup: Uint8Array;
  readonly dayR: Float64Array;
  /** Figures of the trades, cell by cell, one row of cells for each group, and for each block of sessions. */
  readonly groupFigures: Float64Array;
  readonly blockFigures: Float64Array;
}

const DAY_KIND_COUNT = DAY_KINDS.length;

/** Number of a group: signal type (its place in the spec), day kind and direction (places in their lists). */
export function groupOf(type: number, dayKind: number, direction: number): number {
  return (type * DAY_KIND_COUNT + dayKind) * 2 + direction;
}

export const groupCount = (spec: BacktestSpec): number => spec.signalTypes.length * DAY_KIND_COUNT * 2;

export const directionOfGroup = (group: number): number => group & 1;
export const dayKindOfGroup = (group: number): number => (group >> 1) % DAY_KIND_COUNT;
export const typeOfGroup = (group: number): number => Math.floor(group / (DAY_KIND_COUNT * 2));
