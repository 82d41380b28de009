import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataOf } from '@tigraph/client';
import type { ReactNode } from 'react';
import { client } from '../shared/api/client.ts';
import { dayOf, noonOf } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';

const DAYS_SHOWN = 15;
/** Companies of a day at most, the largest first. */
const SHOWN_MAX = 12;
const DAYS_UNTIL = 'earnings.days_until';
const DAY_MS = 86_400_000;

const resultsQuery = {
  queryKey: ['results-calendar', 'live'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    dataOf(
      client.POST('/api/graph/v1/screener', {
        body: {
          filter: { field: DAYS_UNTIL, op: '>=', value: 0 },
          select: [DAYS_UNTIL],
          sort: [
            { field: DAYS_UNTIL, order: 'asc' },
            { field: 'fundamental.market_cap', order: 'desc' },
          ],
          limit: 500,
        },
        signal,
      }),
    ),
  staleTime: 5 * 60_000,
};

/** Who reports on the next days with results, the largest companies first. */
export function ResultsCalendar(): ReactNode {
  const asked = useQuery(resultsQuery);
  return (
    <Panel
      label="Earnings calendar"
      className="wide"
      small="the next days with results, the largest companies first"
    >
      <Answered asked={asked} height={90}>
        {({ date, rows }) => {
          const days = [...new Set(rows.map((row) => Number(row[DAYS_UNTIL])))].sort((a, b) => a - b);
          if (days.length === 0) return <Missing reason={ABSENT.resultDates} height={60} />;
          return (
            <div className="results-calendar">
              {days.slice(0, DAYS_SHOWN).map((ahead) => {
                const companies = rows.filter((row) => row[DAYS_UNTIL] === ahead);
                return (
                  <div key={ahead}>
                    <h3>{dayOf(noonOf(date) + ahead * DAY_MS)}</h3>
                    {companies.slice(0, SHOWN_MAX).map(({ symbol }) => (
                      <Link key={symbol} className="chip" to="/stocks/$symbol" params={{ symbol }}>
                        {symbol}
                      </Link>
                    ))}
                    {companies.length > SHOWN_MAX ? <small>+{companies.length - SHOWN_MAX}</small> : null}
                  </div>
                );
              })}
            </div>
          );
        }}
      </Answered>
    </Panel>
  );
}
