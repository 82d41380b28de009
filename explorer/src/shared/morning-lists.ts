import type { ScreenBody, Watchlist } from './api/queries.ts';

const beyond = (field: string, least: number) => ({
  any: [
    { field, op: '>=', value: least },
    { field, op: '<=', value: -least },
  ],
});

/** Lists of a morning that fill themselves: the ready screens of the same names on the page Screener. */
export const MORNING: Readonly<Record<string, ScreenBody>> = {
  Gappers: { filter: beyond('price.gap_pct', 2), sort: [{ field: 'price.gap_pct', order: 'desc' }] },
  Movers: { filter: beyond('price.change_pct', 2), sort: [{ field: 'price.change_pct', order: 'desc' }] },
  'Unusual volume': {
    filter: { field: 'computed.volume_over_average', op: '>', value: 1.5 },
    computed: { volume_over_average: 'volume / adv30_shares' },
    sort: [{ field: 'computed.volume_over_average', order: 'desc' }],
  },
  'Near a level': {
    filter: { field: 'nearest_level_type', op: '!=', value: 'neutral' },
    sort: [{ field: 'net_confluence', order: 'desc' }],
  },
  'Results today': {
    filter: { field: 'earnings.days_until', op: '=', value: 0 },
    sort: [{ field: 'price.change_pct', order: 'desc' }],
  },
};

/** What the reader chose, as it is kept: `list:NAME`, `screen:NAME` of a morning, or '' for the first list. */
export function chosenOf(kept: string, lists: readonly Watchlist[]): string {
  if (kept.startsWith('screen:') && kept.slice('screen:'.length) in MORNING) return kept;
  const list = lists.find(({ name }) => kept === `list:${name}`) ?? lists[0];
  return list === undefined ? '' : `list:${list.name}`;
}
