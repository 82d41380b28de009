import { type ReactNode, useState } from 'react';
import type { Stock } from '../shared/api/queries.ts';
import { setupId } from '../shared/causes.ts';
import type { Instant } from '../shared/instant.ts';
import { usePlaybookRecord } from '../shared/records.ts';
import { selects, useSelection } from '../shared/selection.tsx';
import { ABSENT } from '../shared/sentences.ts';
import { Num } from '../shared/ui/number.tsx';
import { Missing } from '../shared/ui/states.tsx';
import { conditionSentence } from './condition-words.ts';

/**
 * Playbooks that match the state of the stock, best first, with entry, stop, target and R, and what they conflict with.
 * The chart draws the one that is pointed at; a click keeps it there and says why it matches.
 */
export function Playbooks({
  stock,
  asOf,
  isFull = false,
}: {
  readonly stock: Stock;
  readonly asOf: Instant;
  readonly isFull?: boolean;
}): ReactNode {
  const selection = useSelection();
  const [opened, setOpened] = useState<string | null>(null);
  const recordOf = usePlaybookRecord(asOf);
  const matches = stock.strategies ?? [];
  const nameOf = (key: string): string => matches.find(({ strategy }) => strategy === key)?.name ?? key;
  return (
    <section className="panel playbooks" aria-label="Playbooks">
      <h2>Playbooks {matches.length === 0 ? null : <small>point at one: the chart draws it</small>}</h2>
      {matches.length === 0 ? (
        <Missing reason={ABSENT.playbooks} />
      ) : (
        <ul>
          {(isFull ? matches : matches.slice(0, 3)).map((match) => {
            const { onFocus, onBlur, ...pointing } = selects(selection, [setupId(match.strategy)]);
            return (
              <li key={match.strategy} {...pointing}>
                <p className="name">
                  <span className={match.direction === 'bullish' ? 'up' : 'down'}>
                    {match.direction === 'bullish' ? '▲' : '▼'}
                  </span>{' '}
                  <button
                    type="button"
                    className="plain"
                    data-tip={recordOf(match.strategy).join('\n') || undefined}
                    onFocus={onFocus}
                    onBlur={onBlur}
                    aria-expanded={isFull ? undefined : opened === match.strategy}
                    onClick={() => {
                      selection.keep([setupId(match.strategy)]);
                      setOpened(opened === match.strategy ? null : match.strategy);
                    }}
                  >
                    {match.name}
                  </button>{' '}
                  <Num
                    value={match.match_score}
                    shape="integer"
                    label="Share of the conditions that hold"
                    unit="of 100"
                  />
                </p>
                <dl className="inline">
                  <dt>entry</dt>
                  <dd>
                    <Num value={match.trigger} shape="price" label="Entry" unit="USD" />
                  </dd>
                  <dt>stop</dt>
                  <dd>
                    <Num value={match.stop} shape="price" label="Stop" unit="USD" />
                  </dd>
                  <dt>target</dt>
                  <dd>
                    <Num value={match.target} shape="price" label="Target" unit="USD" />
                  </dd>
                  <dt>R</dt>
                  <dd>
                    <Num value={match.rr_ratio} shape="ratio" label="Reward over risk from the entry" />
                  </dd>
                  <dt>R now</dt>
                  <dd>
                    <Num value={match.r_now} shape="ratio" label="Reward over risk from the last price" />
                  </dd>
                </dl>
                {match.opposed_by.length === 0 ? null : (
                  <p className="note">⚠ Conflicts with {match.opposed_by.map(nameOf).join(', ')}</p>
                )}
                {isFull || opened === match.strategy ? (
                  <>
                    <p className="met">{conditionSentence(match)}</p>
                    <p className="rationale">{match.rationale}</p>
                    {recordOf(match.strategy).map((words) => (
                      <p key={words} className="note">
                        {words}
                      </p>
                    ))}
                  </>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
