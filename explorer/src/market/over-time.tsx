import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import type { ReactNode } from 'react';
import { client } from '../shared/api/client.ts';
import { barsQuery, type MarketContext } from '../shared/api/queries.ts';
import { Line } from '../shared/charts/line.tsx';
import { dateOf, type Instant, MINUTE_MS } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { formatNumber } from '../shared/ui/number.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';

const SESSIONS = 20;
const REACH_MS = 45 * 1440 * MINUTE_MS;

interface Day {
  readonly date: string;
  readonly advancersPct: number | null;
  readonly aboveSma50Pct: number | null;
}

const SHARES = { advancersPct: 'Stocks that rose', aboveSma50Pct: 'Stocks above their SMA 50' } as const;

const dayOfBreadth = (date: string, breadth: MarketContext['breadth']): Day => ({
  date,
  advancersPct: breadth === null ? null : (breadth.advancers / Math.max(breadth.stocks, 1)) * 100,
  aboveSma50Pct: breadth?.above_sma_50_pct ?? null,
});

/** Breadth at the end of each of some sessions, one after another: a market that nobody asked for before is derived. */
const breadthQuery = (dates: readonly string[]) =>
  queryOptions({
    queryKey: ['breadth', dates.join()],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }): Promise<Day[]> {
      const days: Day[] = [];
      for (const date of dates) {
        const { breadth } = await dataOf(
          client.GET('/api/graph/v1/market/context', { params: { query: { date } }, signal }),
        );
        days.push(dayOfBreadth(date, breadth));
      }
      return days;
    },
  });

interface OverTimeProps {
  readonly market: MarketContext;
  readonly asOf: Instant;
}

/** Breadth and VIX over the sessions up to the one that is shown, which ends them at its instant. */
export function OverTime({ market, asOf }: OverTimeProps): ReactNode {
  const from = dateOf(Date.parse(market.as_of) - REACH_MS);
  const index = useQuery({
    ...barsQuery(market.index?.symbol ?? '', { interval: '1d', from }, asOf),
    enabled: market.index !== null,
  });
  const vix = useQuery({
    ...barsQuery(market.vix?.symbol ?? '', { interval: '1d', from }, asOf),
    enabled: market.vix !== null,
  });
  const dates = (index.data?.time ?? []).filter((date) => date < market.trade_date).slice(-SESSIONS);
  const breadth = useQuery({ ...breadthQuery(dates), enabled: dates.length > 0 });
  const today = dayOfBreadth(market.trade_date, market.breadth);
  if (market.index === null) return null;
  return (
    <section className="panel wide over-time" aria-label="Over time">
      {(['advancersPct', 'aboveSma50Pct'] as const).map((share) => (
        <div key={share}>
          <h2>{SHARES[share]}</h2>
          <Answered asked={breadth} height={110}>
            {(days) =>
              [...days, today].every((day) => day[share] === null) ? (
                <Missing reason={ABSENT.breadthHistory} height={110} />
              ) : (
                <Line
                  label={SHARES[share]}
                  base={50}
                  shown={(value) => `${formatNumber(value, 0)} %`}
                  points={[...days, today].map((day) => ({ name: day.date, value: day[share] }))}
                />
              )
            }
          </Answered>
        </div>
      ))}
      <div>
        <h2>VIX</h2>
        {market.vix === null ? (
          <Missing reason={ABSENT.volatility} height={110} />
        ) : (
          <Answered asked={vix} height={110}>
            {({ time, close }) => (
              <Line
                label="VIX"
                shown={(value) => formatNumber(value, 2)}
                points={[
                  ...time
                    .map((date, at) => ({ name: `${date}`, value: close[at] ?? null }))
                    .filter(({ name }) => name < market.trade_date)
                    .slice(-SESSIONS),
                  { name: market.trade_date, value: market.vix?.level ?? null },
                ]}
              />
            )}
          </Answered>
        )}
      </div>
    </section>
  );
}
