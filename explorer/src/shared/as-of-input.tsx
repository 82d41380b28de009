import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { marketQuery } from './api/queries.ts';
import { atMinute, dateOf, type Instant, minuteOf, minuteOfDay } from './instant.ts';
import { MinuteField } from './minute-field.tsx';

interface Props {
  readonly asOf: Instant;
  readonly onChange: (asOf: Instant) => void;
}

/** The instant of a page as date and minute in New York, and the way back to the newest one. */
export function AsOfInput({ asOf, onChange }: Props): ReactNode {
  const newest = useQuery(marketQuery(undefined)).data;
  if (newest === undefined) return null;
  const newestMs = Date.parse(newest.as_of);
  // A trade date lasts until the next pre-market; a trader knows it by its own day.
  const endMs = Date.parse(newest.clock.phases.at(-1)?.closes_at ?? newest.as_of);
  const shownMs = asOf === undefined ? Math.min(newestMs, endMs) : Date.parse(asOf);
  const go = (instant: number): void => onChange(instant >= newestMs ? undefined : minuteOf(instant));
  return (
    <fieldset className="as-of">
      <legend className="visually-hidden">Instant, New York</legend>
      <input
        type="date"
        aria-label="Date"
        max={dateOf(newestMs)}
        value={dateOf(shownMs)}
        onChange={({ target }) => {
          if (target.value !== '') go(atMinute(target.value, minuteOfDay(shownMs)));
        }}
      />
      <MinuteField date={dateOf(shownMs)} shownMs={shownMs} newestMs={newestMs} onInstant={go} />
      <button type="button" aria-pressed={asOf === undefined} onClick={() => onChange(undefined)}>
        {asOf === undefined ? 'newest' : 'go to newest'}
      </button>
    </fieldset>
  );
}
