import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteWatchlist, putWatchlist, type Watchlist, watchlistsQuery } from '../shared/api/queries.ts';
import { changeSettings, useSettings } from '../shared/theme/settings.ts';
import { chosenOf } from './watchlists.ts';

/** The first list of a reader who has none. */
const FIRST_NAME = 'Watchlist';

const NONE: readonly Watchlist[] = [];
const isOwn = ({ screen }: Watchlist): boolean => screen === null;

/** The list that a stock is put on: the chosen one, or the first that does not fill itself. */
function targetOf(lists: readonly Watchlist[], kept: string): Watchlist | undefined {
  const own = lists.filter(isOwn);
  return own.find(({ name }) => kept === `list:${name}`) ?? own[0];
}

/** The lists, which of them is shown, and what can be done with them. */
export function useWatchlists(symbol: string) {
  const queries = useQueryClient();
  const asked = useQuery(watchlistsQuery);
  const { list: kept } = useSettings();
  const lists = asked.data?.watchlists ?? NONE;
  const chosen = chosenOf(kept, lists);
  const keep = (change: (before: readonly Watchlist[]) => readonly Watchlist[]): void => {
    queries.setQueryData(watchlistsQuery.queryKey, (before) => ({
      watchlists: change(before?.watchlists ?? NONE),
    }));
  };
  const take = (saved: Watchlist): void => {
    keep((before) =>
      before.some(({ name }) => name === saved.name)
        ? before.map((one) => (one.name === saved.name ? saved : one))
        : [...before, saved],
    );
    changeSettings({ list: `list:${saved.name}` });
  };
  // One after the other: each begins with what the one before has left.
  const scope = { id: 'watchlists' };
  const toggle = useMutation({
    scope,
    mutationFn: async (symbol: string) => {
      const { watchlists } = await queries.ensureQueryData(watchlistsQuery);
      const { name = FIRST_NAME, symbols } = targetOf(watchlists, kept) ?? {};
      const others = (symbols ?? []).filter((one) => one !== symbol);
      const isOn = others.length < (symbols ?? []).length;
      return putWatchlist(name, isOn ? others : [...others, symbol]);
    },
    onSuccess: take,
  });
  const save = useMutation({
    scope,
    mutationFn: ({ name, symbols }: { readonly name: string; readonly symbols: readonly string[] }) =>
      putWatchlist(name, symbols),
    onSuccess: take,
  });
  const remove = useMutation({
    scope,
    mutationFn: deleteWatchlist,
    onSuccess: ({ name }) => keep((before) => before.filter((one) => one.name !== name)),
  });
  return {
    asked,
    lists,
    chosen,
    list: lists.find(({ name }) => chosen === `list:${name}`),
    /** Whether the stock of the page is on the list that it would be put on. */
    isOn: targetOf(lists, kept)?.symbols?.includes(symbol) ?? false,
    toggle,
    save,
    remove,
  };
}

export type Watchlists = ReturnType<typeof useWatchlists>;
