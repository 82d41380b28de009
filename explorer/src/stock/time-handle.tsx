import { type PointerEvent, type ReactNode, useRef } from 'react';
import type { MarketContext } from '../shared/api/queries.ts';
import {
  atMinute,
  clockOf,
  dateOf,
  dayOf,
  FIRST_MINUTE,
  type Instant,
  LAST_MINUTE,
  minuteOfDay,
  noonOf,
} from '../shared/instant.ts';
import { MinuteField } from '../shared/minute-field.tsx';
import { Select } from '../shared/ui/choices.tsx';
import { CopyLink } from './copy-link.tsx';
import type { Standpoint } from './standpoint.ts';
import { type Change, closeMinuteOf, OPEN_MINUTE, SPEEDS, useTimeHandle } from './use-time-handle.ts';

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly standpoint: Standpoint;
  readonly market: MarketContext | undefined;
  /** Whether the newest minute is shown beside the past one; absent where it cannot be. */
  readonly isCompared?: boolean;
  readonly change: Change;
}

/** Any minute of any session: drag, step, play. Left of the newest minute everything is as it was then. */
export function TimeHandle({ symbol, asOf, standpoint, market, isCompared, change }: Props): ReactNode {
  const { shownMs, newestMs, isLive } = standpoint;
  const { date, firstDate, isNewest, go, step, goSession, speed, rate, setRate, togglePlay } = useTimeHandle(
    symbol,
    asOf,
    standpoint,
    change,
  );
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
        <Select
          label="Minutes a second"
          options={Object.fromEntries(SPEEDS.map((one) => [one, `${one}×`]))}
          value={`${rate}`}
          onChange={(one) => setRate(Number(one))}
        />
      </div>
      <MinuteTrack
        date={date}
        shownMs={shownMs}
        newestMs={newestMs}
        closeMinute={closeMinuteOf(market, date)}
        onMinute={(minute) => go(atMinute(date, minute))}
      />
      <div className="row moment">
        <label>
          <span className="visually-hidden">Session</span>
          <input
            type="date"
            value={date}
            min={firstDate}
            max={dateOf(newestMs)}
            onChange={({ target }) => {
              if (target.value !== '')
                go(atMinute(target.value, Math.max(minuteOfDay(shownMs), OPEN_MINUTE)), false);
            }}
          />
        </label>
        <MinuteField date={date} shownMs={shownMs} newestMs={newestMs} onInstant={go} />
        <CopyLink shownMs={shownMs} onPin={(as_of) => change({ as_of }, true)} />
        {isNewest || isCompared === undefined ? null : (
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
          className={isLive ? 'live' : undefined}
          aria-pressed={isNewest}
          onClick={() => change({ as_of: undefined })}
        >
          {isLive ? 'live' : 'newest'}
        </button>
      </div>
    </section>
  );
}

interface TrackProps {
  readonly date: string;
  readonly shownMs: number;
  readonly newestMs: number;
  readonly closeMinute: number;
  readonly onMinute: (minute: number) => void;
}

/** A slider over the minutes of a day, with the regular session marked and the newest minute as a line. */
function MinuteTrack({ date, shownMs, newestMs, closeMinute, onMinute }: TrackProps): ReactNode {
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
        style={{ left: share(OPEN_MINUTE), right: `calc(100% - ${share(closeMinute)})` }}
      />
      {isNewest ? <span className="newest" style={{ left: share(newestMinute) }} /> : null}
      <span className="thumb" style={{ left: share(shownMinute) }} />
      {[FIRST_MINUTE, OPEN_MINUTE, Math.min(12 * 60, closeMinute - 120), closeMinute, LAST_MINUTE].map(
        (minute) => (
          <small key={minute} style={{ left: share(minute) }}>
            {`${Math.floor(minute / 60)}:${`${minute % 60}`.padStart(2, '0')}`}
          </small>
        ),
      )}
    </div>
  );
}
