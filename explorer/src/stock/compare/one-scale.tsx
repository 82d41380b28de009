import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { barsQuery } from '../../shared/api/queries.ts';
import { Curves } from '../../shared/charts/curves.tsx';
import { clockOf, dayOf, type Instant, noonOf } from '../../shared/instant.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { format, formatNumber } from '../../shared/ui/number.tsx';
import { Missing, Skeleton } from '../../shared/ui/states.tsx';
import { percentLines } from './percent-lines.ts';

/** Longer spans are of days. */
const MINUTES_DAYS = 7;
const DAY_MS = 86_400_000;
const HEIGHT = 420;

const percent = (value: number): string => format('signed-percent', value);
const timeWords = (time: string): string =>
  time.length === 10 ? dayOf(noonOf(time)) : clockOf(Date.parse(time));

interface Props {
  readonly symbols: readonly string[];
  readonly asOf: Instant;
  /** The session of the instant. */
  readonly date: string;
  /** The session from whose open on. */
  readonly since: string;
}

/** The stocks on one scale, percent since an open. */
export function OneScale({ symbols, asOf, date, since }: Props): ReactNode {
  const isDays = noonOf(date) - noonOf(since) > MINUTES_DAYS * DAY_MS;
  const range = isDays
    ? ({ interval: '1d', from: since } as const)
    : ({ interval: '5m', from: since, session: 'regular' } as const);
  const asked = useQueries({
    queries: symbols.map((symbol) => ({
      ...barsQuery(symbol, range, asOf),
      placeholderData: keepPreviousData,
      retry: false,
    })),
  });
  const known = asked.flatMap(({ data }, at) =>
    data === undefined || data.time.length === 0 ? [] : [{ ...data, symbol: symbols[at]! }],
  );
  const isOnTheWay = asked.some(({ data, error }) => data === undefined && error === null);
  const { times, lines } = percentLines(known);
  const toneOf = (symbol: string): string => `line-${symbols.indexOf(symbol)}`;
  return (
    <section className="panel one-scale" aria-label="On one scale">
      <h2>
        Percent since the open of {dayOf(noonOf(since))}{' '}
        <small>{isDays ? 'closes of days' : 'closes of 5 minutes'}</small>
      </h2>
      <p className="curve-keys">
        {isOnTheWay
          ? null
          : symbols.map((symbol, at) => {
              const newest = lines.find((line) => line.symbol === symbol)?.points.at(-1);
              return newest === undefined ? (
                <span key={symbol} className="caution">
                  {asked[at]!.error?.message ?? ABSENT.barsUntil.replace('{symbol}', symbol)}
                </span>
              ) : (
                <span key={symbol} className={`curve-key ${toneOf(symbol)}`}>
                  {symbol} {percent(newest[1])}
                </span>
              );
            })}
      </p>
      {isOnTheWay ? (
        <Skeleton height={HEIGHT} />
      ) : known.length === 0 ? (
        <Missing reason={ABSENT.sessionBars} height={HEIGHT} />
      ) : (
        <Curves
          label={`Percent since ${since}: ${lines.map(({ symbol }) => symbol).join(', ')}`}
          curves={[
            { name: 'no change', points: [0, times.length - 1].map((at) => [at, 0] as const) },
            ...lines.map(({ symbol, points }) => ({ name: symbol, points, tone: toneOf(symbol) })),
          ]}
          shownX={(at) => (times[at] === undefined ? '' : timeWords(times[at]))}
          shownY={(value) => `${formatNumber(value, 1)} %`}
          height={HEIGHT}
        />
      )}
    </section>
  );
}
