import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteWatchlist, putWatchlist, type Watchlist, watchlistsQuery } from '../shared/api/queries.ts';
import { chosenOf } from '../shared/morning-lists.ts';
import { changeSettings, useSettings } from '../shared/theme/settings.ts';

/** The first list of a reader who has none. */
const FIRST_NAME = 'Watchlist';
const NONE: readonly Watchlist[] = [];

/** The lists, which of them is shown, and what can be done with them. */
export function useWatchlists(symbol: string) {
  const queries = useQueryClient();
  const asked = useQuery(watchlistsQuery);
  const { list: kept } = useSettings();
  const lists = asked.data?.watchlists ?? NONE;
  const chosen = chosenOf(kept, lists);
  const list = lists.find(({ name }) => chosen === `list:${name}`);
  /** Puts the answer of a change in the place of what was. */
  const replace = (name: string, saved: readonly Watchlist[]): void => {
    queries.setQueryData(watchlistsQuery.queryKey, (before) => {
      const others = (before?.watchlists ?? NONE).filter((one) => one.name !== name);
      return { watchlists: [...others, ...saved].toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    });
  };
  const save = useMutation({
    mutationFn: putWatchlist,
    onSuccess: (saved) => {
      replace(saved.name, [saved]);
      changeSettings({ list: `list:${saved.name}` });
    },
  });
  const remove = useMutation({
    mutationFn: deleteWatchlist,
    onSuccess: ({ name }) => replace(name, []),
  });
  // A list that fills itself takes no stock: the first other one does.
  const { name = FIRST_NAME, symbols } = [list, ...lists].find((one) => one?.screen === null) ?? {};
  const before = symbols ?? [];
  const isOn = before.includes(symbol);
  /** Puts the stock of the page on its list, or takes it away. */
  const toggle = (): void => {
    if (asked.data === undefined || save.isPending) return;
    save.mutate({ name, symbols: isOn ? before.filter((one) => one !== symbol) : [...before, symbol] });
  };
  return { asked, lists, chosen, list, isOn, toggle, save, remove };
}

export type Watchlists = ReturnType<typeof useWatchlists>;
