/**
 * The optimiser of stops and targets. One symbol after the other, or many at once in threads:
 *
 *     const run = openBacktest(spec, symbol);
 *     for (const day of sessions) run.session(day);       // ascending; a StockView as of the close is one
 *     const partial = run.partial();                      // plain data: clone it, store it
 *     const result = mergePartials([partial, ...]);       // the same whatever the order
 *
 * Everything is synchronous and pure: cancelling, slicing time and progress belong to the caller, between sessions.
 */
export { openBacktest, partialBytesMax } from './open-backtest.ts';
export type { BacktestSession } from './session-columns.ts';
export type { BacktestPartial, SessionOutcome } from './partial.ts';
export { DAY_KINDS, DIRECTIONS, SESSION_OUTCOMES } from './partial.ts';
export type {
  BacktestResult,
  CellResult,
  Metrics,
  SplitResult,
} from './result.ts';
export { VERDICTS } from './result.ts';
export { mergePartials } from './merge-partials.ts';
export {
  type BacktestSpec,
  cellCount,
  MULTIPLIER_MAX,
  SIGNAL_TYPES,
  type SignalType,
} from './spec.ts';
