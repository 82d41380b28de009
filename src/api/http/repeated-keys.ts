import type { preValidationHookHandler } from 'fastify';
import { isList } from '../../base/parameters.ts';
import type { RouteEntry } from './route-entry.ts';

type Query = Record<string, string | string[]>;

/**
 * Joins a list that came as repeated keys with commas, before anything reads it: `fields=a&fields=b` is `fields=a,b` for
 * the schema, the caches and the refusals alike. Another parameter that is repeated is left to the schema, which refuses it.
 */
export function joinRepeatedKeys({ querystring }: RouteEntry): preValidationHookHandler[] {
  const { properties = {} } = (querystring ?? {}) as { readonly properties?: Record<string, object> };
  const lists = Object.keys(properties).filter((name) => isList(properties[name]!));
  if (lists.length === 0) return [];
  return [
    (request, _reply, done) => {
      const query = request.query as Query;
      for (const name of lists) if (Array.isArray(query[name])) query[name] = query[name].join();
      done();
    },
  ];
}
