import type { ReactNode } from 'react';
import { phaseWords } from '../shared/age.ts';
import type { MarketContext } from '../shared/api/queries.ts';
import { dayOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { nextWords, stateWords } from './session-words.ts';

const HOUR_MS = 3_600_000;

/** The day of the exchange as a band of its phases with the present minute, and what ends it. */
export function SessionBand({ clock }: { readonly clock: MarketContext['clock'] }): ReactNode {
  const { phases } = clock;
  const from = Date.parse(phases[0]?.opens_at ?? clock.at);
  const to = Date.parse(phases.at(-1)?.closes_at ?? clock.at);
  const share = (instant: number): number => ((instant - from) / Math.max(to - from, HOUR_MS)) * 100;
  const at = Date.parse(clock.at);
  return (
    <section className="session-band" aria-label="Session">
      <p>
        {dayOf(at)} · <b>{stateWords(clock)}</b>
        {nextWords(clock).map((words) => ` · ${words}`)}
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
              {phase === 'regular' ? 'Regular' : inWords(phaseWords(phase))}
            </span>
          ))}
          {at < from || at > to ? null : <i style={{ left: `${share(at)}%` }} />}
        </div>
      )}
    </section>
  );
}
