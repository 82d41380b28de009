import type { Stock } from '../shared/api/queries.ts';
import { clockOf } from '../shared/instant.ts';

type Rung = NonNullable<Stock['level_ladder']>['levels'][number];

/** What became of a level in the session, as the service says: `held 2x, 10:12`, `broken 9:58`, `untouched`. */
export function levelToday({ state, touched_at, decided_at, holds }: Rung): string {
  if (state === null) return '–';
  const at = decided_at ?? touched_at;
  const counted = state === 'held' && holds !== null && holds > 1 ? `held ${holds}x,` : state;
  return at === null ? state : `${counted} ${clockOf(Date.parse(at))}`;
}
