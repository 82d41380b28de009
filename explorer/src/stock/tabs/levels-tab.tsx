import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { familyWords } from '../../shared/levels.ts';
import { useLevelRecord } from '../../shared/records.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { formatPrice } from '../../shared/ui/number.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { RungRow } from '../rung-row.tsx';
import { type Rung, useRungs } from '../rungs.ts';

/** The levels above the price and those below it, nearest first, with what became of them in the session. */
export function LevelsTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const rungs = useRungs(stock, asOf);
  if (rungs === null) return <Missing reason={ABSENT.levels} height={120} />;
  const { price, above, below, isSeen } = rungs;
  return (
    <>
      {isSeen ? null : <p className="note levels-note">{ABSENT.levelStates}</p>}
      <div className="levels-tab">
        <Side title={`Above ${formatPrice(price)}`} levels={above} asOf={asOf} />
        <Side title={`Below ${formatPrice(price)}`} levels={below} asOf={asOf} />
      </div>
    </>
  );
}

interface SideProps {
  readonly title: string;
  readonly levels: readonly Rung[];
  readonly asOf: Instant;
}

function Side({ title, levels, asOf }: SideProps): ReactNode {
  const record = useLevelRecord(asOf);
  return (
    <Table
      heads={['Level', 'Price', 'Away, ATR', 'This session', 'Kind']}
      caption={<caption>{title}</caption>}
    >
      {levels.map((level) => (
        <RungRow key={`${level.name} ${level.price}`} rung={level} record={record(level)}>
          <td>{familyWords(level.family)}</td>
        </RungRow>
      ))}
    </Table>
  );
}
