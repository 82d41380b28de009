import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifyServerOptions } from 'fastify';
import { KEYWORDS } from './keywords.ts';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Factory = Exclude<Compilers['buildValidator'], undefined>;
type Compile = ReturnType<Factory>;

/** Made when the module is loaded: while the database opens, nothing else needs the processor. */
const compile = AjvCompiler()(
  {},
  {
    customOptions: {
      allErrors: true,
      removeAdditional: false,
      coerceTypes: false,
      strict: false,
      keywords: KEYWORDS,
    },
  },
);

type Validate = ReturnType<typeof compile>;

/** Compiles the schema of a part of a request when the first one comes: most routes are called late or never. */
const compileOnUse = ((route: Parameters<typeof compile>[0]) => {
  let compiled: Validate | null = null;
  const validate: { (value: unknown): unknown; errors?: Validate['errors'] } = (value) => {
    compiled ??= compile(route);
    const isValid = compiled(value);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}) as unknown as Compile;

export const compilersFactory: Compilers = {
  buildValidator: (() => compileOnUse) as unknown as Factory,
  // Most answers are ready JSON text; compiled serialisers would not pay.
  buildSerializer: () => () => JSON.stringify,
};
