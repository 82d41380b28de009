import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Relation } from '../base/stock-day.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';

/**
 * One block of StockResult: its wire shape and the pure function that derives it. The response, its OpenAPI and its
 * serialiser are composed from the list of blocks, and a block's stored value is its wire value.
 */
export interface Block<Nested extends TSchema = TSchema, Flat extends TProperties = TProperties> {
  /** Name on the wire of the nested value; for a block of flat fields only, its name in the list. */
  readonly name: string;
  /** The word of the `include` parameter that asks for it; absent when it is always served. */
  readonly include?: string;
  /** Shape of the nested value, or null for a block of flat fields only. */
  readonly schema: Nested | null;
  /** Fields that it lifts to the top level, with their shapes. */
  readonly flat: Flat;
  /** The blocks whose values `derive` may ask `known` for; they stand earlier in the list. */
  readonly reads: readonly Block[];
  /** Pure: the same view, known values and market give the same answer. Absent is null, never an exception. */
  derive(view: StockView, known: Known, market: MarketView): Derived<Nested, Flat>;
  /** What the nested value adds to the graph around the stock-day; absent for blocks that are facts alone. */
  relate?(nested: Static<Nested>, view: StockView): readonly Relation[];
}

/** What a block derived: its nested value (null: unavailable) and its flat fields, every one of them present. */
export interface Derived<Nested extends TSchema, Flat extends TProperties> {
  readonly nested: Static<Nested> | null;
  readonly flat: Static<TObject<Flat>>;
}

/** The values that blocks earlier in the list derived from the same view. Asking for an undeclared block throws. */
export type Known = <Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
) => Derived<Nested, Flat>;

/** Gives a block literal its types; adds nothing. */
export function defineBlock<Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
): Block<Nested, Flat> {
  return block;
}

/** Flat fields of a block that has nothing to say: the contract's default where it names one, else null. */
export function absentFlat<Flat extends TProperties>(flat: Flat): Static<TObject<Flat>> {
  const values: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(flat)) {
    values[field] = 'default' in schema ? schema.default : null;
  }
  return values as Static<TObject<Flat>>;
}

/** The answer of a block whose data is not on the tape. */
export function absent<Nested extends TSchema, Flat extends TProperties>(flat: Flat): Derived<Nested, Flat> {
  return { nested: null, flat: absentFlat(flat) };
}
