import { type ReactNode, useState } from 'react';
import type { Run, RunCell } from '../shared/api/queries.ts';
import { Figure } from '../shared/charts/figure.tsx';
import { inWords } from '../shared/levels.ts';
import { ABSENT } from '../shared/sentences.ts';
import { formatNumber, Num, type Shape } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Missing } from '../shared/ui/states.tsx';
import { Table } from '../shared/ui/table.tsx';
import { CellTrades } from './cell-trades.tsx';
import { equalWords } from './trade-figures.ts';
import { MEASURES, type Measure, SIGNALS } from './words.ts';

type Figures = Omit<RunCell, 'parameter_set'>;
type Choice = NonNullable<NonNullable<Run['analysis']>['out_of_sample']>;

/** With fewer trades, or fewer sessions, a ratio of them says little. */
const TRADES_ENOUGH = 30;
const SESSIONS_ENOUGH = 20;
const isRatio = (field: keyof Figures): boolean => /sharpe|factor|win_rate/.test(field);
const LABEL_PX = 56;
const CELL_PX = 40;

const nameOf = ({ stop_atr, target_atr }: RunCell['parameter_set']): string =>
  `stop ${stop_atr}, target ${target_atr} ATR`;

/** Days of stocks that a run left out, in words. */
const LEFT_OUT = [
  ['no_minute_bars', 'without minute bars'],
  ['fragment', 'cut short'],
  ['no_daily_atr', 'without a daily ATR'],
  ['no_quotes', 'without quotes'],
] as const;

/** Heat map, the chosen cell, the choice on sessions that it had not seen, and what the verdict rests on. */
export function RunResult({ run }: { readonly run: Run }): ReactNode {
  const best = run.results[0];
  const trades = best?.total_trades ?? 0;
  const isThin = trades < TRADES_ENOUGH || (run.analysis?.sessions ?? 0) < SESSIONS_ENOUGH;
  const [measure, setMeasure] = useState<Measure>(isThin ? 'total_r' : 'sharpe_ratio');
  const [chosen, setChosen] = useState(best?.parameter_set);
  const grid = run.grid ?? [];
  const cell = grid.find(({ parameter_set }) => isSame(parameter_set, chosen));
  const { analysis } = run;
  if (analysis === null || grid.length === 0) return <Missing reason={ABSENT.runBars} />;
  const { symbol_sessions: counted } = analysis;
  const equal = equalWords(grid);
  return (
    <>
      <Panel
        label="Heat map"
        title="Stop and target"
        small={[
          `${analysis.sessions} sessions, ${counted.walked} days of stocks`,
          ...LEFT_OUT.map(([name, words]) => (counted[name] === 0 ? '' : `; ${counted[name]} ${words}`)),
        ]}
      >
        <div className="panel-head">
          {(Object.keys(MEASURES) as Measure[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === measure} onClick={() => setMeasure(one)}>
              {MEASURES[one].word}
            </button>
          ))}
        </div>
        {isThin ? (
          <p className="caution">
            The best cell rests on {trades} trades of {analysis.sessions} sessions. Below {TRADES_ENOUGH}{' '}
            trades or {SESSIONS_ENOUGH} sessions a Sharpe ratio says little, however high.
          </p>
        ) : null}
        {equal === null ? null : <p className="note">{equal}</p>}
        <HeatMap cells={grid} measure={measure} chosen={cell} onChoose={setChosen} />
      </Panel>
      {cell === undefined ? null : (
        <Panel
          label="Chosen cell"
          title={inWords(nameOf(cell.parameter_set))}
          small={isSame(cell.parameter_set, best?.parameter_set) ? 'best of all sessions' : ''}
        >
          <FiguresTable
            columns={[['All sessions', cell], ...partsOf(run, cell)]}
            sessions={analysis.sessions}
          />
        </Panel>
      )}
      {cell === undefined ? null : <CellTrades key={nameOf(cell.parameter_set)} run={run} cell={cell} />}
      <OutOfSample choice={analysis.out_of_sample} sessions={analysis.sessions} />
      {analysis.walk_forward.length === 0 ? null : <WalkForward steps={analysis.walk_forward} />}
      <Overfitting figures={analysis.overfitting} />
    </>
  );
}

const isSame = (a: RunCell['parameter_set'], b: RunCell['parameter_set'] | undefined): boolean =>
  a.stop_atr === b?.stop_atr && a.target_atr === b.target_atr;

/** In sample and out of sample of a cell that is among the best, and its directions and signals. */
function partsOf(run: Run, cell: RunCell): (readonly [string, Figures])[] {
  const result = run.results.find(({ parameter_set }) => isSame(parameter_set, cell.parameter_set));
  if (result === undefined) return [];
  return [
    ...(result.in_sample === null ? [] : [['In sample', result.in_sample] as const]),
    ...(result.out_of_sample === null ? [] : [['Out of sample', result.out_of_sample] as const]),
    ...result.by_direction.map((part) => [inWords(part.direction), part] as const),
    ...result.by_signal_type.map(
      (part) => [inWords(SIGNALS[part.signal_type as keyof typeof SIGNALS]), part] as const,
    ),
  ];
}

interface HeatMapProps {
  readonly cells: readonly RunCell[];
  readonly measure: Measure;
  readonly chosen: RunCell | undefined;
  readonly onChoose: (of: RunCell['parameter_set']) => void;
}

/** Stops down, targets across; strength of colour by the distance from what earns nothing. */
function HeatMap({ cells, measure, chosen, onChoose }: HeatMapProps): ReactNode {
  const { word, digits, neutral } = MEASURES[measure];
  const order = (values: number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const stops = order(cells.map(({ parameter_set }) => parameter_set.stop_atr));
  const targets = order(cells.map(({ parameter_set }) => parameter_set.target_atr));
  const furthest = Math.max(
    ...cells.map(({ [measure]: value }) => Math.abs((value ?? neutral) - neutral)),
    1e-9,
  );
  return (
    <Figure
      label={`${word} by stop and target`}
      height={(stops.length + 1) * CELL_PX}
      className="heat-map"
      role="group"
    >
      {(width) => {
        const cellPx = Math.min((width - LABEL_PX) / targets.length, 110);
        return (
          <>
            {targets.map((target, at) => (
              <text key={target} x={LABEL_PX + (at + 0.5) * cellPx} y={14} textAnchor="middle">
                {at === 0 ? `target ${target}` : target}
              </text>
            ))}
            {stops.map((stop, at) => (
              <text key={stop} x={0} y={20 + (at + 0.5) * CELL_PX + 4}>
                {at === 0 ? `stop ${stop}` : stop}
              </text>
            ))}
            {cells.map((cell) => {
              const { parameter_set, [measure]: value } = cell;
              const { stop_atr, target_atr } = parameter_set;
              const x = LABEL_PX + targets.indexOf(target_atr) * cellPx;
              const y = 20 + stops.indexOf(stop_atr) * CELL_PX;
              const distance = (value ?? neutral) - neutral;
              const shown = value === null ? '–' : formatNumber(value, digits);
              return (
                // biome-ignore lint/a11y/useSemanticElements: SVG has no button
                <g
                  key={`${stop_atr} ${target_atr}`}
                  role="button"
                  tabIndex={0}
                  aria-pressed={cell === chosen}
                  aria-label={`${nameOf(parameter_set)}: ${word} ${shown}`}
                  data-tip={`${nameOf(parameter_set)}\n${word} ${value ?? 'not known'}\n${cell.total_trades} trades`}
                  onClick={() => onChoose(parameter_set)}
                  onKeyDown={({ key }) => {
                    if (key === 'Enter') onChoose(parameter_set);
                  }}
                >
                  <rect className="base" x={x + 1} y={y + 1} width={cellPx - 2} height={CELL_PX - 2} />
                  <rect
                    className={value === null ? 'none' : distance >= 0 ? 'up' : 'down'}
                    style={{ opacity: value === null ? 0 : 0.12 + (0.55 * Math.abs(distance)) / furthest }}
                    x={x + 1}
                    y={y + 1}
                    width={cellPx - 2}
                    height={CELL_PX - 2}
                  />
                  <rect className="edge" x={x + 1} y={y + 1} width={cellPx - 2} height={CELL_PX - 2} />
                  <text x={x + cellPx / 2} y={y + CELL_PX / 2 + 4} textAnchor="middle">
                    {shown}
                  </text>
                </g>
              );
            })}
          </>
        );
      }}
    </Figure>
  );
}

const ROWS: readonly (readonly [keyof Figures, string, Shape, string])[] = [
  ['total_trades', 'Trades', 'integer', 'trades'],
  ['win_rate', 'Win rate', 'fraction', 'of trades'],
  ['avg_rr_ratio', 'Mean of a trade, R', 'ratio', 'risked amounts a trade'],
  ['total_r', 'Total, R', 'ratio', 'risked amounts'],
  ['sharpe_ratio', 'Sharpe ratio, a year', 'ratio', 'a year'],
  ['profit_factor', 'Profit factor', 'ratio', 'won over lost'],
  ['max_drawdown', 'Largest drawdown, R', 'ratio', 'risked amounts'],
  ['ambiguous_share', 'Ambiguous bars', 'fraction', 'of trades whose stop and target lie in one minute'],
];

interface TableProps {
  readonly columns: readonly (readonly [string, Figures])[];
  /** Of the whole run. */
  readonly sessions: number;
}

function FiguresTable({ columns, sessions }: TableProps): ReactNode {
  /** What a ratio of too little rests on; null where there is enough. */
  const thinOf = (field: keyof Figures, { total_trades }: Figures): string | null => {
    if (isRatio(field) && total_trades < TRADES_ENOUGH) return `${total_trades} trades`;
    return field === 'sharpe_ratio' && sessions < SESSIONS_ENOUGH ? `${sessions} sessions` : null;
  };
  return (
    <Table heads={['Figure', ...columns.map(([name]) => name)]} isFirstHidden>
      {ROWS.map(([field, word, shape, unit]) => (
        <tr key={field}>
          <th scope="row">{word}</th>
          {columns.map(([name, figures]) => {
            const thin = thinOf(field, figures);
            return (
              <td key={name} className={thin === null ? undefined : 'quiet'}>
                <Num
                  value={figures[field]}
                  shape={shape}
                  label={word}
                  unit={thin === null ? unit : `${unit}\nof ${thin}: too few to rely on`}
                  missing={ABSENT.runTrades}
                />
              </td>
            );
          })}
        </tr>
      ))}
    </Table>
  );
}

interface OutOfSampleProps {
  readonly choice: Choice | null;
  readonly sessions: number;
}

function OutOfSample({ choice, sessions }: OutOfSampleProps): ReactNode {
  return (
    <Panel
      label="Out of sample"
      small={
        choice === null
          ? ''
          : `${nameOf(choice.parameter_set)}, chosen before ${choice.test_from} and tested from then`
      }
    >
      {choice === null ? (
        <Missing reason={ABSENT.runUnseen} />
      ) : (
        <FiguresTable
          columns={[
            ['In sample', choice.chosen_on],
            ['Out of sample', choice.tested],
          ]}
          sessions={sessions}
        />
      )}
    </Panel>
  );
}

function WalkForward({ steps }: { readonly steps: readonly Choice[] }): ReactNode {
  const unit = 'risked amounts';
  return (
    <Panel label="Walk forward">
      <Table heads={['Tested from', 'Stop', 'Target', 'R in sample', 'R out of sample', 'Trades']}>
        {steps.map(({ test_from, parameter_set, chosen_on, tested }) => (
          <tr key={test_from}>
            <th scope="row">{test_from}</th>
            <td>{parameter_set.stop_atr}</td>
            <td>{parameter_set.target_atr}</td>
            <td>
              <Num value={chosen_on.total_r} shape="ratio" label="Total R in sample" unit={unit} directed />
            </td>
            <td>
              <Num value={tested.total_r} shape="ratio" label="Total R out of sample" unit={unit} directed />
            </td>
            <td>{tested.total_trades}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

interface OverfittingProps {
  readonly figures: NonNullable<Run['analysis']>['overfitting'];
}

function Overfitting({ figures }: OverfittingProps): ReactNode {
  const rows: readonly (readonly [string, number | null, Shape, string])[] = [
    ['Cells tried', figures.trials, 'integer', 'cells'],
    [
      'Deflated Sharpe ratio',
      figures.deflated_sharpe_ratio,
      'ratio',
      'probability that the best cell is better than the luckiest of as many without skill',
    ],
    ['Sharpe ratio that luck would reach', figures.expected_max_sharpe, 'ratio', 'a year'],
    [
      'Probability of overfitting',
      figures.probability_of_overfitting,
      'fraction',
      `of ${figures.halvings} halvings of the sessions`,
    ],
    ['Probability of a loss', figures.probability_of_loss, 'fraction', 'of the halvings'],
    ['Plateau', figures.plateau, 'ratio', 'mean of the neighbours over the best cell'],
  ];
  return (
    <Panel label="What the verdict rests on" className="parts">
      {rows.map(([word, value, shape, unit]) => (
        <p key={word}>
          {word}
          <Num value={value} shape={shape} label={word} unit={unit} missing={ABSENT.runSessions} />
        </p>
      ))}
    </Panel>
  );
}
