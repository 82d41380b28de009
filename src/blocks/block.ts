import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { MarketView, StockView } from '../market/stock-view.ts';
import type { Kept } from './kept.ts';

/** A relation of a stock-day: the far node and the edge to it. */
export interface Relation {
  /** Edge type, e.g. `HAS_LEVEL`. */
  readonly type: string;
  /** Label of the far node, e.g. `Level`. */
  readonly label: string;
  /** Key of the far node, unique within its label. */
  readonly key: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Properties of the relation rather than of the far node. */
  readonly edgeProps?: Readonly<Record<string, unknown>>;
}

/**
 * One block of StockResult: its wire shape and the pure function that derives it. The response, its OpenAPI and its
 * serialiser are composed from the list of blocks; a block's stored value is its wire value. Lists and words that nothing
 * is computed from are late (`withLate`): they are worked out when an answer is written.
 */
export interface Block<Nested extends TSchema = TSchema, Flat extends TProperties = TProperties> {
  /** Wire name of the nested value; of a block of flat fields only, its name in the list. */
  readonly name: string;
  /** The word of the `include` parameter; absent when the block is always served. */
  readonly include?: string;
  /** Shape of the nested value; null for a block of flat fields only. */
  readonly schema: Nested | null;
  /** Top-level fields with their shapes. */
  readonly flat: Flat;
  /** True where values follow from `BarsView` alone, so that many dates of a stock are derived at once. */
  readonly ofBars?: true;
  /** The earlier blocks whose values `derive` reads with `known`. */
  readonly reads: readonly Block[];
  /**
   * Pure: equal arguments give equal results, whatever is kept. Absent is null, never an exception.
   *
   * @param kept null where nothing is kept between derivations
   */
  derive(view: StockView, known: Known, market: MarketView, kept: Kept | null): Derived<Nested, Flat>;
  /** Graph relations of the nested value to nodes that other stock-days share; absent for blocks of facts alone. */
  relate?(nested: Static<Nested>, view: StockView): readonly Relation[];
  /** Relations to nodes of this stock-day alone: nothing stores them, a walk reads them from the nested value. */
  leaves?(nested: Static<Nested>, day: Pick<StockView, 'symbol' | 'tradeDate'>): readonly Relation[];
}

/** A block's nested value (null: unavailable) and all its flat fields. */
export interface Derived<Nested extends TSchema, Flat extends TProperties> {
  readonly nested: Static<Nested> | null;
  readonly flat: Static<TObject<Flat>>;
}

/** The nested value of a block, as the answer has it. */
export type NestedOf<Of> = Of extends Block<infer Nested, infer _> ? Static<Nested> | null : never;

/** Values of earlier blocks from the same view. An undeclared block throws. */
export type Known = <Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
) => Derived<Nested, Flat>;

/** Infers the types of a block literal. */
export function defineBlock<Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
): Block<Nested, Flat> {
  return block;
}

type NoFields = Record<never, never>;

/** A block without flat fields; `derive` gives its nested value. */
export function nestedBlock<Nested extends TSchema>({
  derive,
  ...block
}: Omit<Block<Nested, NoFields>, 'flat' | 'reads' | 'derive'> & {
  readonly reads?: readonly Block[];
  derive(...of: Parameters<Block['derive']>): Static<Nested> | null;
}): Block<Nested, NoFields> {
  return { reads: [], ...block, flat: {}, derive: (...of) => ({ nested: derive(...of), flat: {} }) };
}

/** A block of flat fields alone; `derive` gives them. */
export function flatBlock<Flat extends TProperties>({
  derive,
  ...block
}: Pick<Block<TSchema, Flat>, 'name' | 'ofBars' | 'flat'> & {
  readonly reads?: readonly Block[];
  derive(...of: Parameters<Block['derive']>): Static<TObject<Flat>>;
}): Block<TSchema, Flat> {
  return { reads: [], ...block, schema: null, derive: (...of) => ({ nested: null, flat: derive(...of) }) };
}

/** Flat fields of a block without data: the contract's default, else null. */
export function absentFlat<Flat extends TProperties>(flat: Flat): Static<TObject<Flat>> {
  const values: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(flat)) {
    values[field] = 'default' in schema ? schema.default : null;
  }
  return values as Static<TObject<Flat>>;
}

/** The value of a block without data on the tape. */
export function absent<Nested extends TSchema, Flat extends TProperties>(flat: Flat): Derived<Nested, Flat> {
  return { nested: null, flat: absentFlat(flat) };
}
