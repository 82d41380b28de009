import type { Type as TypeBox } from 'typebox';

/** JSON Schemas with TypeBox's types: its own builder has the same output and loads 370 files in every thread. */
interface Builder {
  readonly Array: typeof TypeBox.Array;
  readonly Boolean: typeof TypeBox.Boolean;
  readonly Enum: typeof TypeBox.Enum;
  readonly Integer: typeof TypeBox.Integer;
  readonly Null: typeof TypeBox.Null;
  readonly Number: typeof TypeBox.Number;
  readonly Object: typeof TypeBox.Object;
  readonly Optional: typeof TypeBox.Optional;
  readonly String: typeof TypeBox.String;
  readonly Union: typeof TypeBox.Union;
  readonly Unknown: typeof TypeBox.Unknown;
  readonly Unsafe: typeof TypeBox.Unsafe;
}

const OPTIONAL = '~optional';

const scalar = (type: string) => (options?: object) => ({ type, ...options });

/** Names of the properties that are not marked as optional. */
function requiredOf(properties: Readonly<Record<string, object>>): { readonly required?: string[] } {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
  return required.length === 0 ? {} : { required };
}

export const Type = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: scalar('boolean'),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: scalar('integer'),
  Null: scalar('null'),
  Number: scalar('number'),
  Object: (properties: Readonly<Record<string, object>>, options?: object) => ({
    type: 'object',
    ...requiredOf(properties),
    properties,
    ...options,
  }),
  // Hidden: the mark is not part of the schema's JSON, and a copy by spreading is required again.
  Optional: (schema: object) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: scalar('string'),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Builder;
