import type { onRequestHookHandler } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import type { RouteEntry } from './route-entry.ts';

export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';

const ANY_JSON = /(?:^|[,\s])(?:\*\/\*|application\/(?:\*|json))/i;

/** Whether a caller wants another media type rather than JSON. */
export const prefers = (accept: string | undefined, type: string): boolean =>
  accept?.toLowerCase().includes(type) ?? false;

/**
 * Refuses callers that ask for Arrow alone where it is not served. Other types get JSON all the same, as RFC 9110,
 * section 12.4.1, allows: browsers and tools ask for all sorts of them.
 */
export function refuseOtherTypes({ alsoServed }: RouteEntry): onRequestHookHandler[] {
  if (alsoServed === ARROW_STREAM) return [];
  return [
    ({ headers: { accept } }, _reply, done) => {
      if (!prefers(accept, ARROW_STREAM) || ANY_JSON.test(accept!)) done();
      else done(new CodedError('not_acceptable', `This is served as JSON only, not as ${ARROW_STREAM}`));
    },
  ];
}
