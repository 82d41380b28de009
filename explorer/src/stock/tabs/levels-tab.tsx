import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { familyWords, fullName, labelOf } from '../../shared/levels.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { ScrollX } from '../../shared/ui/scroll-x.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { useLevelToday } from '../use-level-today.ts';

/** Every level by its distance from the price, with what became of it in the session. */
export function LevelsTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const today = useLevelToday(stock, asOf);
  const selection = useSelection();
  const ladder = stock.level_ladder;
  if (ladder === null || ladder === undefined || ladder.levels.length === 0) {
    return <Missing reason="No level of this stock is known at this minute." height={120} />;
  }
  const sorted = ladder.levels.toSorted((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  return (
    <ScrollX className="levels-tab">
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
            <tr key={`${level.name} ${level.price}`} {...selects(selection, [level.name])}>
              <th scope="row">
                <button
                  type="button"
                  className="plain"
                  data-tip={fullName(level.name)}
                  onClick={() => selection.keep([level.name])}
                >
                  {labelOf(level.name)}
                </button>
              </th>
              <td>{familyWords(level.family)}</td>
              <td>{formatPrice(level.price)}</td>
              <td>{level.distance_atr === null ? '–' : formatNumber(level.distance_atr, 2, 'exceptZero')}</td>
              <td>{today(level)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
