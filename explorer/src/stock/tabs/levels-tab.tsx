import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { exposureQuery, type Stock } from '../../shared/api/queries.ts';
import { chainDay, countedFrom } from '../../shared/chain-age.ts';
import type { Instant } from '../../shared/instant.ts';
import { familyWords, fullName, labelOf, optionLevels } from '../../shared/levels.ts';
import { useLevelRecord } from '../../shared/records.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { hasChain } from '../has-chain.ts';
import { levelToday } from '../level-today.ts';

/** The levels above the price and those below it, nearest first, with what became of them in the session. */
export function LevelsTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const { data: exposure } = useQuery({
    ...exposureQuery(stock.symbol, asOf),
    select: (answer) => countedFrom(answer, stock),
    enabled: hasChain(stock),
  });
  const { level_ladder: ladder, last_price: last } = stock;
  if (ladder === null || ladder === undefined || ladder.levels.length === 0) {
    return <Missing reason={ABSENT.levels} height={120} />;
  }
  const price = ladder.last_price ?? last ?? Number.NaN;
  const isSeen = ladder.levels.some(({ state }) => state !== null);
  const rungs: Rung[] = [
    ...ladder.levels.map((level) => ({ ...level, today: levelToday(level, isSeen) })),
    ...optionLevels(exposure).map((level) => ({
      ...level,
      today: chainDay(exposure!),
    })),
  ].toSorted((a, b) => Math.abs(a.price - price) - Math.abs(b.price - price));
  const sides = [
    ['Above', rungs.filter((level) => level.price > price)],
    ['Below', rungs.filter((level) => level.price <= price)],
  ] as const;
  return (
    <>
      {isSeen ? null : <p className="note levels-note">{ABSENT.levelStates}</p>}
      <div className="levels-tab">
        {sides.map(([side, levels]) => (
          <Side
            key={side}
            title={`${side} ${formatPrice(price)}`}
            levels={levels}
            price={price}
            atr={ladder.atr}
            asOf={asOf}
          />
        ))}
      </div>
    </>
  );
}

interface Rung {
  readonly name: string;
  readonly family: string;
  readonly price: number;
  readonly today: string;
}

interface SideProps {
  readonly title: string;
  readonly levels: readonly Rung[];
  readonly price: number;
  readonly atr: number | null;
  readonly asOf: Instant;
}

function Side({ title, levels, price, atr, asOf }: SideProps): ReactNode {
  const record = useLevelRecord(asOf);
  const selection = useSelection();
  return (
    <Table
      heads={['Level', 'Price', 'Away, ATR', 'This session', 'Kind']}
      caption={<caption>{title}</caption>}
    >
      {levels.map((level) => (
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
          <td>{formatPrice(level.price)}</td>
          <td>{atr === null ? '–' : formatNumber(Math.abs(level.price - price) / atr, 2)}</td>
          <td>{level.today}</td>
          <td>{familyWords(level.family)}</td>
        </tr>
      ))}
    </Table>
  );
}
