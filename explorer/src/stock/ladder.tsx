import type { ReactNode } from 'react';
import type { Stock } from '../shared/api/queries.ts';
import type { Instant } from '../shared/instant.ts';
import { useLevelRate, useLevelRecord } from '../shared/records.ts';
import { ABSENT } from '../shared/sentences.ts';
import { formatPrice } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Missing } from '../shared/ui/states.tsx';
import { Table } from '../shared/ui/table.tsx';
import { RungRow } from './rung-row.tsx';
import { type Rung, useRungs } from './rungs.ts';

/** Levels of each side. */
const NEAREST = 3;

interface Props {
  readonly stock: Stock;
  readonly asOf: Instant;
  readonly label?: string;
}

/** What is near: three levels above the price and three below, with their distance and what became of them today. */
export function Ladder({ stock, asOf, label = 'Nearest levels' }: Props): ReactNode {
  const rungs = useRungs(stock, asOf);
  const record = useLevelRecord(asOf);
  const rate = useLevelRate(asOf);
  if (rungs === null)
    return (
      <Panel label={label} title="Nearest levels">
        <Missing reason={ABSENT.levels} />
      </Panel>
    );
  const row = (rung: Rung): ReactNode => (
    <RungRow key={`${rung.name} ${rung.price}`} rung={rung} record={record(rung)} rate={rate(rung.family)} />
  );
  return (
    <Panel label={label} title="Nearest levels" className="ladder">
      <Table heads={['level', 'price', 'ATR', 'today']}>
        {rungs.above.slice(0, NEAREST).toReversed().map(row)}
        <tr className="here">
          <th scope="row">price</th>
          <td>{formatPrice(rungs.price)}</td>
          <td />
          <td />
        </tr>
        {rungs.below.slice(0, NEAREST).map(row)}
      </Table>
    </Panel>
  );
}
