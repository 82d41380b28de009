import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { barsQuery } from '../../shared/api/queries.ts';
import { Figure } from '../../shared/charts/figure.tsx';
import { clockOf, dayOf, type Instant, noonOf } from '../../shared/instant.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { format, formatNumber } from '../../shared/ui/number.tsx';
import { Missing, Refused, Skeleton } from '../../shared/ui/states.tsx';
import { type PercentLines, percentLines, spread } from './percent-lines.ts';

/** Longer spans are of days. */
const MINUTES_DAYS = 7;
const DAY_MS = 86_400_000;
const HEIGHT = 420;
const MARGIN = { left: 48, right: 116, top: 12, bottom: 22 };
const LABEL_PX = 16;
const TICK_PX = 90;

const percent = (value: number): string => format('signed-percent', value);
const timeWords = (time: string): string =>
  time.length === 10 ? dayOf(noonOf(time)) : `${dayOf(Date.parse(time))}, ${clockOf(Date.parse(time))}`;

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
  const lacking = symbols.filter((symbol) => !known.some((bars) => bars.symbol === symbol));
  return (
    <section className="panel one-scale" aria-label="On one scale">
      <h2>
        Percent since the open of {dayOf(noonOf(since))}{' '}
        <small>{isDays ? 'closes of days' : 'closes of 5 minutes'}</small>
      </h2>
      {isOnTheWay ? (
        <Skeleton height={HEIGHT} />
      ) : known.length === 0 ? (
        <Missing reason={ABSENT.sessionBars} height={HEIGHT} />
      ) : (
        <LinesFigure {...percentLines(known)} symbols={symbols} />
      )}
      {isOnTheWay
        ? null
        : lacking.map((symbol) => {
            const { error } = asked[symbols.indexOf(symbol)]!;
            return error === null ? (
              <p key={symbol} className="note">
                {ABSENT.barsUntil.replace('{symbol}', symbol)}
              </p>
            ) : (
              <Refused key={symbol} error={error} />
            );
          })}
    </section>
  );
}

function LinesFigure({
  times,
  lines,
  symbols,
}: PercentLines & { readonly symbols: readonly string[] }): ReactNode {
  const values = [0, ...lines.flatMap(({ points }) => points.map(([, value]) => value))];
  const label = lines.map(({ symbol, points }) => `${symbol} ${percent(points.at(-1)![1])}`).join(', ');
  return (
    <Figure label={label} height={HEIGHT} className="percent-lines">
      {(width) => {
        const right = width - MARGIN.right;
        const x = scaleLinear([0, Math.max(times.length - 1, 1)], [MARGIN.left, right]);
        const y = scaleLinear(
          [Math.min(...values), Math.max(...values)],
          [HEIGHT - MARGIN.bottom, MARGIN.top],
        ).nice(5);
        const places = spread(
          lines.map(({ points }) => y(points.at(-1)![1])),
          LABEL_PX,
          HEIGHT - MARGIN.bottom,
        );
        const ticks = x
          .ticks(Math.max(2, Math.floor((right - MARGIN.left) / TICK_PX)))
          .filter(Number.isInteger);
        return (
          <>
            {y.ticks(5).map((tick) => (
              <g key={tick} className={tick === 0 ? 'zero' : undefined}>
                <line className="base-line" x1={MARGIN.left} x2={right} y1={y(tick)} y2={y(tick)} />
                <text className="tick" textAnchor="end" x={MARGIN.left - 6} y={y(tick) + 4}>
                  {`${formatNumber(tick, 1)} %`}
                </text>
              </g>
            ))}
            {ticks.map((tick) => {
              const time = times[tick];
              return time === undefined ? null : (
                <text key={tick} className="tick" textAnchor="middle" x={x(tick)} y={HEIGHT - 4}>
                  {time.length === 10 ? dayOf(noonOf(time)) : clockOf(Date.parse(time))}
                </text>
              );
            })}
            {lines.map(({ symbol, points }, at) => (
              <g key={symbol} className={`line-${symbols.indexOf(symbol)}`}>
                <path
                  d={points
                    .map(([a, b], n) => `${n === 0 ? 'M' : 'L'}${x(a).toFixed(1)},${y(b).toFixed(1)}`)
                    .join('')}
                />
                <text x={right + 6} y={places[at]! + 4}>
                  {symbol} {percent(points.at(-1)![1])}
                </text>
              </g>
            ))}
            {times.map((time, at) => (
              <rect
                key={time}
                className="touch"
                x={x(at - 0.5)}
                width={x(1) - x(0)}
                y={0}
                height={HEIGHT}
                data-tip={[timeWords(time), ...lines.flatMap((line) => pointWords(line, at))].join('\n')}
              />
            ))}
          </>
        );
      }}
    </Figure>
  );
}

function pointWords({ symbol, points }: PercentLines['lines'][number], at: number): string[] {
  const point = points.find(([place]) => place === at);
  return point === undefined ? [] : [`${symbol} ${percent(point[1])}`];
}
