import type { BacktestPartial } from './partial.ts';
import type { BacktestResult } from './result.ts';

/**
 * The result of a run from the partials of its symbols, in any order: they are added up in the order of their symbols,
 * so that the last bit does not depend on which thread was first.
 *
 * @throws RangeError for no partials, two of one symbol, or partials of different specs
 */
export declare function mergePartials(partials: readonly BacktestPartial[]): BacktestResult;
