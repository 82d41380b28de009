import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';
import { zstdDecompressSync } from 'node:zlib';
import { BLOCK_COUNT, blockOfDay, fillBlocks, OUT_OF_SAMPLE } from '../analysis/backtest/blocks.ts';
import { sessionPlaces } from '../analysis/backtest/curves.ts';
import { INPUTS } from '../analysis/backtest/inputs.ts';
import { parameterSet } from '../analysis/backtest/merge-partials.ts';
import type { BacktestPartial } from '../analysis/backtest/partial.ts';
import { ENTRY_TYPES } from '../analysis/backtest/spec.ts';
import { seriesOfTrades, type TradeColumns, tradeColumns, tradesOf } from '../analysis/backtest/trades.ts';
import { dateOf } from '../base/calendar.ts';
import { wireCell } from './backtest-text.ts';
import {
  ENTRY_FIELDS,
  EQUITY_FIELDS,
  TRADE_FIELDS,
  type TradeColumn,
  type TradeField,
} from './trade-fields.ts';
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
  const count = asked.cells.reduce((sum, cell) => sum + tradesOfCell(run, cell), 0);
  const rows = of === 'trades' ? count : asked.cells.length * run.days.length;
  if (rows > rowsMax && asked.cells.length > 1) return { body: '', rows };
  const walk = tradeColumns(count);
  const cells = walkedCells(run, asked.cells, walk);
  const columns = of === 'trades' ? tradesAsColumns(run, cells, walk) : equityColumns(run, cells, rows);
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
type WalkedCell = ReturnType<typeof walkedCells>[number];

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

const tradesOfCell = ({ kept, spec, untilDay }: Run, cell: number): number =>
  kept.reduce((sum, { entries }) => sum + tradesOf(entries, spec, cell, untilDay), 0);

/** Each cell with the rows of its trades, symbol by symbol. */
function walkedCells(
  { kept, spec, untilDay, places, days }: Run,
  cells: readonly number[],
  walk: TradeColumns,
) {
  let to = 0;
  return cells.map((cell) => {
    const symbols = kept.map(({ entries: log }) => {
      const from = to;
      to += tradesOf(log, spec, cell, untilDay, walk, from);
      return { log, from, to };
    });
    return { cell, symbols, series: seriesOfTrades(walk, symbols, places, days.length) };
  });
}

function tradesAsColumns(
  { spec, kept, isOutOfSample }: Run,
  cells: readonly WalkedCell[],
  walk: TradeColumns,
): TradeColumn[] {
  const rows = walk.r.length;
  const columns: Columns<keyof typeof TRADE_FIELDS> = {
    ...columnsOf(ENTRY_FIELDS, rows),
    ...{ stop_price: walk.stop, target_price: walk.target, exit_time: walk.exitTime, exit_price: walk.exit },
    ...{ exit_reason: walk.reason, ambiguous: walk.isAmbiguous, costs: walk.costs, r: walk.r },
  };
  const codes = spec.signalTypes.map((type) => ENTRY_TYPES.indexOf(type));
  const isRead = inputsRead(kept);
  const inputs = INPUTS.flatMap((name, at) =>
    isRead[at] === 1 ? { ...INPUT, name: `input_${name}`, at, values: new Float64Array(rows) } : [],
  );
  for (const { cell, symbols } of cells) {
    const { stopAtr, targetAtr } = parameterSet(spec, cell);
    for (const [symbol, { log, from, to }] of symbols.entries()) {
      columns.stop_atr.fill(stopAtr, from, to);
      columns.target_atr.fill(targetAtr, from, to);
      columns.symbol.fill(symbol, from, to);
      for (let row = from; row < to; row++) {
        const entry = walk.entry[row]!;
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
      }
      for (const { at, values } of inputs) {
        for (let row = from; row < to; row++)
          values[row] = log.inputs[walk.entry[row]! * INPUTS.length + at]!;
      }
    }
  }
  const symbolNames = kept.map(({ symbol }) => symbol);
  return [
    ...named({ ...TRADE_FIELDS, symbol: { ...TRADE_FIELDS.symbol, words: symbolNames } }, columns),
    ...inputs,
  ];
}

/** 1 for each input that a signal of the run reads. */
function inputsRead(kept: readonly KeptEntries[]): Uint8Array {
  const isRead = new Uint8Array(INPUTS.length);
  for (const { entries } of kept) {
    for (let at = 0; at < entries.inputs.length; at++) {
      if (!Number.isNaN(entries.inputs[at])) isRead[at % INPUTS.length] = 1;
    }
  }
  return isRead;
}

const INPUT = { type: 'number', unit: 'USD', isNullable: true, description: 'Input of the signal.' } as const;

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
