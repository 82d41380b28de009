import type { TSchema } from 'typebox';
import { dateTime } from '../base/schema.ts';
import { INCLUDE_FIELDS, type Label, labelText, type StockFragments, StockResult } from './compose.ts';
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

/** Titles of the records that a path leads into; a ladder's level is one, and the item of a list as well. */
const NARROWED: ReadonlySet<string | undefined> = new Set(titlesIn(StockResult as TSchema as Node));

function titlesIn(node: Node): (string | undefined)[] {
  const { title, properties } = presentOf(node);
  return properties === undefined ? [] : [title, ...Object.values(properties).flatMap(titlesIn)];
}

/**
 * StockResult as it is answered, with `fields` or without: it requires only what every answer has. What an answer
 * without `fields` has besides is named beside it, for clients with types of the whole.
 */
export const AnsweredStock = narrowed(StockResult as TSchema as Node, ['symbol', 'updated_at'], {
  as_of: dateTime('The instant that an answer with `fields` speaks for; others lack it.') as Node,
}) as TSchema;

function narrowed(node: Node, kept: readonly string[] = [], added: Node['properties'] = {}): Node {
  if (node.anyOf !== undefined) return { ...node, anyOf: node.anyOf.map((each) => narrowed(each)) };
  if (node.items !== undefined) return { ...node, items: narrowed(node.items) };
  if (node.properties === undefined) return node;
  const children = Object.entries(node.properties).map(([name, child]) => [name, narrowed(child)] as const);
  const properties = { ...Object.fromEntries(children), ...added };
  if (!NARROWED.has(node.title)) return { ...node, properties };
  const { required = [], ...rest } = node;
  return {
    ...rest,
    properties,
    ...(kept.length > 0 && { required: kept }),
    ...(required.length > 0 && { 'x-required-without-fields': required }),
  };
}

const REQUESTED = new Set(INCLUDE_FIELDS.values());

/** The blocks of the paths that are served on request only. */
export const requestedBlocks = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('.', 1)[0]!).filter((name) => REQUESTED.has(name))),
];

type Members = Record<string, unknown>;

/**
 * The JSON text of the named parts of an answer, with symbol, `updated_at`, `as_of` and `simulated`, in the order of the answer. A
 * value within a null block is left out with it: the block is null.
 *
 * @param paths of `ANSWER_PATHS`
 * @param asOf epoch milliseconds
 */
export function selectStock(
  { core, includes }: StockFragments,
  label: Label,
  paths: readonly string[],
  asOf: number,
): string {
  const parts = Object.entries(includes).map(([name, text]) => `,"${name}":${text}`);
  const whole: Members = JSON.parse(`{${core},${labelText(label)}${parts.join('')}}`);
  const { symbol, updated_at, simulated } = whole;
  const chosen: Members = { symbol, updated_at, as_of: new Date(asOf).toISOString(), simulated };
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
