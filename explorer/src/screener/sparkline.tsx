import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { scaleLinear } from 'd3-scale';
import { type ReactNode, useEffect, useState } from 'react';
import { client } from '../shared/api/client.ts';
import { pathOf } from '../shared/charts/line.tsx';
import { MINUTE_MS } from '../shared/instant.ts';

const [WIDTH, HEIGHT] = [64, 20];
/** Rows that fly by are not asked for. */
const REST_MS = 250;
const DAYS = 45;

const closesQuery = (symbol: string, date: string) =>
  queryOptions({
    queryKey: ['closes', symbol, date],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const from = new Date(Date.parse(date) - DAYS * 1440 * MINUTE_MS).toISOString().slice(0, 10);
      const query = { interval: '1d', from, to: date } as const;
      const bars = await dataOf(
        client.GET('/api/graph/v1/stocks/{symbol}/bars', { params: { path: { symbol }, query }, signal }),
      );
      return 'close' in bars ? bars.close : [];
    },
  });

/** Closes of the last thirty sessions or so up to a date. */
export function Sparkline({ symbol, date }: { readonly symbol: string; readonly date: string }): ReactNode {
  const [isAtRest, rest] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => rest(true), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data: closes = [] } = useQuery({ ...closesQuery(symbol, date), enabled: isAtRest });
  const known = closes.filter((close) => close !== null);
  if (known.length < 2) return <svg width={WIDTH} height={HEIGHT} aria-hidden="true" />;
  const x = scaleLinear([0, closes.length - 1], [1, WIDTH - 1]);
  const y = scaleLinear([Math.min(...known), Math.max(...known, Math.min(...known) + 1e-9)], [HEIGHT - 2, 2]);
  return (
    <svg className="sparkline" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path
        className={known.at(-1)! >= known[0]! ? 'up' : 'down'}
        d={pathOf(
          closes.map((value, at) => ({ name: `${at}`, value })),
          x,
          y,
        )}
      />
    </svg>
  );
}
