import { phaseWords } from '../shared/age.ts';
import type { MarketContext } from '../shared/api/queries.ts';
import { clockOf, dateOf, dayOf, noonOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';

/** `Market open`, or `Closed: Thanksgiving Day`. */
export const stateWords = ({ closed_for, phase }: MarketContext['clock']): string =>
  closed_for === null ? inWords(phaseWords(phase)) : `Closed: ${closed_for}`;

/** What comes next, each part on its own: the bell, an early close, the next day that is no full session. */
export function nextWords(clock: MarketContext['clock']): readonly string[] {
  const { at, next_bell: bell, next_departure: departure } = clock;
  const now = Date.parse(at);
  return [
    ...(bell === null ? [] : [bellWords(bell, now)]),
    ...earlyWords(clock, now),
    ...(departure === null
      ? []
      : [
          `${inWords(departure.kind).toLowerCase()} on ${dayOf(noonOf(departure.date))}, ${departure.reason}`,
        ]),
  ];
}

/** Minutes to a bell of the day, the day of any other. */
function bellWords(
  { kind, at, minutes }: NonNullable<MarketContext['clock']['next_bell']>,
  now: number,
): string {
  const instant = Date.parse(at);
  if (dateOf(instant) === dateOf(now)) return `${kind}s in ${hoursOf(minutes)} (${clockOf(instant)} ET)`;
  return `${kind}s ${dayOf(instant)}, ${clockOf(instant)} ET`;
}

/** Of the session of the day alone: on the weekend after a half day nothing closes early. */
function earlyWords(
  { early_close, trade_date, phases }: MarketContext['clock'],
  now: number,
): readonly string[] {
  const close = phases.find(({ phase }) => phase === 'regular')?.closes_at;
  if (!early_close || close === undefined || trade_date !== dateOf(now)) return [];
  return [now < Date.parse(close) ? 'early close' : `closed early at ${clockOf(Date.parse(close))} ET`];
}

function hoursOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours === 0 ? [] : [`${hours} h`]), ...(rest === 0 && hours > 0 ? [] : [`${rest} min`])].join(
    ' ',
  );
}
