import type { TProperties, TSchema } from 'typebox';
import { warningsOfOldSession } from '../analysis/scoring/warnings.ts';
import { onceFor } from '../base/once-for.ts';
import { flag, integer, NOT_NEGATIVE, nullable, oneOf, withDefault } from '../base/schema.ts';
import { Type } from '../base/type.ts';
import type { Block, Derived, Known, Relation } from '../blocks/block.ts';
import { blocks } from '../blocks/index.ts';
import type { Kept } from '../blocks/kept.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { rounderOf } from './rounding.ts';

const SOURCES = ['realtime_sip', 'delayed', 'byok'] as const;
export type Source = (typeof SOURCES)[number];

/** Fields that the contract guarantees; we send every other field too, null when unavailable. */
const REQUIRED = ['symbol', 'volume', 'dollar_volume', 'updated_at'];

/** The feed label depends on the caller, so it is added when the answer is sent. */
const source = withDefault(
  oneOf(SOURCES, 'Market-data feed label. Callers without the real-time feed get `delayed`.'),
  'realtime_sip',
);

/** Of which market an answer is: the two share nothing. It is added when the answer is sent. */
export const SIMULATED = flag(
  'True for the simulated market, false for real data; an answer is of one of them.',
);

/** What an answer says of its caller's feed and of its market. */
export interface Label {
  readonly source: Source;
  readonly simulated: boolean;
}

/** JSON members of a label. */
export const labelText = ({ source: feed, simulated }: Label): string =>
  `"source":"${feed}","simulated":${simulated}`;

/** It grows while what is stored stays as it is, so it is added when an answer is made. */
export const SESSIONS_BEHIND = integer(
  'Sessions that the market has completed since the session of this answer; 0 with `date` or `as_of`, which ask for nothing newer.',
  NOT_NEGATIVE,
);

/** Response of the stock detail endpoint. */
export const StockResult = Type.Object(composeProperties(blocks), {
  $id: 'StockResult',
  title: 'StockResult',
  description:
    'All that is known of a stock at an instant. Every field is present, or those that `fields` names, null when its value is unavailable; blocks of the `include` parameter are null unless requested.',
  required: REQUIRED,
  additionalProperties: false,
});

/** Words of `include` and the field of StockResult that each fills. */
export const INCLUDE_FIELDS: ReadonlyMap<string, string> = includeFields(blocks);

const rounders = blocks.map((block) => ({
  block,
  flat: rounderOf(Type.Object(block.flat)),
  nested: rounderOf(block.schema ?? Type.Null(), block.name),
}));

/** Fields served only on request, in the order of the answer. */
const REQUESTED_FIELDS: readonly string[] = blocks.filter(isRequested).map((block) => block.name);

/** JSON text of one stock's answer in pieces that join without serialising again. */
export interface StockFragments {
  /** Every field that is always served except `source`, `simulated` and `sessions_behind`, without braces. */
  readonly core: string;
  /** JSON text of fields served on request, by name. */
  readonly includes: Readonly<Record<string, string>>;
}

/** One derivation of a stock: its answer in pieces and its relations. */
export interface DerivedStock extends StockFragments {
  readonly relations: readonly Relation[];
  /** The exact values of every field but `source`, `simulated` and `sessions_behind`, with every wanted include. */
  readonly values: Readonly<Record<string, unknown>>;
}

const leafBlocks = blocks.filter(({ leaves }) => leaves !== undefined);

/** Blocks whose stored values `leavesOf` reads. */
export const LEAF_BLOCKS: readonly string[] = leafBlocks.map(({ name }) => name);

/**
 * Relations of a stock-day to nodes that no other stock-day of its date has: levels, patterns and price events.
 *
 * @param values wire JSON of `LEAF_BLOCKS`, as far as they are known
 */
export function leavesOf(
  values: Readonly<Record<string, string>>,
  day: Pick<StockView, 'symbol' | 'tradeDate'>,
): Relation[] {
  return leafBlocks.flatMap((block) => {
    const nested = JSON.parse(values[block.name] ?? 'null');
    return nested === null ? [] : block.leaves!(nested, day);
  });
}

/**
 * Runs the blocks in the order of reasoning. A block that throws is a defect; the caller counts the symbol as failed.
 *
 * @param kept what derivations before have kept, and what this one keeps; null to keep nothing
 * @param wanted those of `REQUESTED_FIELDS` that the answer is to have
 */
export function deriveStock(
  view: StockView,
  market: MarketView,
  kept: Kept | null = null,
  wanted: readonly string[] = REQUESTED_FIELDS,
): DerivedStock {
  const { list, answered } = partsOf(wanted);
  const derived = deriveBlocks(list, view, market, kept);
  const core: Record<string, unknown> = {};
  const includes: Record<string, string> = {};
  const relations: Relation[] = [];
  const values: Record<string, unknown> = {};
  for (const { block, isWanted, ...round } of answered) {
    const exact = derived.get(block)!;
    Object.assign(values, exact.flat);
    Object.assign(core, round.flat(exact.flat));
    if (block.schema === null || !isWanted) continue;
    const nested = round.nested(exact.nested);
    values[block.name] = exact.nested;
    if (nested !== null) relations.push(...(block.relate?.(nested, view) ?? []));
    if (isRequested(block)) includes[block.name] = JSON.stringify(nested);
    else core[block.name] = nested;
  }
  return { core: JSON.stringify(core).slice(1, -1), includes, relations, values };
}

/** What an answer with some fields on request consists of, and what has to be derived for it. */
const partsOf = onceFor((wanted: readonly string[]) => {
  const answered = rounders
    .map((of) => ({ ...of, isWanted: !isRequested(of.block) || wanted.includes(of.block.name) }))
    .filter(({ block, isWanted }) => isWanted || Object.keys(block.flat).length > 0);
  return { answered, list: withReads(answered.map(({ block }) => block)) };
});

/** Top-level fields that follow from bars alone. */
export const BAR_FIELDS: ReadonlySet<string> = new Set(
  blocks.filter(({ ofBars }) => ofBars).flatMap(fieldsOf),
);

/** The blocks that have some top-level fields, and a list of them with those that they read, in order. */
export function blocksOf(fields: ReadonlySet<string>) {
  const owners = blocks.filter((block) => fieldsOf(block).some((of) => fields.has(of)));
  return { owners, list: withReads(owners) };
}

/** Some blocks with those that they read, in order. */
function withReads(some: readonly Block[]): Block[] {
  const needed = new Set(some.flatMap((block) => withRead.get(block)!));
  return blocks.filter((block) => needed.has(block));
}

function fieldsOf({ name, schema, flat }: Block): string[] {
  return schema === null ? Object.keys(flat) : [...Object.keys(flat), name];
}

/** Each block with those that it reads, which stand before it. */
const withRead = new Map<Block, readonly Block[]>();
for (const block of blocks) {
  const read = block.reads.flatMap((each) => withRead.get(each)!);
  withRead.set(block, [...new Set([...read, block])]);
}

/** One block, and those that it reads alone. */
export function deriveWith<Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
  view: StockView,
  market: MarketView,
  kept: Kept | null = null,
): Derived<Nested, Flat> {
  return deriveSome([block as unknown as Block], view, market, kept)(block);
}

/** Some blocks, and those that they read alone. */
export function deriveSome(
  wanted: readonly unknown[],
  view: StockView,
  market: MarketView,
  kept: Kept | null = null,
): Known {
  const derived = deriveBlocks(withReads(wanted as readonly Block[]), view, market, kept);
  return ((block: Block) => derived.get(block)) as Known;
}

export function deriveBlocks(
  list: readonly Block[],
  view: StockView,
  market: MarketView,
  kept: Kept | null = null,
): ReadonlyMap<Block, Derived<TSchema, TProperties>> {
  const derived = new Map<Block, Derived<TSchema, TProperties>>();
  for (const block of list) {
    const known = ((read: Block) => {
      const value = block.reads.includes(read) ? derived.get(read) : undefined;
      if (value === undefined)
        throw new Error(`block ${block.name} asks for ${read.name} without reading it`);
      return value;
    }) as Known;
    derived.set(block, block.derive(view, known, market, kept));
  }
  return derived;
}

/** Core fields with the age of their session, and what it makes of the warnings. */
export function withAge(core: string, sessionsBehind: number): string {
  const age = `"sessions_behind":${sessionsBehind}`;
  if (sessionsBehind === 0) return `${core},${age}`;
  const fields = JSON.parse(`{${core}}`) as { score_warnings?: readonly string[] };
  const score_warnings = warningsOfOldSession(fields.score_warnings ?? []);
  return `${JSON.stringify({ ...fields, score_warnings }).slice(1, -1)},${age}`;
}

/**
 * The whole answer as JSON text: the fragments with their age, the labels, and null for every block that was not requested.
 *
 * @param requested words of `INCLUDE_FIELDS`, in any order, repetition allowed
 */
export function joinStock(
  { core, includes }: StockFragments,
  label: Label,
  requested: readonly string[] = [],
): string {
  const fields = requested.map(fieldOfWord);
  let text = `{${core},${labelText(label)}`;
  for (const field of REQUESTED_FIELDS) {
    text += `,"${field}":${fields.includes(field) ? (includes[field] ?? 'null') : 'null'}`;
  }
  return `${text}}`;
}

function isRequested(block: Block): boolean {
  return block.include !== undefined;
}

/** Top-level properties in the order of the answer. Two owners of one field are a defect. */
export function composeProperties(list: readonly Block[]): TProperties {
  const properties: Record<string, TSchema> = {};
  const add = (field: string, schema: TSchema): void => {
    if (field in properties) throw new Error(`field ${field} has two owners`);
    properties[field] = schema;
  };
  for (const block of list) {
    for (const [field, schema] of Object.entries(block.flat)) add(field, schema);
    if (block.schema !== null) add(block.name, nullable(block.schema));
  }
  add('sessions_behind', SESSIONS_BEHIND);
  add('source', source);
  add('simulated', SIMULATED);
  return properties;
}

/** Requests are validated before, so an unknown word is a defect. */
function fieldOfWord(word: string): string {
  const field = INCLUDE_FIELDS.get(word);
  if (field === undefined) throw new Error(`no block is included by the word ${word}`);
  return field;
}

/** A block's own name works beside its include word, e.g. `thematic_exposures` beside `thematic_exposure`. */
function includeFields(list: readonly Block[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const { include, name } of list) {
    if (include !== undefined) fields.set(include, name).set(name, name);
  }
  return fields;
}
