import { hash } from 'node:crypto';
import { foreignCursor } from './refusals.ts';

/** The name of a query, which begins the cursors of its pages; a time ends them. */
export const queryName = (...parts: readonly unknown[]): string =>
  hash('sha1', parts.join('|'), 'base64url').slice(0, 16);

/**
 * The time in a cursor, epoch milliseconds; null without one.
 *
 * @throws ValidationRefusal for the cursor of another query
 */
export function timeInCursor(cursor: string | undefined, name: string): number | null {
  if (cursor === undefined) return null;
  const [query, time] = cursor.split('.');
  if (query === name && /^-?\d{1,13}$/.test(time ?? '')) return Number(time);
  throw foreignCursor(cursor);
}
