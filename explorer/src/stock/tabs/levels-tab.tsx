import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { exposureQuery, type Stock } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { familyWords, fullName, labelOf, optionLevels } from '../../shared/levels.ts';
import { useLevelRecord } from '../../shared/records.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { ScrollX } from '../../shared/ui/scroll-x.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { hasChain } from '../has-chain.ts';
import { levelToday } from '../level-today.ts';

/** Every level by its distance from the price, with what became of it in the session. */
export function LevelsTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const record = useLevelRecord(asOf);
  const selection = useSelection();
  const { data: exposure } = useQuery({
    ...exposureQuery(stock.symbol, asOf),
    enabled: hasChain(stock),
  });
  const { level_ladder: ladder, last_price: last } = stock;
  if (ladder === null || ladder === undefined || ladder.levels.length === 0) {
    return <Missing reason={ABSENT.levels} height={120} />;
  }
  const away = (price: number): number => price - (last ?? Number.NaN);
  const sorted = [
    ...ladder.levels.map((level) => ({ ...level, today: levelToday(level) })),
    ...optionLevels(exposure).map((level) => ({ ...level, today: level.of ?? '–' })),
  ].toSorted((a, b) => Math.abs(away(a.price)) - Math.abs(away(b.price)));
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
                  data-tip={[fullName(level.name), ...record(level)].join('\n')}
                  onClick={() => selection.keep([level.name])}
                >
                  {labelOf(level.name)}
                </button>
              </th>
              <td>{familyWords(level.family)}</td>
              <td>{formatPrice(level.price)}</td>
              <td>
                {ladder.atr === null ? '–' : formatNumber(away(level.price) / ladder.atr, 2, 'exceptZero')}
              </td>
              <td>{level.today}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
