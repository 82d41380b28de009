import { nearestName } from '../../analysis/screening/names.ts';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';

/** Refusals of what a schema cannot judge: ranges, cursors, names. */

type Context = ValidationFault['ctx'];

/** @param ctx for programs */
export const valueFault = (
  loc: readonly string[],
  input: unknown,
  msg: string,
  ctx: Context = { error: msg },
): ValidationFault => ({ loc, msg, type: 'value_error', input, ctx });

export const queryRefusal = (name: string, input: unknown, msg: string, ctx?: Context): ValidationRefusal =>
  new ValidationRefusal([valueFault(['query', name], input, msg, ctx)]);

export const reversedRange = (from: string, to: string): ValidationRefusal =>
  queryRefusal('from', from, `Input should not be after to, which is ${to}`, { error: 'from is after to' });

/** For a cursor that came with other parameters. */
export function foreignCursor(cursor: string): ValidationRefusal {
  const error = 'it belongs to another query; leave it out to begin with the first page';
  return queryRefusal('cursor', cursor, `Input should be the next_cursor of the same query: ${error}`, {
    error,
  });
}

/**
 * A word that is not in a vocabulary.
 *
 * @param sentence that says so
 * @param elsewhere where the words are found, with its context, where none is near
 */
export function unknownWord(
  name: string,
  word: string,
  known: Iterable<string>,
  sentence: string,
  elsewhere: { readonly hint: string; readonly ctx?: Context },
  input: string = word,
): ValidationFault {
  const nearest = nearestName(word, known);
  const hint = nearest === null ? elsewhere.hint : `did you mean '${nearest}'?`;
  const ctx = nearest === null ? (elsewhere.ctx ?? {}) : { expected: `'${nearest}'` };
  return { ...valueFault(['query', name], input, `${sentence}; ${hint}`, ctx), type: 'literal_error' };
}
