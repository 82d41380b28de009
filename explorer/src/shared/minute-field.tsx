import { type ReactNode, useRef, useState } from 'react';
import { atMinute, clockOf, FIRST_MINUTE, LAST_MINUTE, readClock } from './instant.ts';
import { useKeys } from './use-keys.ts';

interface Props {
  readonly date: string;
  readonly shownMs: number;
  readonly newestMs: number;
  readonly onInstant: (instantMs: number) => void;
}

/** The minute that is shown, and any other by typing it: `10:17` and Enter. */
export function MinuteField({ date, shownMs, newestMs, onInstant }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  useKeys({
    m: () => {
      input.current!.focus();
      input.current!.select();
    },
  });
  /** Goes where the words lead, or says why they lead nowhere. */
  const commit = (): boolean => {
    if (typed === null) return true;
    const minute = readClock(typed);
    const instant = minute === null ? Number.NaN : atMinute(date, minute);
    const fault =
      minute === null || minute < FIRST_MINUTE || minute > LAST_MINUTE
        ? 'Write a minute from 4:00 to 20:00 in New York, such as 10:17 or 3:05 pm.'
        : instant > newestMs
          ? `The newest minute that can be shown is ${clockOf(newestMs)}.`
          : '';
    input.current!.setCustomValidity(fault);
    if (!input.current!.reportValidity()) return false;
    setTyped(null);
    onInstant(instant);
    return true;
  };
  return (
    <label className="minute">
      <input
        ref={input}
        aria-label="Minute in New York"
        data-tip="Type a minute, such as 10:17, and press Enter"
        autoComplete="off"
        inputMode="text"
        value={typed ?? clockOf(shownMs)}
        onChange={({ target }) => {
          target.setCustomValidity('');
          setTyped(target.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter' && commit()) currentTarget.blur();
          if (key === 'Escape') {
            currentTarget.setCustomValidity('');
            setTyped(null);
          }
        }}
        onBlur={() => {
          if (!input.current!.validity.customError) commit();
        }}
      />{' '}
      ET
    </label>
  );
}
