import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { barsQuery, type Level, type Stock } from '../../shared/api/queries.ts';
import { clockOf, type Instant } from '../../shared/instant.ts';
import { familyWords, fullName, labelOf } from '../../shared/levels.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { levelToday, type SessionBars } from '../level-today.ts';

/** Levels that move with the session: whether they held is no question of one price. */
const MOVING = new Set(['vwap', 'developing_profile', 'moving_average', 'opening']);

/** Every level by its distance from the price, with what became of it in the session. */
export function LevelsTab({
  symbol,
  stock,
  asOf,
}: {
  readonly symbol: string;
  readonly stock: Stock;
  readonly asOf: Instant;
}): ReactNode {
  const date = stock.price?.trade_date;
  const range = { interval: '1m', from: date ?? '', session: 'regular' } as const;
  const asked = useQuery({ ...barsQuery(symbol, range, asOf), enabled: date !== undefined && date !== null });
  const selection = useSelection();
  const ladder = stock.level_ladder;
  if (ladder === null || ladder === undefined || ladder.levels.length === 0) {
    return <Missing reason="No level of this stock is known at this minute." height={120} />;
  }
  const sorted = ladder.levels.toSorted((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keys
    <div className="scroll-x levels-tab" tabIndex={0}>
      <table>
        <caption className="visually-hidden">Levels by distance</caption>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Kind</th>
            <th scope="col">Price</th>
            <th scope="col">Away, ATR</th>
            <th scope="col">This session</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((level) => (
            <tr key={level.name} {...selects(selection, [level.name])}>
              <th scope="row" data-tip={fullName(level.name)}>
                {labelOf(level.name)}
              </th>
              <td>{familyWords(level.family)}</td>
              <td>{formatPrice(level.price)}</td>
              <td>{level.distance_atr === null ? '–' : formatNumber(level.distance_atr, 2, 'exceptZero')}</td>
              <td>{todayWords(level, ladder.atr, asked.data)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `held, touched 10:12`. */
function todayWords({ family, price }: Level, atr: number | null, bars: SessionBars | undefined): string {
  if (MOVING.has(family)) return 'moves';
  if (atr === null || bars === undefined) return '–';
  if (bars.time.length === 0) return 'no minute bars';
  const { state, touchedAt, decidedAt } = levelToday(price, atr, bars);
  const at = decidedAt ?? touchedAt;
  return at === null ? state : `${state} ${clockOf(Date.parse(at))}`;
}
