import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { barsQuery, type MarketContext } from '../shared/api/queries.ts';
import {
  atMinute,
  dateOf,
  FIRST_MINUTE,
  type Instant,
  LAST_MINUTE,
  MINUTE_MS,
  minuteOf,
  minuteOfDay,
} from '../shared/instant.ts';
import { useKeys } from '../shared/use-keys.ts';
import type { Standpoint } from './standpoint.ts';

export const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;
/** Minutes a second. */
export const SPEEDS = [1, 5, 15, 60] as const;
/** Daily bars from here on say which sessions are on the tape. */
const FIRST_DATE = '1990-01-01';

export type Change = (
  part: { as_of?: string | undefined; compare?: true | undefined },
  replace?: boolean,
) => void;

/** The minute at which the regular session of a day ends: earlier than usual where the answer of its market says so. */
export function closeMinuteOf(market: Pick<MarketContext, 'clock'> | undefined, date: string): number {
  const close = market?.clock.phases.find(({ phase }) => phase === 'regular')?.closes_at;
  return close !== undefined && market?.clock.trade_date === date
    ? minuteOfDay(Date.parse(close))
    : CLOSE_MINUTE;
}

/** The sessions of a stock, the newest day among them, as dates. */
function useSessions(symbol: string, newestMs: number): readonly string[] {
  const { data: daily } = useQuery(barsQuery(symbol, { interval: '1d', from: FIRST_DATE }, undefined));
  return useMemo(() => {
    const known = daily?.time ?? [];
    const today = dateOf(newestMs);
    return known.at(-1) === today ? known : [...known, today];
  }, [daily, newestMs]);
}

/** Plays minute by minute until the newest is reached. */
function usePlaying(isNewest: boolean, next: () => void) {
  const [speed, setSpeed] = useState<number | null>(null);
  const [rate, setRate] = useState<number>(SPEEDS[0]);
  const now = useRef({ isNewest, next });
  now.current = { isNewest, next };
  useEffect(() => {
    if (speed === null) return;
    const timer = setInterval(() => {
      if (now.current.isNewest) setSpeed(null);
      else now.current.next();
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [speed]);
  return {
    speed,
    rate,
    setRate: (chosen: number): void => {
      setRate(chosen);
      if (speed !== null) setSpeed(chosen);
    },
    togglePlay: (): void => setSpeed((playing) => (playing === null ? rate : null)),
  };
}

/** Moves over the minutes and sessions of a stock, by calls and by keys. */
export function useTimeHandle(
  symbol: string,
  asOf: Instant,
  { shownMs, newestMs }: Standpoint,
  change: Change,
) {
  const isNewest = asOf === undefined;
  const date = dateOf(shownMs);
  const sessions = useSessions(symbol, newestMs);

  const go = (instantMs: number, replace = true): void =>
    change({ as_of: instantMs >= newestMs ? undefined : minuteOf(instantMs) }, replace);
  /** Another session at the same minute, or at a given one. */
  const goSession = (by: number, minute = Math.max(minuteOfDay(shownMs), OPEN_MINUTE)): void => {
    const at = sessions.findIndex((session) => session >= date);
    const target =
      sessions[Math.min(Math.max((at === -1 ? sessions.length : at) + by, 0), sessions.length - 1)];
    if (target !== undefined) go(atMinute(target, minute), false);
  };
  const step = (minutes: number): void => {
    const next = shownMs + minutes * MINUTE_MS;
    const minute = minuteOfDay(next);
    if (minute < FIRST_MINUTE || dateOf(next) !== date)
      goSession(minutes < 0 ? -1 : 1, minutes < 0 ? LAST_MINUTE : FIRST_MINUTE);
    else if (minute > LAST_MINUTE) goSession(1, FIRST_MINUTE);
    else go(next);
  };
  const playing = usePlaying(isNewest, () => step(1));
  useKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    'Shift+ArrowLeft': () => step(-15),
    'Shift+ArrowRight': () => step(15),
    '[': () => goSession(-1),
    ']': () => goSession(1),
    ' ': playing.togglePlay,
    '.': () => change({ as_of: undefined }),
  });
  return { date, firstDate: sessions[0], isNewest, go, step, goSession, ...playing };
}
