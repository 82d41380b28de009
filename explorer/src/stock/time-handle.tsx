import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type AsOf, barsQuery } from '../shared/api/queries.ts';
import { instantAt, startOfDate } from '../shared/chart/wall-clock.ts';
import { clockOf, dateOf, dayOf, MINUTE_MS, minuteOf, noonOf } from '../shared/instant.ts';
import { useKeys } from '../shared/use-keys.ts';

/** Minutes of New York from which and to which a day is dragged over. */
const FIRST_MINUTE = 4 * 60;
const LAST_MINUTE = 20 * 60;
const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;
/** Daily bars from here on say which sessions are on the tape. */
const FIRST_DATE = '1990-01-01';
const SPEEDS = [1, 5, 15, 60] as const;

/** The instant of a minute of a day in New York. */
const instantOf = (date: string, minute: number): number =>
  instantAt((startOfDate(date) + minute * 60) as never);

const minuteOfDay = (instantMs: number): number => {
  const [hours, minutes] = clockOf(instantMs).split(':');
  return Number(hours) * 60 + Number(minutes);
};

interface Props {
  readonly symbol: string;
  readonly asOf: AsOf;
  /** The newest instant of the caller. */
  readonly newestMs: number;
  /** Whether the newest minute is shown beside the past one. */
  readonly isCompared: boolean;
  readonly change: (
    part: { as_of?: string | undefined; compare?: true | undefined },
    replace?: boolean,
  ) => void;
}

/** Any minute of any session: drag, step, play. Left of the newest minute everything is as it was then. */
export function TimeHandle({ symbol, asOf, newestMs, isCompared, change }: Props): ReactNode {
  const { data: daily } = useQuery(barsQuery(symbol, { interval: '1d', from: FIRST_DATE }, undefined));
  const shownMs = asOf === undefined ? newestMs : Math.min(Date.parse(asOf), newestMs);
  const date = dateOf(shownMs);
  const sessions = useMemo(() => {
    const known = daily?.time ?? [];
    const today = dateOf(newestMs);
    return known.at(-1) === today ? known : [...known, today];
  }, [daily, newestMs]);
  const [speed, setSpeed] = useState<number | null>(null);
  const [rate, setRate] = useState<number>(SPEEDS[0]);
  const isLive = asOf === undefined;

  const go = (instantMs: number, replace = true): void => {
    if (instantMs >= newestMs) change({ as_of: undefined }, replace);
    else change({ as_of: minuteOf(instantMs) }, replace);
  };
  const step = (minutes: number): void => {
    const next = shownMs + minutes * MINUTE_MS;
    const minute = minuteOfDay(next);
    if (minute < FIRST_MINUTE || dateOf(next) !== date)
      goSession(minutes < 0 ? -1 : 1, minutes < 0 ? LAST_MINUTE : FIRST_MINUTE);
    else if (minute > LAST_MINUTE) goSession(1, FIRST_MINUTE);
    else go(next);
  };
  /** Another session at the same minute, or at a given one. */
  const goSession = (by: number, minute = Math.max(minuteOfDay(shownMs), OPEN_MINUTE)): void => {
    const at = sessions.findIndex((session) => session >= date);
    const target =
      sessions[Math.min(Math.max((at === -1 ? sessions.length : at) + by, 0), sessions.length - 1)];
    if (target !== undefined) go(instantOf(target, minute), false);
  };

  const stepRef = useRef(step);
  stepRef.current = step;
  const isAtEnd = useRef(isLive);
  isAtEnd.current = isLive;
  useEffect(() => {
    if (speed === null) return;
    const timer = setInterval(() => {
      if (isAtEnd.current) setSpeed(null);
      else stepRef.current(1);
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [speed]);
  const togglePlay = (): void => setSpeed((playing) => (playing === null ? rate : null));

  useKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    'Shift+ArrowLeft': () => step(-15),
    'Shift+ArrowRight': () => step(15),
    '[': () => goSession(-1),
    ']': () => goSession(1),
    ' ': togglePlay,
    '.': () => change({ as_of: undefined }),
  });

  return (
    <section className="time-handle" aria-label="Time">
      <div className="steps">
        <button type="button" className="icon" aria-label="Previous session" onClick={() => goSession(-1)}>
          «
        </button>
        <button type="button" className="icon" aria-label="One minute back" onClick={() => step(-1)}>
          ‹
        </button>
        <button
          type="button"
          className="icon"
          aria-label={speed === null ? 'Play' : 'Pause'}
          onClick={togglePlay}
        >
          {speed === null ? '▶' : '❚❚'}
        </button>
        <button type="button" className="icon" aria-label="One minute forward" onClick={() => step(1)}>
          ›
        </button>
        <button type="button" className="icon" aria-label="Next session" onClick={() => goSession(1)}>
          »
        </button>
        <select
          aria-label="Minutes a second"
          value={rate}
          onChange={({ target }) => {
            setRate(Number(target.value));
            if (speed !== null) setSpeed(Number(target.value));
          }}
        >
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </div>
      <MinuteTrack
        date={date}
        shownMs={shownMs}
        newestMs={newestMs}
        onMinute={(minute) => go(instantOf(date, minute))}
      />
      <div className="moment">
        <label>
          <span className="visually-hidden">Session</span>
          <input
            type="date"
            value={date}
            min={sessions[0]}
            max={dateOf(newestMs)}
            onChange={({ target }) => {
              if (target.value !== '')
                go(instantOf(target.value, Math.max(minuteOfDay(shownMs), OPEN_MINUTE)), false);
            }}
          />
        </label>
        <output>{clockOf(shownMs)} ET</output>
        {isLive ? null : (
          <button
            type="button"
            className="switch"
            aria-pressed={isCompared}
            data-tip="Then against now: ledgers of the newest minute beside those of this one."
            onClick={() => change({ compare: isCompared ? undefined : true }, true)}
          >
            vs now
          </button>
        )}
        <button
          type="button"
          className="live"
          aria-pressed={isLive}
          onClick={() => change({ as_of: undefined })}
        >
          {isLive ? 'live' : 'go live'}
        </button>
      </div>
    </section>
  );
}

interface TrackProps {
  readonly date: string;
  readonly shownMs: number;
  readonly newestMs: number;
  readonly onMinute: (minute: number) => void;
}

/** A slider over the minutes of a day, with the regular session marked and the newest minute as a line. */
function MinuteTrack({ date, shownMs, newestMs, onMinute }: TrackProps): ReactNode {
  const track = useRef<HTMLDivElement>(null);
  const share = (minute: number): string =>
    `${((minute - FIRST_MINUTE) / (LAST_MINUTE - FIRST_MINUTE)) * 100}%`;
  const shownMinute = Math.min(Math.max(minuteOfDay(shownMs), FIRST_MINUTE), LAST_MINUTE);
  const isNewest = dateOf(newestMs) === date;
  const newestMinute = isNewest ? Math.min(minuteOfDay(newestMs), LAST_MINUTE) : LAST_MINUTE;
  const minuteAt = ({ clientX }: PointerEvent): number => {
    const box = track.current!.getBoundingClientRect();
    const at = Math.min(Math.max((clientX - box.left) / box.width, 0), 1);
    return Math.min(Math.round(FIRST_MINUTE + at * (LAST_MINUTE - FIRST_MINUTE)), newestMinute);
  };
  return (
    <div
      ref={track}
      className="track"
      role="slider"
      tabIndex={0}
      aria-label="Minute of the session"
      aria-valuemin={FIRST_MINUTE}
      aria-valuemax={newestMinute}
      aria-valuenow={shownMinute}
      aria-valuetext={`${dayOf(noonOf(date))}, ${clockOf(shownMs)} ET`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onMinute(minuteAt(event));
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMinute(minuteAt(event));
      }}
    >
      <span
        className="regular"
        style={{ left: share(OPEN_MINUTE), right: `calc(100% - ${share(CLOSE_MINUTE)})` }}
      />
      {isNewest ? <span className="newest" style={{ left: share(newestMinute) }} /> : null}
      <span className="thumb" style={{ left: share(shownMinute) }} />
      {[FIRST_MINUTE, OPEN_MINUTE, 12 * 60, CLOSE_MINUTE, LAST_MINUTE].map((minute) => (
        <small key={minute} style={{ left: share(minute) }}>
          {`${Math.floor(minute / 60)}:${`${minute % 60}`.padStart(2, '0')}`}
        </small>
      ))}
    </div>
  );
}
