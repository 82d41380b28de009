import { Type } from '../base/type.ts';

/** Arguments that several tools share. The API checks their values; a schema names them and bounds their size. */

export const symbol = Type.String({ maxLength: 20, description: 'Ticker' });
export const date = Type.Optional(Type.String({ maxLength: 10, description: 'Default newest' }));
export const asOf = Type.Optional(
  Type.String({ maxLength: 40, description: 'RFC 3339 instant; default now' }),
);
export const limit = (maximum: number, byDefault: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description: `Default ${byDefault}` }));
export const words = <const Word extends string>(values: readonly Word[], description: string) =>
  Type.Optional(Type.Unsafe<Word>({ type: 'string', enum: values, description }));
/** Words of a person, quotation marks and all; any other text is a name. */
export const freeText = (minLength: number, maxLength: number, description?: string) =>
  Type.String({
    ...(minLength > 0 && { minLength }),
    maxLength,
    contentMediaType: 'text/plain',
    ...(description !== undefined && { description }),
  });
export const list = (maxItems: number, description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { maxItems, description });
