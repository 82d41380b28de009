import type { Stock } from '../shared/api/queries.ts';
import { clockOf } from '../shared/instant.ts';

type Rung = NonNullable<Stock['level_ladder']>['levels'][number];

/** Minutes of New York's day at which the session opens. */
const OPEN_MINUTE = 9 * 60 + 30;
const INITIAL_BALANCE_MINUTES = 60;

/** Of a level that moves with price the state is of where it was, and the price beside it of now. */
const MOVING = new Set<string>(['vwap', 'developing_profile']);

/**
 * What became of a level in the session, as the service says: `held 2x, 10:12`, `broken 9:58, moved since`, `untouched`;
 * else why that is not known.
 *
 * @param isSeen whether it is known of any level
 */
export function levelToday(level: Rung, isSeen: boolean): string {
  const { state, touched_at, decided_at, holds, family } = level;
  if (state === null) return isSeen ? undecided(level) : '–';
  const at = decided_at ?? touched_at;
  const counted = state === 'held' && holds !== null && holds > 1 ? `held ${holds}x,` : state;
  if (at === null) return state;
  return `${counted} ${clockOf(Date.parse(at))}${MOVING.has(family) ? ', moved since' : ''}`;
}

/** Why a level of a session that is seen has no state: it still forms, it moves, or it is of the next session. */
function undecided({ name, family }: Rung): string {
  if (family === 'opening') {
    const minutes = Number(/^orb_(\d+)m/.exec(name)?.[1] ?? INITIAL_BALANCE_MINUTES);
    const end = OPEN_MINUTE + minutes;
    return `until ${Math.floor(end / 60)}:${`${end % 60}`.padStart(2, '0')}`;
  }
  return family === 'pattern' ? 'of the next session' : 'follows price';
}
