import type { TOptional, TProperties } from 'typebox';
import { stockSymbol } from '../../base/parameters.ts';
import { Type } from '../../base/type.ts';

/** Parameters of an address; others are refused. */
export const parameters = <Required extends TProperties>(required: Required) =>
  Type.Object(required, { additionalProperties: false });

type Optional<Properties extends TProperties> = {
  [Name in keyof Properties]: TOptional<Properties[Name]>;
};

/** Schemas of which none has to be given. */
export const optional = <Properties extends TProperties>(properties: Properties) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optional<Properties>;

export const SymbolPath = parameters({ symbol: stockSymbol });
