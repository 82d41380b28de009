import type { DayType } from '../day-type.ts';
import type { EntryLog } from './entry-log.ts';
import type { BacktestSpec } from './spec.ts';

/** The day type of a whole session, known only at its end: for reading results, never for filtering them. */
export const DAY_KINDS = ['trending', 'rotational', 'uncertain', 'unknown'] as const;
export type DayKind = DayType | 'unknown';

export const DIRECTIONS = ['long', 'short'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Outcome of a session; only `walked` counts as a day of the symbol. */
export const SESSION_OUTCOMES = [
  'walked',
  'no_minute_bars',
  'fragment',
  'no_daily_atr',
  'no_quotes',
] as const;
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

/** Figures of each cell: trades with R above 0 and their sum, others and their absolute sum, ambiguous trades. */
export const FIGURES = { wins: 0, gains: 1, losses: 2, lost: 3, ambiguous: 4 } as const;
export const FIGURE_COUNT = 5;

/** The result of one symbol: plain data that can be cloned, stored and merged in any order. */
export interface BacktestPartial {
  readonly spec: BacktestSpec;
  readonly symbol: string;
  readonly outcomes: Readonly<Record<SessionOutcome, number>>;
  /** 1 for each trade day of the spec that was processed, else 0. */
  readonly walked: Uint8Array;
  /**
   * Sums of R of one session, signal type and direction: one row of cells for each with an entry. `rowDay` is its index
   * in the trade days, `rowGroup` its group, see `groupOf`.
   */
  readonly rowDay: Uint32Array;
  readonly rowGroup: Uint8Array;
  readonly dayR: Float64Array;
  /** Figures by cell: one row of cells for each group, and one for each block of sessions. */
  readonly groupFigures: Float64Array;
  readonly blockFigures: Float64Array;
  readonly entries: EntryLog;
}

const DAY_KIND_COUNT = DAY_KINDS.length;

/** Number of a group from the indices of signal type (in the spec), day kind and direction. */
export function groupOf(type: number, dayKind: number, direction: number): number {
  return (type * DAY_KIND_COUNT + dayKind) * 2 + direction;
}

export const groupCount = (spec: BacktestSpec): number => spec.signalTypes.length * DAY_KIND_COUNT * 2;

export const directionOfGroup = (group: number): number => group & 1;
export const dayKindOfGroup = (group: number): number => (group >> 1) % DAY_KIND_COUNT;
export const typeOfGroup = (group: number): number => Math.floor(group / (DAY_KIND_COUNT * 2));
