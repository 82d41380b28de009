import type { NearestRows } from '../analysis/similarity/nearest.ts';
import type { DiffuseTask, DiffusionScores } from './diffuse-worker.ts';
import { type OpenPool, openThreadPool, type Pool } from './pool.ts';
import type { ScreenOutcome, ScreenTask } from './screen-worker.ts';
import type { NearestTask } from './state-scan-worker.ts';

/** Pools of one thread each for tasks of some milliseconds: a full queue is answered within about a second. */

export type Diffuser = Pool<DiffuseTask, DiffusionScores>;
export type Screener = Pool<ScreenTask, ScreenOutcome>;
export type StateScanner = Pool<NearestTask, NearestRows>;

/** A thread takes longer to start than a screen or a scan takes, so an idle one stays for ten minutes. */
const LONG_IDLE_MS = 600_000;

export const createDiffuser = (openPool: OpenPool = openThreadPool): Diffuser =>
  openPool(new URL('./diffuse-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: 64,
    idleMs: 60_000,
  });

export const createScreener = (openPool: OpenPool = openThreadPool): Screener =>
  openPool(new URL('./screen-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: 64,
    idleMs: LONG_IDLE_MS,
  });

export const createStateScanner = (openPool: OpenPool = openThreadPool): StateScanner =>
  openPool(new URL('./state-scan-worker.ts', import.meta.url), {
    threads: 1,
    threadsMin: 0,
    waitingMax: 16,
    idleMs: LONG_IDLE_MS,
  });
