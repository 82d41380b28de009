import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import {
  type Bars,
  barsQuery,
  equityQuery,
  type Run,
  type RunCell,
  type Trade,
  tradesQuery,
} from '../shared/api/queries.ts';
import { ChartView } from '../shared/chart/chart-view.tsx';
import { type DrawnTrade, EMPTY_CONTENT } from '../shared/chart/overlay-content.ts';
import { barTime } from '../shared/chart/wall-clock.ts';
import { Columns } from '../shared/charts/columns.tsx';
import { Line } from '../shared/charts/line.tsx';
import { clockOf } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { formatNumber, formatPrice, Num } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { Table } from '../shared/ui/table.tsx';
import { binsOfR, exitWords } from './trade-figures.ts';
import { SIGNALS } from './words.ts';

/** Rows of the table at first, and as many more with each press. */
const ROWS_SHOWN = 25;
const inR = (value: number): string => `${formatNumber(value, 2)} R`;

interface Props {
  readonly run: Run;
  readonly cell: RunCell;
}

/** Equity and drawdown, the distribution of R, and every trade of a cell, one of them on the chart. */
export function CellTrades({ run, cell }: Props): ReactNode {
  const { stop_atr, target_atr } = cell.parameter_set;
  const name = `${stop_atr},${target_atr}`;
  const trades = useQuery(tradesQuery(run.id, name));
  const equity = useQuery(equityQuery(run.id, name));
  if (cell.total_trades === 0) return <Missing reason={ABSENT.runNoTrades} />;
  return (
    <>
      <Answered asked={equity} rows={6}>
        {({ equity: days }) => <Equity days={days} />}
      </Answered>
      <Answered asked={trades} rows={8}>
        {({ trades: all }) => <Trades trades={newestFirst(all)} />}
      </Answered>
    </>
  );
}

const newestFirst = (trades: readonly Trade[]): Trade[] =>
  trades.toSorted((one, other) => other.entry_time.localeCompare(one.entry_time));

type EquityDay = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof equityQuery>['queryFn']>>>
>['equity'][number];

function Equity({ days }: { readonly days: readonly EquityDay[] }): ReactNode {
  const outOfSample = days.find((day) => day.out_of_sample === true)?.trade_date;
  const points = (value: (day: EquityDay) => number) =>
    days.map((day) => ({ name: day.trade_date, value: value(day) }));
  return (
    <Panel
      label="Equity and drawdown"
      small={
        outOfSample === undefined
          ? 'sum of R by session'
          : `sum of R by session; out of sample from ${outOfSample}`
      }
    >
      <Line label="Equity" points={points(({ equity }) => equity)} shown={inR} base={0} height={150} />
      <Line
        label="Drawdown"
        points={points(({ drawdown }) => 0 - drawdown)}
        shown={inR}
        base={0}
        height={80}
      />
    </Panel>
  );
}

function Trades({ trades }: { readonly trades: readonly Trade[] }): ReactNode {
  const [chosen, setChosen] = useState<Trade | undefined>(trades[0]);
  const [rows, setRows] = useState(ROWS_SHOWN);
  const bins = binsOfR(trades.map(({ r }) => r));
  return (
    <>
      <Panel label="Distribution of R" small={`${trades.length} trades: ${exitWords(trades)}`}>
        <Columns
          label="Trades by R"
          shown={(value) => formatNumber(value, 0)}
          columns={bins.map(({ from, to, trades: count }) => ({
            name: `${from}`,
            title: formatNumber(from, bins[0]!.to - bins[0]!.from < 0.5 ? 2 : 1),
            bars: [{ value: count, tone: from >= 0 ? 'up' : 'down' }],
            tip: `From ${inR(from)} to ${inR(to)}\n${count} trades`,
          }))}
          height={160}
        />
      </Panel>
      {chosen === undefined ? null : <TradeOnChart trade={chosen} all={trades} />}
      <Panel label="Trades" small="newest first; a press on a date shows the trade on the chart">
        <Table
          heads={[
            'Entry',
            'Symbol',
            'Signal',
            'Side',
            'Price',
            'Stop',
            'Target',
            'Exit',
            'Price out',
            'Why',
            'R',
          ]}
        >
          {trades.slice(0, rows).map((trade) => (
            <tr key={idOf(trade)} aria-current={trade === chosen || undefined}>
              <th scope="row">
                <button type="button" aria-pressed={trade === chosen} onClick={() => setChosen(trade)}>
                  {trade.trade_date} {clockOf(Date.parse(trade.entry_time))}
                </button>
              </th>
              <td>{trade.symbol}</td>
              <td>{SIGNALS[trade.signal_type]}</td>
              <td>{trade.direction}</td>
              <td>{formatPrice(trade.entry_price)}</td>
              <td>{formatPrice(trade.stop_price)}</td>
              <td>{formatPrice(trade.target_price)}</td>
              <td>{clockOf(Date.parse(trade.exit_time))}</td>
              <td>{formatPrice(trade.exit_price)}</td>
              <td>
                {trade.exit_reason}
                {trade.ambiguous ? ', ambiguous bar' : ''}
                {trade.out_of_sample === true ? ', out of sample' : ''}
              </td>
              <td>
                <Num value={trade.r} shape="ratio" label="R of the trade" unit="R after costs" directed />
              </td>
            </tr>
          ))}
        </Table>
        {trades.length <= rows ? null : (
          <button type="button" onClick={() => setRows(rows + ROWS_SHOWN)}>
            {trades.length - rows} older trades
          </button>
        )}
      </Panel>
    </>
  );
}

const idOf = ({ symbol, signal_type, entry_time }: Trade): string => `${symbol} ${signal_type} ${entry_time}`;

const nothing = (): void => {};

interface ChartProps {
  readonly trade: Trade;
  readonly all: readonly Trade[];
}

/** The session of a trade with every trade of its stock on it. */
function TradeOnChart({ trade, all }: ChartProps): ReactNode {
  const { symbol, trade_date: date } = trade;
  const asked = useQuery(barsQuery(symbol, { interval: '1m', from: date, to: date }, undefined));
  const bars = useMemo(() => (asked.data === undefined ? null : chartBars(asked.data)), [asked.data]);
  const content = useMemo(
    () => ({
      ...EMPTY_CONTENT,
      trades: all.filter((one) => one.symbol === symbol && one.trade_date === date).map(drawn),
      selected: new Set([idOf(trade)]),
    }),
    [all, symbol, date, trade],
  );
  const span = useMemo(
    () => ({ from: barTime(trade.entry_time), to: barTime(trade.exit_time) }),
    [trade.entry_time, trade.exit_time],
  );
  return (
    <Panel
      label="Trade on the chart"
      title={`${symbol}, ${trade.direction} on ${date}`}
      small={[
        `${SIGNALS[trade.signal_type]} at ${clockOf(Date.parse(trade.signal_time))}: `,
        `in at ${formatPrice(trade.entry_price)}, out at ${formatPrice(trade.exit_price)} (${trade.exit_reason}), `,
        `${formatNumber(trade.r, 2, 'exceptZero')} R${trade.costs === 0 ? '' : ` after ${formatPrice(trade.costs)} of costs a share`}. ${inputWords(trade)}`,
      ].join('')}
    >
      <div className="trade-chart">
        {bars === null ? (
          asked.error === null ? (
            <Skeleton height="100%" />
          ) : (
            <Refused error={asked.error} onRetry={() => void asked.refetch()} />
          )
        ) : bars.time.length === 0 ? (
          <Missing reason={ABSENT.runChart} />
        ) : (
          <ChartView
            bars={bars}
            isIntraday
            content={content}
            view={idOf(trade)}
            span={span}
            label={`${symbol} on ${date}, one-minute bars with its trades`}
            onPoint={nothing}
            onClick={nothing}
          />
        )}
      </div>
    </Panel>
  );
}

/** What the signal compared its bar with: `Close of its bar 101.20, IB high 101.10.` */
function inputWords({ inputs }: Trade): string {
  const { bar_close: close, bar_open: _, bar_high: __, bar_low: ___, ...lines } = inputs;
  if (close === undefined) return '';
  const words = Object.entries(lines).map(([name, value]) => `${lineName(name)} ${formatPrice(value)}`);
  return `${[`Close of its bar ${formatPrice(close)}`, ...words].join(', ')}.`;
}

/** `ema_50_before` as `EMA 50 before`. */
const lineName = (name: string): string =>
  name.replaceAll('_', ' ').replace(/^(?:ib|or|vwap|ema)/, (word) => word.toUpperCase());

const drawn = (trade: Trade): DrawnTrade => ({
  id: idOf(trade),
  isLong: trade.direction === 'long',
  from: barTime(trade.entry_time),
  to: barTime(trade.exit_time),
  entry: trade.entry_price,
  exit: trade.exit_price,
  stop: trade.stop_price,
  target: trade.target_price,
  r: trade.r,
});

const chartBars = ({ time, early_closes, ...bars }: Bars) => ({
  ...bars,
  time: time.map(barTime),
  earlyCloses: early_closes?.map(barTime) ?? [],
});
