import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Bars, barsQuery, type Interval } from '../shared/api/queries.ts';
import type { ChartBars } from '../shared/chart/price-chart.ts';
import { barTime, instantAt, startOfDate } from '../shared/chart/wall-clock.ts';
import { dateOf, type Instant, minuteOf } from '../shared/instant.ts';
import type { Instants } from './use-instants.ts';

const DAY_MS = 86_400_000;
/** Calendar days of bars that a chart holds. */
const DAYS: Readonly<Record<Interval, number>> = {
  '1m': 4,
  '5m': 8,
  '15m': 21,
  '30m': 40,
  '1h': 90,
  '1d': 730,
  '1w': 3_650,
};

export const isIntraday = (interval: Interval): boolean => interval !== '1d' && interval !== '1w';

interface AskedBars {
  readonly bars: ChartBars | null;
  readonly error: Error | null;
  readonly refetch: () => void;
}

const PRE_MARKET_S = 4 * 3600;

/** What a chart asks for at an instant: what was known before the session began, and the session so far; null: nothing. */
export function barQueries(symbol: string, interval: Interval, asOf: Instant, endMs: number) {
  const date = dateOf(endMs);
  const startMs = instantAt((startOfDate(date) + PRE_MARKET_S) as never);
  const from = dateOf(endMs - DAYS[interval] * DAY_MS);
  const session = isIntraday(interval) ? { session: 'all' as const } : {};
  // A running week begins before the session, so weeks are asked for whole.
  const isWhole = interval === '1w' || endMs <= startMs;
  return {
    before: barsQuery(symbol, { interval, from, ...session }, isWhole ? asOf : minuteOf(startMs)),
    during: isWhole ? null : barsQuery(symbol, { interval, from: date, ...session }, asOf),
  };
}

/**
 * The bars of a chart at an instant, in two answers: what was known before the session began, which every minute of it
 * shares, and the session so far. Nothing later than the instant is asked for.
 *
 * @param newestMs the newest minute of the stock; null until it is known
 */
export function useBars(
  symbol: string,
  interval: Interval,
  { handle, shown: asOf }: Instants,
  newestMs: number | null,
  isWanted = true,
): AskedBars {
  const isAsked = isWanted && (asOf !== undefined || newestMs !== null);
  const asked = barQueries(symbol, interval, asOf, asOf === undefined ? (newestMs ?? 0) : Date.parse(asOf));
  const isWhole = asked.during === null;
  const before = useQuery({ ...asked.before, enabled: isAsked });
  const during = useQuery({ ...(asked.during ?? asked.before), enabled: isAsked && !isWhole });
  const bars = useMemo(() => {
    // The earlier bars alone would be shown at their end, and the session would come out of view.
    const isOnTheWay =
      during.data === undefined || (during.isPlaceholderData && during.data.time.length === 0);
    const isHalf = !isWhole && isOnTheWay && during.error === null;
    if (before.data === undefined || isHalf) return null;
    const merged = joined(before.data, isWhole ? undefined : during.data);
    return handle === undefined || !isIntraday(interval) ? merged : upTo(merged, Date.parse(handle));
  }, [before.data, during.data, during.isPlaceholderData, during.error, isWhole, handle, interval]);
  const refetch = (): void => {
    void before.refetch();
    if (!isWhole) void during.refetch();
  };
  return { bars, error: before.error, refetch };
}

interface TimedBars extends ChartBars {
  /** Instants at which the bars begin. */
  readonly starts: readonly string[];
}

const columnsOf = ({ time, open, high, low, close, volume, early_closes }: Bars): TimedBars => ({
  time: time.map(barTime),
  starts: time,
  open,
  high,
  low,
  close,
  volume,
  earlyCloses: early_closes?.map(barTime) ?? [],
});

const COLUMNS = ['time', 'starts', 'open', 'high', 'low', 'close', 'volume'] as const;
type Column = readonly (number | string | null)[];

/** The bars with each column changed alike. */
const withColumns = (bars: TimedBars, change: (name: (typeof COLUMNS)[number]) => Column): TimedBars => ({
  ...bars,
  ...Object.fromEntries(COLUMNS.map((name) => [name, change(name)])),
});

/** Earlier bars with the session's behind them. */
export function joined(before: Bars, during: Bars | undefined): TimedBars {
  const earlier = columnsOf(before);
  if (during === undefined || during.time.length === 0) return earlier;
  const later = columnsOf(during);
  const kept = earlier.time.findIndex((time) => time >= later.time[0]!);
  const count = kept === -1 ? earlier.time.length : kept;
  return {
    ...withColumns(earlier, (name) => [...earlier[name].slice(0, count), ...later[name]]),
    earlyCloses: [...earlier.earlyCloses, ...later.earlyCloses],
  };
}

/** The bars that begin before an instant. */
export function upTo(bars: TimedBars, endMs: number): TimedBars {
  let count = bars.starts.length;
  while (count > 0 && Date.parse(bars.starts[count - 1]!) >= endMs) count--;
  if (count === bars.starts.length) return bars;
  return withColumns(bars, (name) => bars[name].slice(0, count));
}
