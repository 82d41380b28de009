import { type ReactNode, useState } from 'react';
import { type AlertReceiver, keepReceiver } from '../shared/api/queries.ts';
import { Select } from '../shared/ui/choices.tsx';
import { Refused } from '../shared/ui/states.tsx';
import { useChange } from './use-change.ts';

interface Props {
  readonly receiver: AlertReceiver;
  readonly onDone: () => void;
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([HERE, 'America/New_York', 'UTC', ...Intl.supportedValuesOf('timeZone')])];
const NIGHT = { from: '22:00', to: '07:00', time_zone: HERE };

/** In which hours a receiver is sent nothing, and how much on a day. */
export function ReceiverForm({ receiver, onDone }: Props): ReactNode {
  const { id, channel, address } = receiver;
  const [isQuiet, setIsQuiet] = useState(receiver.quiet !== null);
  const [quiet, setQuiet] = useState(receiver.quiet ?? NIGHT);
  const [perDay, setPerDay] = useState(receiver.per_day);
  const keep = useChange(async () => {
    await keepReceiver({ id, channel, address, per_day: perDay, ...(isQuiet && { quiet }) });
    onDone();
  });
  return (
    <form
      className="row receiver-form"
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate(undefined);
      }}
    >
      <label>
        <input type="checkbox" checked={isQuiet} onChange={({ target }) => setIsQuiet(target.checked)} />{' '}
        quiet hours
      </label>
      <fieldset disabled={!isQuiet} aria-label="Quiet hours">
        {(['from', 'to'] as const).map((end) => (
          <label key={end}>
            {end}{' '}
            <input
              type="time"
              required
              value={quiet[end]}
              onChange={({ target }) => setQuiet({ ...quiet, [end]: target.value })}
            />
          </label>
        ))}
        <Select
          label="Time zone"
          options={ZONES.includes(quiet.time_zone) ? ZONES : [quiet.time_zone, ...ZONES]}
          value={quiet.time_zone}
          onChange={(time_zone) => setQuiet({ ...quiet, time_zone })}
        />
      </fieldset>
      <label>
        at most{' '}
        <input
          type="number"
          required
          min={1}
          max={1000}
          value={perDay || ''}
          onChange={({ target }) => setPerDay(target.valueAsNumber)}
        />{' '}
        a day
      </label>
      <button type="submit" disabled={keep.isPending}>
        Save
      </button>
      {keep.error === null ? null : <Refused error={keep.error} />}
    </form>
  );
}
