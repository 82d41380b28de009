import { queryOptions, useQueries } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { client } from '../shared/api/client.ts';

/** Rows whose sessions are asked for together. */
const ROWS_AT_ONCE = 50;

/** Of which rows the sessions are drawn: the date, and the instant of the newest. */
export interface Session {
  readonly date: string;
  readonly newest: string | null;
}

const closesQuery = (symbols: readonly string[], { date, newest }: Session) =>
  queryOptions({
    queryKey: ['session-closes', date, newest, symbols],
    queryFn: async ({ signal }) => {
      const filter = { field: 'symbol', op: 'in', value: symbols };
      const body = { filter, date, select: [], closes: true, limit: symbols.length };
      const { rows } = await dataOf(client.POST('/api/graph/v1/screener', { body, signal }));
      return new Map(rows.map(({ symbol, closes }) => [symbol, closes ?? []]));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The closes of the sessions of the rows from one place to another, by symbol, as far as they are known. */
export function useCloses(
  symbols: readonly string[],
  first: number,
  last: number,
  session: Session | null,
): (symbol: string) => readonly number[] | undefined {
  const parts: string[][] = [];
  if (session !== null)
    for (let at = first - (first % ROWS_AT_ONCE); at <= last && at < symbols.length; at += ROWS_AT_ONCE)
      parts.push(symbols.slice(at, at + ROWS_AT_ONCE));
  const asked = useQueries({ queries: parts.map((part) => closesQuery(part, session!)) });
  return (symbol) => asked.find(({ data }) => data?.has(symbol))?.data?.get(symbol);
}
