import type { ReactNode } from 'react';
import type { MarketContext } from '../shared/api/queries.ts';
import { clockOf, dayOf, noonOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';

const HOUR_MS = 3_600_000;

/** The day of the exchange as a band of its phases with the present minute, and what ends it. */
export function SessionBand({ clock }: { readonly clock: MarketContext['clock'] }): ReactNode {
  const { phases, next_bell: bell, next_departure: departure } = clock;
  const from = Date.parse(phases[0]?.opens_at ?? clock.at);
  const to = Date.parse(phases.at(-1)?.closes_at ?? clock.at);
  const share = (instant: number): number => ((instant - from) / Math.max(to - from, HOUR_MS)) * 100;
  const at = Date.parse(clock.at);
  return (
    <section className="session-band" aria-label="Session">
      <p>
        <b>{clock.closed_for === null ? inWords(clock.phase) : `Closed: ${clock.closed_for}`}</b>
        {bell === null
          ? ''
          : ` · ${bell.kind} in ${hoursOf(bell.minutes)} (${clockOf(Date.parse(bell.at))} ET)`}
        {clock.early_close ? ' · early close' : ''}
        {departure === null
          ? ''
          : ` · ${inWords(departure.kind).toLowerCase()} on ${dayOf(noonOf(departure.date))}, ${departure.reason}`}
      </p>
      {phases.length === 0 ? null : (
        <div className="band" aria-hidden="true">
          {phases.map(({ phase, opens_at, closes_at }) => (
            <span
              key={phase}
              className={phase}
              style={{
                left: `${share(Date.parse(opens_at))}%`,
                width: `${share(Date.parse(closes_at)) - share(Date.parse(opens_at))}%`,
              }}
            >
              {inWords(phase)}
            </span>
          ))}
          {at < from || at > to ? null : <i style={{ left: `${share(at)}%` }} />}
        </div>
      )}
    </section>
  );
}

const hoursOf = (minutes: number): string =>
  minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
