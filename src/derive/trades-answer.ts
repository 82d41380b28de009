import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';
import { zstdDecompressSync } from 'node:zlib';
import { BLOCK_COUNT, blockOfDay, fillBlocks, OUT_OF_SAMPLE } from '../analysis/backtest/blocks.ts';
import { sessionPlaces } from '../analysis/backtest/curves.ts';
import { INPUTS } from '../analysis/backtest/inputs.ts';
import { parameterSet } from '../analysis/backtest/merge-partials.ts';
import type { BacktestPartial } from '../analysis/backtest/partial.ts';
import { ENTRY_TYPES } from '../analysis/backtest/spec.ts';
import { type CellTrades, seriesOfTrades, tradesOf } from '../analysis/backtest/trades.ts';
import { dateOf } from '../base/calendar.ts';
import { wireCell } from './backtest-text.ts';
import { EQUITY_FIELDS, TRADE_FIELDS, type TradeColumn, type TradeField } from './trade-fields.ts';
import type * as Arrow from './trades-arrow.ts';

/** What is kept of a symbol of a run, packed. */
export type KeptEntries = Pick<BacktestPartial, 'spec' | 'symbol' | 'walked' | 'entries'>;

/** Trades or equity of some cells of a run. */
export interface TradesRequest {
  readonly of: 'trades' | 'equity';
  /** Kept entries of each symbol, in the order of their names. */
  readonly packed: readonly Uint8Array[];
  /** Indices of cells, stop by stop. */
  readonly cells: readonly number[];
  /** Last trade day that counts, midnight UTC. */
  readonly lastDay: number;
  readonly format: 'json' | 'arrow';
  readonly rowsMax: number;
  /** Fields in front of the answer, or metadata of the Arrow schema. */
  readonly head: Readonly<Record<string, string | boolean>>;
}

export interface TradesAnswer {
  /** Empty for more rows than may be. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly rows: number;
}

const require = createRequire(import.meta.url);

export function tradesAnswer({ of, packed, format, rowsMax, head, ...asked }: TradesRequest): TradesAnswer {
  const kept = packed.map((bytes) => deserialize(zstdDecompressSync(bytes)) as KeptEntries);
  const run = openRun(kept, asked.lastDay);
  const cells = asked.cells.map((cell) => walkedCell(run, cell));
  const sizes = cells.map(({ symbols }) =>
    of === 'trades' ? symbols.reduce((sum, { trades }) => sum + trades.count, 0) : run.days.length,
  );
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  if (rows > rowsMax && cells.length > 1) return { body: '', rows };
  const columns = of === 'trades' ? tradeColumns(run, cells, rows) : equityColumns(run, cells, rows);
  if (format === 'arrow') {
    // Loaded by the first caller who asks for Arrow.
    const { columnsAsArrow } = require('./trades-arrow.ts') as typeof Arrow;
    return { body: columnsAsArrow(columns, rows, head), rows };
  }
  const wire = cells.map(({ cell, series }) =>
    wireCell({ parameterSet: parameterSet(run.spec, cell), ...series.metrics }),
  );
  const texts = rowTexts(columns, rows);
  const front = JSON.stringify({ ...head, cells: wire }).slice(0, -1);
  return { body: `${front},"${of}":[${texts.join()}]}`, rows };
}

type Run = ReturnType<typeof openRun>;
type WalkedCell = ReturnType<typeof walkedCell>;

function openRun(kept: readonly KeptEntries[], lastDay: number) {
  const { spec } = kept[0]!;
  const { tradeDays } = spec;
  const after = tradeDays.findIndex((day) => day > lastDay);
  const untilDay = after === -1 ? tradeDays.length : after;
  const { places, days } = sessionPlaces(kept);
  const areBlocksFull = fillBlocks(days, tradeDays.length);
  const sessions = days.filter((day) => day < untilDay);
  return {
    spec,
    kept,
    untilDay,
    places,
    days: sessions,
    /** 1 for a trade day out of sample, by its index; NaN without filled blocks. */
    isOutOfSample: Float64Array.from(tradeDays, (_, day) => {
      const block = blockOfDay(day, tradeDays.length);
      return areBlocksFull ? Number(block >= OUT_OF_SAMPLE.test.from && block < BLOCK_COUNT) : Number.NaN;
    }),
  };
}

function walkedCell({ kept, spec, untilDay, places, days }: Run, cell: number) {
  const symbols = kept.map(({ entries: log }) => ({ log, trades: tradesOf(log, spec, cell, untilDay) }));
  return { cell, symbols, series: seriesOfTrades(symbols, places, days.length) };
}

function tradeColumns({ spec, kept, isOutOfSample }: Run, cells: readonly WalkedCell[], rows: number) {
  const columns = columnsOf(TRADE_FIELDS, rows);
  const codes = spec.signalTypes.map((type) => ENTRY_TYPES.indexOf(type));
  const inputs = INPUTS.map(
    (name) =>
      [
        `input_${name}`,
        { type: 'number', unit: 'USD', isNullable: true, description: 'Input of the signal.' } as const,
        new Float64Array(rows),
      ] as const,
  );
  let from = 0;
  for (const { cell, symbols } of cells) {
    const { stopAtr, targetAtr } = parameterSet(spec, cell);
    for (const [symbol, { log, trades }] of symbols.entries()) {
      const to = from + trades.count;
      columns.stop_atr.fill(stopAtr, from, to);
      columns.target_atr.fill(targetAtr, from, to);
      columns.symbol.fill(symbol, from, to);
      for (let at = 0; at < trades.count; at++) {
        const entry = trades.entry[at]!;
        const row = from + at;
        const day = log.day[entry]!;
        columns.trade_date[row] = spec.tradeDays[day]!;
        columns.signal_type[row] = codes[log.type[entry]!]!;
        columns.direction[row] = 1 - log.isLong[entry]!;
        columns.day_type[row] = log.kind[entry]!;
        columns.signal_time[row] = log.signalTime[entry]!;
        columns.entry_time[row] = log.entryTime[entry]!;
        columns.entry_price[row] = log.entry[entry]!;
        columns.daily_atr[row] = log.dailyAtr[entry]!;
        columns.out_of_sample[row] = isOutOfSample[day]!;
        for (let input = 0; input < INPUTS.length; input++) {
          inputs[input]![2][row] = log.inputs[entry * INPUTS.length + input]!;
        }
      }
      for (const [name, values] of Object.entries(ofTrades(trades))) columns[name as 'r'].set(values, from);
      from = to;
    }
  }
  const symbolNames = kept.map(({ symbol }) => symbol);
  return [
    ...named(TRADE_FIELDS, columns).map((column) =>
      column.name === 'symbol' ? { ...column, words: symbolNames } : column,
    ),
    // Those that a signal of the run reads.
    ...inputs.flatMap(([name, field, values]) =>
      values.every(Number.isNaN) ? [] : [{ ...field, name, values }],
    ),
  ];
}

function equityColumns({ spec, days, isOutOfSample }: Run, cells: readonly WalkedCell[], rows: number) {
  const columns = columnsOf(EQUITY_FIELDS, rows);
  let row = 0;
  for (const { cell, series } of cells) {
    const { stopAtr, targetAtr } = parameterSet(spec, cell);
    let equity = 0;
    let peak = 0;
    for (const [place, day] of days.entries()) {
      equity += series.r[place]!;
      peak = Math.max(peak, equity);
      columns.stop_atr[row] = stopAtr;
      columns.target_atr[row] = targetAtr;
      columns.trade_date[row] = spec.tradeDays[day]!;
      columns.trades[row] = series.trades[place]!;
      columns.r[row] = series.r[place]!;
      columns.equity[row] = equity;
      columns.drawdown[row] = peak - equity;
      columns.out_of_sample[row] = isOutOfSample[day]!;
      row++;
    }
  }
  return named(EQUITY_FIELDS, columns);
}

/** Columns of the walk under their names on the wire. */
const ofTrades = ({ exitTime, exit, stop, target, reason, isAmbiguous, costs, r }: CellTrades) => ({
  ...{ stop_price: stop, target_price: target, exit_time: exitTime, exit_price: exit },
  ...{ exit_reason: reason, ambiguous: isAmbiguous, costs, r },
});

type Columns<Name extends string> = Record<Name, Float64Array>;

const columnsOf = <Name extends string>(
  fields: Readonly<Record<Name, TradeField>>,
  rows: number,
): Columns<Name> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, new Float64Array(rows)])) as Columns<Name>;

const named = <Name extends string>(
  fields: Readonly<Record<Name, TradeField>>,
  columns: Columns<Name>,
): TradeColumn[] =>
  (Object.keys(fields) as Name[]).map((name) => ({ ...fields[name], name, values: columns[name] }));

/** Rows as JSON objects; the inputs of a signal are an object of their own. */
function rowTexts(columns: readonly TradeColumn[], rows: number): string[] {
  const text = (column: TradeColumn): ((row: number) => string) => {
    const { type, values, words } = column;
    if (type === 'words') {
      const quoted = words!.map((word) => JSON.stringify(word));
      return (row) => quoted[values[row]!]!;
    }
    if (type === 'instant') return (row) => `"${new Date(values[row]!).toISOString()}"`;
    if (type === 'date') return (row) => `"${dateOf(values[row]!)}"`;
    if (type === 'boolean') return (row) => (Number.isNaN(values[row]) ? 'null' : `${values[row] === 1}`);
    return (row) => (Number.isNaN(values[row]) ? 'null' : `${values[row]}`);
  };
  const isInput = ({ name }: TradeColumn): boolean => name.startsWith('input_');
  const plain = columns.filter((column) => !isInput(column)).map((each) => [each.name, text(each)] as const);
  const inputs = columns.filter(isInput);
  const hasInputs = plain.some(([name]) => name === 'symbol');
  return Array.from({ length: rows }, (_, row) => {
    const own = plain.map(([name, value]) => `"${name}":${value(row)}`).join();
    if (!hasInputs) return `{${own}}`;
    const read = inputs.flatMap(({ name, values }) =>
      Number.isNaN(values[row]) ? [] : `"${name.slice('input_'.length)}":${values[row]}`,
    );
    return `{${own},"inputs":{${read.join()}}}`;
  });
}
