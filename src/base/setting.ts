import { Type } from './type.ts';

/** Kinds of settings. `env` is the variable; `src/config.ts` says what else a schema may state. */

export const SECRET = { secret: true };

/** @param allowed explains the pattern */
export const text = (env: string, pattern: string, allowed: string, description: string, more: object = {}) =>
  Type.Optional(Type.String({ env, pattern, allowed, description, ...more }));

/** A variable that other programs read too: what it must be is checked with the setting that needs it. */
export const word = (env: string, description: string, more?: object) =>
  text(env, '^[!-~]+$', 'text without spaces', description, more);

export const secret = (env: string, description: string) => word(env, description, SECRET);

export const address = (env: string, fallback: string, description: string) =>
  Type.String({
    env,
    default: fallback,
    pattern: `^${fallback.split(':', 1)[0]!.replace(/s$/, 's?')}://[^\\s/?#@]+/?$`,
    allowed: `an address such as ${fallback}`,
    description,
  });
