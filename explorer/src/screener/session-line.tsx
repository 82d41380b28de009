import { queryOptions, useQueries } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import type { ReactNode } from 'react';
import { client } from '../shared/api/client.ts';
import { formatPrice } from '../shared/ui/number.tsx';

/** Rows whose sessions are asked for together. */
const ROWS_AT_ONCE = 50;
/** 15-minute bars of a whole session: a line of a running one leaves the rest of its width empty. */
const BARS = 26;
const WIDTH = 64;
const HEIGHT = 18;

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

interface LineProps {
  /** Undefined while they are not known. */
  readonly closes: readonly number[] | undefined;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The path of a session by its 15-minute closes, from its open where that is known, as the range of the day beside it. */
export function SessionLine({ closes = [], row }: LineProps): ReactNode {
  const open = row['price.regular.open'];
  const prices = typeof open === 'number' ? [open, ...closes] : closes;
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined || closes.length < 2) return <td className="session-line" />;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const yOf = (price: number): number => 1 + (1 - (price - low) / (high - low || 1)) * (HEIGHT - 2);
  const points = prices.map((price, at) => `${((at / BARS) * WIDTH).toFixed(1)},${yOf(price).toFixed(1)}`);
  return (
    <td
      className={last >= first ? 'session-line up' : 'session-line down'}
      data-tip={`Session by closes of 15 minutes: ${formatPrice(first)} to ${formatPrice(last)}, low ${formatPrice(low)}, high ${formatPrice(high)}`}
    >
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </td>
  );
}
