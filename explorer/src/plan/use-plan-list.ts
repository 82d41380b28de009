import { useQuery } from '@tanstack/react-query';
import { morningQuery, type PlanOf, watchlistsQuery } from '../shared/api/queries.ts';
import { chosenOf, MORNING } from '../shared/morning-lists.ts';
import { changeSettings, useSettings } from '../shared/theme/settings.ts';
import type { PlanSearch } from './plan-search.ts';

const symbolsIn = (text: string): string[] => text.split(/[\s,]+/).filter((symbol) => symbol !== '');

/** Whose stocks a page is of: what its address names, else the list that is shown beside the chart. */
export function usePlanList(search: PlanSearch) {
  const asked = useQuery(watchlistsQuery);
  const { list: kept } = useSettings();
  const lists = asked.data?.watchlists ?? [];
  const chosen =
    search.symbols !== undefined
      ? 'symbols'
      : search.list !== undefined
        ? `list:${search.list}`
        : search.morning !== undefined
          ? `screen:${search.morning}`
          : chosenOf(kept, lists);
  const name = chosen.slice(chosen.indexOf(':') + 1);
  const screen = chosen.startsWith('screen:') ? MORNING[name] : undefined;
  const screened = useQuery({ ...morningQuery(name, screen ?? {}), enabled: screen !== undefined });
  return {
    asked: screen === undefined ? asked : screened,
    chosen,
    options: {
      ...(chosen === '' ? { '': 'choose a list' } : {}),
      ...(search.symbols === undefined ? {} : { symbols: search.symbols }),
      ...Object.fromEntries(
        [...lists.map((one) => one.name), ...(search.list === undefined ? [] : [search.list])].map((one) => [
          `list:${one}`,
          one,
        ]),
      ),
      ...Object.fromEntries(Object.keys(MORNING).map((one) => [`screen:${one}`, one])),
    },
    of: ofChosen(chosen, name, search.symbols, screened.data),
    isReady: search.symbols !== undefined || search.list !== undefined || asked.data !== undefined,
  };
}

/** Null where nothing is chosen, or the stocks of a screen are on their way. */
function ofChosen(
  chosen: string,
  name: string,
  symbols: string | undefined,
  screened: readonly string[] | undefined,
): PlanOf | null {
  if (symbols !== undefined) return { symbols: symbolsIn(symbols) };
  if (chosen.startsWith('list:')) return { list: name };
  return screened === undefined ? null : { symbols: [...screened] };
}

/** The search of a chosen list, which is kept for the chart too. */
export function chooseList(chosen: string): PlanSearch {
  const name = chosen.slice(chosen.indexOf(':') + 1);
  changeSettings({ list: chosen });
  return chosen.startsWith('list:') ? { list: name } : { morning: name };
}
