import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AlertButton } from '../shared/alerts/alert-button.tsx';
import { choicesOfLevel } from '../shared/alerts/choices.ts';
import { fullName, labelOf } from '../shared/levels.ts';
import { selects, useSelection } from '../shared/selection.tsx';
import { formatNumber, formatPrice } from '../shared/ui/number.tsx';
import type { Rung } from './rungs.ts';

interface Props {
  readonly rung: Rung;
  /** How often such levels held, in words. */
  readonly record: readonly string[];
  /** How often its kind held, in few words. */
  readonly rate?: string | null;
  /** Further cells. */
  readonly children?: ReactNode;
}

/** A level in a table: its name with its record, price, distance and what became of it; pointing at it selects it. */
export function RungRow({ rung: { name, price, away, today }, record, rate, children }: Props): ReactNode {
  const selection = useSelection();
  const { symbol = '' } = useParams({ strict: false });
  return (
    <tr {...selects(selection, [name])}>
      <th scope="row">
        <button
          type="button"
          className="plain"
          data-tip={[fullName(name), ...record].join('\n')}
          onClick={() => selection.keep([name])}
        >
          {labelOf(name)}
        </button>
        <AlertButton of={labelOf(name)} draft={() => choicesOfLevel(symbol, name, price)} />
        {rate == null ? null : <small>{rate}</small>}
      </th>
      <td>{formatPrice(price)}</td>
      <td>{away === null ? '–' : formatNumber(away, 2)}</td>
      <td>{today}</td>
      {children}
    </tr>
  );
}
