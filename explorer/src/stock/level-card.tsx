import { type ReactNode, useEffect, useRef } from 'react';
import { AlertButton } from '../shared/alerts/alert-button.tsx';
import { choicesOfLevel } from '../shared/alerts/choices.ts';
import type { Stock } from '../shared/api/queries.ts';
import type { DrawnLevel } from '../shared/chart/overlay-content.ts';
import type { Instant } from '../shared/instant.ts';
import { fullName } from '../shared/levels.ts';
import { useLevelRecord } from '../shared/records.ts';
import { selects, useSelection } from '../shared/selection.tsx';
import { formatPrice } from '../shared/ui/number.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { levelToday } from './level-today.ts';
import type { OpenLabel } from './use-chart-selection.ts';

const GAP_PX = 12;

interface Props {
  readonly label: OpenLabel;
  readonly stock: Stock;
  readonly asOf: Instant;
  readonly onClose: () => void;
}

/** The levels of a label with their whole names, above or below it so that the label stays in view. */
export function LevelCard({ label: { box, isKept }, stock, asOf, onClose }: Props): ReactNode {
  const card = useRef<HTMLElement>(null);
  const selection = useSelection();
  useKeys({ Escape: onClose });
  const record = useLevelRecord(asOf);
  const isSeen = stock.level_ladder?.levels.some(({ state }) => state !== null) ?? false;
  const rungOf = ({ name, price }: DrawnLevel) =>
    stock.level_ladder?.levels.find((level) => level.name === name && level.price === price);
  useEffect(() => {
    const { current } = card;
    const height = current!.parentElement!.clientHeight;
    if (box.y > height / 2) current!.style.bottom = `${height - box.y + GAP_PX}px`;
    else current!.style.top = `${box.y + GAP_PX}px`;
    if (isKept) current!.focus();
  }, [box, isKept]);
  return (
    <section
      ref={card}
      className="level-card"
      data-kept={isKept || undefined}
      tabIndex={-1}
      aria-label="Levels of this label"
    >
      <ul>
        {box.levels
          .toSorted((a, b) => b.price - a.price)
          .map((level) => [level, rungOf(level)] as const)
          .map(([level, rung]) => (
            <li key={`${level.name} ${level.price}`}>
              <button
                type="button"
                disabled={!isKept}
                {...selects(selection, [level.name])}
                onClick={() => selection.keep([level.name])}
              >
                <b>{level.label}</b> <span className="num">{formatPrice(level.price)}</span>{' '}
                <small>{rung === undefined ? null : levelToday(rung, isSeen)}</small>
                <span className="full">{fullName(level.name)}</span>
                {record({ name: level.name, family: rung?.family ?? '' }).map((words) => (
                  <span key={words} className="full">
                    {words}
                  </span>
                ))}
              </button>
              {isKept ? (
                <AlertButton
                  of={level.label}
                  draft={() => choicesOfLevel(stock.symbol, level.name, level.price)}
                />
              ) : null}
            </li>
          ))}
      </ul>
      {isKept ? (
        <button type="button" className="icon close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      ) : null}
    </section>
  );
}
