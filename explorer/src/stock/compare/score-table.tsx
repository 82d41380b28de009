import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import { Num, type NumProps } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Table } from '../../shared/ui/table.tsx';

type Row = readonly [
  words: string,
  field: string,
  shape: NumProps['shape'],
  of: (stock: Stock) => number | null | undefined,
  directed?: boolean,
];

/** What stocks are compared by, line by line. */
const ROWS: readonly Row[] = [
  ['Change', 'price.change_pct', 'signed-percent', ({ price }) => price?.change_pct, true],
  ['Gap', 'price.gap_pct', 'signed-percent', ({ price }) => price?.gap_pct, true],
  ['Net', 'net_confluence', 'score', (stock) => stock.net_confluence, true],
  ['Bull', 'bullish_confluence', 'score', (stock) => stock.bullish_confluence],
  ['Bear', 'bearish_confluence', 'score', (stock) => stock.bearish_confluence],
  ['Pulse', 'pulse_net', 'score', (stock) => stock.pulse_net, true],
  ['Entry', 'net_entry_score', 'score', (stock) => stock.net_entry_score, true],
  ['Relative volume', 'rel_volume', 'ratio', (stock) => stock.rel_volume],
  ['Range in ATR', 'technical.range_vs_atr_14', 'ratio', ({ technical }) => technical?.range_vs_atr_14],
  ['RSI 14', 'technical.rsi_14', 'score', ({ technical }) => technical?.rsi_14],
  ['Expected move', 'expected_move.day.move_pct', 'percent', (stock) => stock.expected_move?.day?.move_pct],
];

interface Props {
  readonly symbols: readonly string[];
  /** By the place of their symbols; undefined while it is not known. */
  readonly stocks: readonly (Stock | undefined)[];
}

/** Scores and figures of the stocks in columns. */
export const ScoreTable = ({ symbols, stocks }: Props): ReactNode => (
  <Panel label="Scores" className="score-table">
    <Table heads={['', ...symbols]}>
      {ROWS.map(([words, field, shape, of, directed]) => (
        <tr key={field}>
          <th scope="row">{words}</th>
          {symbols.map((symbol, at) => {
            const stock = stocks[at];
            return (
              <td key={symbol}>
                <Num
                  value={stock === undefined ? null : of(stock)}
                  shape={shape}
                  field={field}
                  directed={directed === true}
                />
              </td>
            );
          })}
        </tr>
      ))}
    </Table>
  </Panel>
);
