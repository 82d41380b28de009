import type { NearMiss, Screen } from '../analysis/screening/screen.ts';

/** A column as it travels to the thread: its memory is shared, not copied. */
export interface TaskColumn {
  readonly values: Float64Array;
  /** JSON list of the texts, UTF-8, under a name by which the thread knows it again; null where it holds no texts. */
  readonly dictionary: { readonly id: number; readonly packed: Uint8Array } | null;
}

/** A screen and the columns that it looks at. */
export interface ScreenTask {
  readonly screen: Screen;
  readonly rows: number;
  /** Rows that are looked at, ascending; null for all. */
  readonly only: Uint32Array | null;
  /** By path; `symbol` is always among them. */
  readonly columns: ReadonlyMap<string, TaskColumn>;
}

/** What a screen came to, by places in the table of its task. */
export interface ScreenOutcome {
  /** Rows that pass, in the order asked for. */
  readonly rows: Uint32Array;
  /** By the place of what is selected, its value of each of these rows. */
  readonly selected: readonly Float64Array[];
  readonly nearMisses: readonly OutcomeMiss[];
}

export interface OutcomeMiss extends NearMiss {
  /** What every computed number comes to for the row. */
  readonly computed: ReadonlyMap<string, number>;
}

/** Carries out screens away from the event loop. */
export interface Screener {
  /** @throws CodedError overloaded; what the signal is aborted with, and then the work itself ends */
  run(task: ScreenTask, signal: AbortSignal): Promise<ScreenOutcome>;
  close(): Promise<void>;
}
