import { type ReactNode, useState } from 'react';
import type { Stock } from '../shared/api/queries.ts';
import { setupId } from '../shared/causes.ts';
import type { Instant } from '../shared/instant.ts';
import { usePlaybookRecord } from '../shared/records.ts';
import { selects, useSelection } from '../shared/selection.tsx';
import { ABSENT } from '../shared/sentences.ts';
import { Direction } from '../shared/ui/direction.tsx';
import { NamedNum, Num } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Missing } from '../shared/ui/states.tsx';
import { conditionSentence } from './condition-words.ts';

type Match = NonNullable<Stock['strategies']>[number];

interface PlaybooksProps {
  readonly stock: Stock;
  readonly asOf: Instant;
  readonly isFull?: boolean;
}

/**
 * Playbooks that match the state of the stock, best first, with entry, stop, target and R, and what they conflict with.
 * The chart draws the one that is pointed at; a click keeps it there and says why it matches.
 */
export function Playbooks({ stock, asOf, isFull = false }: PlaybooksProps): ReactNode {
  const selection = useSelection();
  const [opened, setOpened] = useState<string | null>(null);
  const recordOf = usePlaybookRecord(asOf);
  const matches = stock.strategies ?? [];
  const nameOf = (key: string): string => matches.find(({ strategy }) => strategy === key)?.name ?? key;
  return (
    <Panel
      label="Playbooks"
      className="playbooks"
      small={matches.length === 0 ? undefined : 'point at one: the chart draws it'}
    >
      {matches.length === 0 ? (
        <Missing reason={ABSENT.playbooks} />
      ) : (
        <ul>
          {(isFull ? matches : matches.slice(0, 3)).map((match) => {
            const { onFocus, onBlur, ...pointing } = selects(selection, [setupId(match.strategy)]);
            return (
              <li key={match.strategy} {...pointing}>
                <p className="name">
                  <Direction of={match.direction} />{' '}
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
                {match.trigger === null && match.direction === 'neutral' ? (
                  <p className="met">{ABSENT.entry}</p>
                ) : (
                  <Prices match={match} />
                )}
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
    </Panel>
  );
}

/** Entry, stop, target and what is to be won for what is risked. */
function Prices({ match }: { readonly match: Match }): ReactNode {
  return (
    <dl className="inline">
      {(
        [
          ['entry', match.trigger, 'price', 'Entry', 'USD'],
          ['stop', match.stop, 'price', 'Stop', 'USD'],
          ['target', match.target, 'price', 'Target', 'USD'],
          ['R', match.rr_ratio, 'ratio', 'Reward over risk from the entry', ''],
          ['R now', match.r_now, 'ratio', 'Reward over risk from the last price', ''],
        ] as const
      ).map(([name, value, shape, label, unit]) => (
        <NamedNum key={name} title={name} value={value} shape={shape} label={label} unit={unit} />
      ))}
    </dl>
  );
}
