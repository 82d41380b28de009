import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { client } from '../shared/api/client.ts';
import { type RunRequest, statusQuery } from '../shared/api/queries.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { SIGNAL_TYPES } from './words.ts';

/** What a run can be made of, and the run that is made where there is none yet. */

/** Symbols that are looked through for minute bars. */
const LISTED = 100;
const FIRST_RUN_SYMBOLS = 8;
/** The longest stretch that is proposed. */
const FIRST_RUN_DAYS = 60;
const DAY_MS = 86_400_000;

export interface Minutes {
  /** With minute bars, in the order of their names. */
  readonly symbols: readonly string[];
  readonly hasMore: boolean;
  readonly from: string;
  readonly to: string;
}

/** The minute bars on the tape: null for none, undefined until it is known. */
export function useMinutes(): Minutes | null | undefined {
  const status = useQuery(statusQuery);
  const listed = useQuery({
    queryKey: ['minute-symbols'],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/graph/v1/symbols', { params: { query: { limit: LISTED } }, signal })),
    staleTime: 60_000,
  });
  if (status.data === undefined || listed.data === undefined) return undefined;
  const series = status.data.series.find(({ series }) => series === 'bars-1m');
  const symbols = listed.data.symbols.filter(({ has }) => has.minute).map(({ symbol }) => symbol);
  const { first_session: first = null, last_session: last = null } = series ?? {};
  if (first === null || last === null || symbols.length === 0) return null;
  const longAgo = new Date(Date.parse(last) - FIRST_RUN_DAYS * DAY_MS).toISOString().slice(0, 10);
  return {
    symbols,
    hasMore: listed.data.next_cursor !== null,
    from: first > longAgo ? first : longAgo,
    to: last,
  };
}

/** The stock that was looked at last if it has minute bars, else the first that have. */
export function firstSymbols({ symbols }: Minutes): readonly string[] {
  const last = lastSymbol();
  return last !== null && symbols.includes(last) ? [last] : symbols.slice(0, FIRST_RUN_SYMBOLS);
}

/** The run to begin with: a few symbols, every signal, the stops and targets that the service has by default. */
export const firstRun = (minutes: Minutes): RunRequest => ({
  symbols: minutes.symbols.slice(0, FIRST_RUN_SYMBOLS),
  start_date: minutes.from,
  end_date: minutes.to,
  signal_types: [...SIGNAL_TYPES],
});

export function useStart(onStarted: (id: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RunRequest) => dataOf(client.POST('/api/graph/v1/backtest/optimize', { body })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] });
      onStarted(id);
    },
  });
}
