export type { Backtester, OptimizationText, WalkOutcome, WalkRequest } from './backtester.ts';
export { cancelRun } from './cancel-run.ts';
export { getRun } from './get-run.ts';
export { listRuns } from './list-runs.ts';
export { openRunQueue, type RunQueue, type RunQueueLimits } from './run-queue.ts';
export { startOptimization } from './start-optimization.ts';
export { type RunWatch, watchRuns } from './watch-run.ts';
