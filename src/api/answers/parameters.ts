import type { TOptional, TProperties } from 'typebox';
import { stockSymbol } from '../../base/parameters.ts';
import { oneOf } from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { MARKET_NAMES } from '../context/symbol-markets.ts';

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

/** Of answers that span stocks. */
export const marketParameter = oneOf(
  MARKET_NAMES,
  'Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol.',
);

export const SymbolPath = parameters({ symbol: stockSymbol });
