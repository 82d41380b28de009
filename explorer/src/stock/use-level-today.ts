import { useQuery } from '@tanstack/react-query';
import { barsQuery, type Stock } from '../shared/api/queries.ts';
import { clockOf, type Instant } from '../shared/instant.ts';
import { barsAfter, levelToday } from './level-today.ts';

/** Levels that move with the session: whether they held is no question of one price. */
const MOVING: ReadonlySet<string> = new Set(['vwap', 'developing_profile', 'moving_average', 'gamma']);

/** Says of a level what became of it in the session of the stock: `held 10:12`, `untouched`. */
export function useLevelToday(
  { symbol, price, level_ladder }: Stock,
  asOf: Instant,
): (level: { readonly name: string; readonly family: string; readonly price: number }) => string {
  const date = price?.trade_date;
  const range = { interval: '1m', from: date ?? '', session: 'regular' } as const;
  const { data: bars } = useQuery({ ...barsQuery(symbol, range, asOf), enabled: typeof date === 'string' });
  const atr = level_ladder?.atr ?? null;
  return (level) => {
    if (MOVING.has(level.family)) return 'follows price';
    if (atr === null || bars === undefined) return '–';
    if (bars.time.length === 0) return 'no minute bars';
    const since = barsAfter(level.name, bars);
    if (since === null) return level.name.startsWith('ib_') ? 'until 10:30' : 'still forms';
    const { state, touchedAt, decidedAt } = levelToday(level.price, atr, since);
    const at = decidedAt ?? touchedAt;
    return at === null ? state : `${state} ${clockOf(Date.parse(at))}`;
  };
}
