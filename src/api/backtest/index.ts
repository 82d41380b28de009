export type { OptimizationText, WireAnalysis, WireGrid, WireResults } from '../../derive/backtest-text.ts';
export type { Backtester, WalkOutcome, WalkRequest } from '../../workers/backtest-tasks.ts';
export { cancelRun } from './cancel-run.ts';
export { getRun } from './get-run.ts';
export { listRuns } from './list-runs.ts';
export { openRunQueue, type RunQueue, type RunQueueLimits } from './run-queue.ts';
export { startOptimization } from './start-optimization.ts';
export { type RunWatch, watchRuns } from './watch-run.ts';
