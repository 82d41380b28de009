import type { UTCTimestamp } from 'lightweight-charts';
import type { Exposure, Stock } from '../api/queries.ts';

/** What lies over the candles, in prices and chart times. */

/** Families of levels that are switched and coloured together. */
export const LEVEL_GROUPS = {
  pivot: 'Pivots, CPR',
  opening: 'Opening range',
  prior: 'Prior sessions',
  vwap: 'VWAP',
  value: 'Value area',
  average: 'Moving averages',
  option: 'Gamma walls, flip',
  pattern: 'Patterns',
} as const;

export type LevelGroup = keyof typeof LEVEL_GROUPS;

export interface DrawnLevel {
  readonly name: string;
  /** As a chart labels it: `R1`, `VAH`. */
  readonly label: string;
  readonly group: LevelGroup;
  /** What it comes from, as the ladder says. */
  readonly family: string;
  readonly price: number;
  /** 0 to 1. */
  readonly strength: number;
}

/** As the service has it. */
export type DrawnProfile = NonNullable<NonNullable<Stock['volume_profile']>['prior']>;

export interface DrawnPattern {
  readonly id: string;
  readonly label: string;
  readonly direction: 'bullish' | 'bearish' | 'neutral';
  readonly pivots: readonly { readonly time: UTCTimestamp; readonly price: number }[];
  readonly trigger: number | null;
  readonly target: number | null;
  readonly invalidation: number | null;
}

/** An entry with what it risks and what it is for; drawn while it is selected. */
export interface DrawnSetup {
  readonly id: string;
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  /** Reward over risk; null where it is not known. */
  readonly r: number | null;
}

export interface DrawnEvent {
  readonly id: string;
  readonly time: UTCTimestamp;
  readonly kind: 'price' | 'news' | 'alert';
  readonly direction: 'bullish' | 'bearish' | 'neutral';
  readonly label: string;
}

/** A trade of a backtest, in chart times and prices. */
export interface DrawnTrade {
  readonly id: string;
  readonly isLong: boolean;
  readonly from: UTCTimestamp;
  readonly to: UTCTimestamp;
  readonly entry: number;
  readonly exit: number;
  readonly stop: number;
  readonly target: number;
  readonly r: number;
}

/** A stretch of which no bar is known, in chart times. */
interface DrawnHole {
  readonly from: UTCTimestamp;
  readonly to: UTCTimestamp;
}

/** How far options expected the price to go in a session, and in what words. */
interface DrawnMove {
  /** Chart time of the start of its session. */
  readonly from: UTCTimestamp;
  readonly low: number;
  readonly high: number;
  readonly label: string;
}

export interface OverlayContent {
  readonly isIntraday: boolean;
  /** Chart times at which regular sessions ended before 16:00. */
  readonly earlyCloses: readonly number[];
  readonly holes: readonly DrawnHole[];
  readonly levels: readonly DrawnLevel[];
  /** The newest price, on whose sides the nearest levels speak; null where none is known. */
  readonly price: number | null;
  readonly profiles: readonly DrawnProfile[];
  /** With the time at which its chain was taken, in words. */
  readonly gamma: (Exposure & { readonly age: string }) | null;
  readonly expected: DrawnMove | null;
  readonly patterns: readonly DrawnPattern[];
  readonly setups: readonly DrawnSetup[];
  readonly events: readonly DrawnEvent[];
  readonly trades: readonly DrawnTrade[];
  /** Names of what is selected: levels, patterns, setups, events, trades, strikes (`strike:187.5`), groups (`group:vwap`). */
  readonly selected: ReadonlySet<string>;
}

export const EMPTY_CONTENT: OverlayContent = {
  isIntraday: true,
  earlyCloses: [],
  holes: [],
  levels: [],
  price: null,
  profiles: [],
  gamma: null,
  expected: null,
  patterns: [],
  setups: [],
  events: [],
  trades: [],
  selected: new Set(),
};
