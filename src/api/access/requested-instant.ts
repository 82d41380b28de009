import { wholeMinute } from '../../base/as-of.ts';
import { parseInstant } from '../../base/dates.ts';
import { ValidationRefusal } from '../../base/errors.ts';

/**
 * The instant that an answer speaks for: the newest of the caller, or an earlier one by request.
 *
 * @param asOf a validated RFC 3339 instant, read to the minute
 * @param newest of the caller, a whole minute, epoch milliseconds
 * @throws ValidationRefusal as_of_not_reached
 */
export function requestedInstant(asOf: string | undefined, newest: number): number {
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
