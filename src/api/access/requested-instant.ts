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
  const newest = wholeMinute(visibleInstant(viewer, now));
  const instant = wholeMinute(parseInstant(asOf)!);
  if (instant <= newest) return { ...viewer, asOf: instant };
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
