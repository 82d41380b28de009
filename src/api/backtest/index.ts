export type { OptimizationText, WireAnalysis, WireGrid, WireResults } from '../../derive/backtest-text.ts';
export { cancelRun } from './cancel-run.ts';
export { getRun } from './get-run.ts';
export { listRuns } from './list-runs.ts';
export { openRunQueue, type RunQueueLimits } from './run-queue.ts';
export { startOptimization } from './start-optimization.ts';
export { type RunWatch, watchRuns } from './watch-run.ts';
