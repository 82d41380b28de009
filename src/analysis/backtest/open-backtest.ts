import { dayType } from '../day-type.ts';
import { intradayBars, tradeDay } from '../sessions.ts';
import type { VolumeProfile } from '../volume-profile.ts';
import { volumeProfile } from '../volume-profile.ts';
import { BLOCK_COUNT, blockOfDay } from './blocks.ts';
import { type EntryTables, enterSession, entryTables } from './first-touch.ts';
import { type CellRows, walkCells } from './grid-walk.ts';
import { GrowingRows } from './growing-rows.ts';
import {
  type BacktestPartial,
  DAY_KINDS,
  FIGURE_COUNT,
  groupCount,
  groupOf,
  type SessionOutcome,
} from './partial.ts';
import {
  type BacktestSession,
  confluenceZones,
  mirrored,
  priorDailyAtr,
  regularMinutes,
  sessionColumns,
} from './session-columns.ts';
import { signalSides } from './signals.ts';
import { type BacktestSpec, cellCount, checkSpec } from './spec.ts';

export interface Backtest {
  /**
   * Finds the entries of one session and walks them through every cell. Sessions come in ascending order, each at most
   * once.
   *
   * @throws RangeError for a session that is not of the spec or not after the last one
   */
  session(day: BacktestSession): SessionOutcome;
  /** What the sessions so far came to; a copy, so that more may follow. */
  partial(): BacktestPartial;
}

/** @throws RangeError for a spec that is not as its fields say */
export function openBacktest(spec: BacktestSpec, symbol: string): Backtest {
  checkSpec(spec);
  return new SymbolBacktest(spec, symbol);
}

/** Bytes that the partial of one symbol takes at most. */
export function partialBytesMax(spec: BacktestSpec): number {
  const rows = spec.tradeDays.length * spec.signalTypes.length * 2;
  const figures = FIGURE_COUNT * (groupCount(spec) + BLOCK_COUNT);
  return 8 * cellCount(spec) * (rows + figures) + 5 * rows + spec.tradeDays.length;
}

class SymbolBacktest implements Backtest {
  readonly #spec: BacktestSpec;
  readonly #symbol: string;
  readonly #dayOf: ReadonlyMap<number, number>;
  readonly #inverseStops: Float64Array;
  readonly #tables: EntryTables;
  readonly #outcomes: Record<SessionOutcome, number> = {
    walked: 0,
    no_minute_bars: 0,
    fragment: 0,
    no_daily_atr: 0,
  };
  readonly #walked: Uint8Array;
  readonly #rows: GrowingRows;
  /** Figures by group of the block that runs, and those of the blocks that are over. */
  readonly #running: Float64Array;
  readonly #groupFigures: Float64Array;
  readonly #blockFigures: Float64Array;
  #lastDay = -1;
  #profileOf: { readonly time: number; readonly close: number; readonly profile: VolumeProfile | null } | null =
    null;

  constructor(spec: BacktestSpec, symbol: string) {
    const cells = cellCount(spec);
    this.#spec = spec;
    this.#symbol = symbol;
    this.#dayOf = new Map(spec.tradeDays.map((day, at) => [day, at]));
    this.#inverseStops = Float64Array.from(spec.stops, (stop) => 1 / stop);
    this.#tables = entryTables(spec);
    this.#walked = new Uint8Array(spec.tradeDays.length);
    this.#rows = new GrowingRows(cells);
    this.#running = new Float64Array(groupCount(spec) * cells * FIGURE_COUNT);
    this.#groupFigures = new Float64Array(this.#running.length);
    this.#blockFigures = new Float64Array(BLOCK_COUNT * cells * FIGURE_COUNT);
  }
}
