import { wholeMinute } from '../../base/as-of.ts';
import { parseInstant } from '../../base/dates.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { type Viewer, visibleInstant } from './viewer.ts';

/**
 * The viewer of a past minute, or of the present.
 *
 * @param asOf a validated RFC 3339 instant, read to the minute
 * @throws ValidationRefusal as_of_not_reached
 */
export function viewerAt<Kind extends Viewer>(viewer: Kind, asOf: string | undefined, now: number): Kind {
  if (asOf === undefined) return viewer;
  return { ...viewer, asOf: requestedInstant(asOf, wholeMinute(visibleInstant(viewer, now))) };
}

/**
 * The instant that an answer speaks for: the newest of the caller, or an earlier one by request.
 *
 * @param asOf a validated RFC 3339 instant, read to the minute
 * @param newest of the caller, a whole minute, epoch milliseconds
 * @throws ValidationRefusal as_of_not_reached
 */
function requestedInstant(asOf: string | undefined, newest: number): number {
  if (asOf === undefined) return newest;
  const instant = wholeMinute(parseInstant(asOf)!);
  if (instant <= newest) return instant;
  const reached = new Date(newest).toISOString();
  throw new ValidationRefusal([
    {
      loc: ['query', 'as_of'],
      msg: `Input should be at most ${reached}, the newest instant of this caller`,
      type: 'as_of_not_reached',
      input: asOf,
      ctx: { newest: reached },
    },
  ]);
}
