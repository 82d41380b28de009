import type { TSchema } from 'typebox';
import { INCLUDE_FIELDS, type Source, type StockFragments, StockResult } from './compose.ts';
import type { Node } from './rounding.ts';
import { presentOf } from './scalar-fields.ts';

/** Parts of a stock's answer, by dotted paths: blocks, lists and single values. */

/** Every path into an answer, e.g. `technical.moving_averages.sma_50`; paths into the items of lists are none. */
export const ANSWER_PATHS: ReadonlySet<string> = new Set(pathsIn(StockResult as TSchema as Node, ''));

function pathsIn(node: Node, parent: string): string[] {
  const { properties = {} } = presentOf(node);
  return Object.entries(properties).flatMap(([name, child]) => {
    const path = `${parent}${name}`;
    return [path, ...pathsIn(child, `${path}.`)];
  });
}

const REQUESTED = new Set(INCLUDE_FIELDS.values());

/** The blocks of the paths that are served on request only. */
export const requestedBlocks = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('.', 1)[0]!).filter((name) => REQUESTED.has(name))),
];

type Members = Record<string, unknown>;

/**
 * The JSON text of the named parts of an answer, with symbol, `updated_at` and `as_of`, in the order of the answer. A
 * value within a null block is left out with it: the block is null.
 *
 * @param paths of `ANSWER_PATHS`
 * @param asOf epoch milliseconds
 */
export function selectStock(
  { core, includes }: StockFragments,
  feed: Source,
  paths: readonly string[],
  asOf: number,
): string {
  const parts = Object.entries(includes).map(([name, text]) => `,"${name}":${text}`);
  const whole: Members = JSON.parse(`{${core},"source":"${feed}"${parts.join('')}}`);
  const { symbol, updated_at } = whole;
  const chosen: Members = { symbol, updated_at, as_of: new Date(asOf).toISOString() };
  return JSON.stringify(
    Object.assign(
      chosen,
      partsOf(
        whole,
        paths.map((path) => path.split('.')),
      ),
    ),
  );
}

function partsOf(whole: Members, paths: readonly (readonly string[])[]): Members {
  const deeper = Map.groupBy(paths, ([name]) => name!);
  const members: Members = {};
  for (const name of Object.keys(whole)) {
    const own = deeper.get(name);
    if (own === undefined) continue;
    const value = whole[name];
    const isWhole = value === null || own.some((path) => path.length === 1);
    members[name] = isWhole
      ? value
      : partsOf(
          value as Members,
          own.map((path) => path.slice(1)),
        );
  }
  return members;
}
