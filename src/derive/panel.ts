import { createRequire } from 'node:module';
import { type Calendar, DAY_MS, dateOf } from '../base/calendar.ts';
import { peerDivergenceV1 } from '../blocks/peer-divergence-v1.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { StockView } from '../market/stock-view.ts';
import { FieldColumns } from './field-columns.ts';
import type * as Arrow from './panel-arrow.ts';
import type { PanelColumns } from './panel-arrow.ts';
import { rowDeriver, rowReader } from './projection.ts';
import { partOfField, readColumns } from './scalar-columns.ts';
import { type ScalarField, scalarField } from './scalar-fields.ts';
import type { ScreenRow } from './stock-day.ts';
import { valueText } from './value-text.ts';

export type PanelFormat = 'json' | 'arrow';

/** Fields of some stocks over trade dates: what is stored of them as columns, and rows of the other days. */
export interface PanelRequest {
  readonly format: PanelFormat;
  /** Paths of scalar fields. */
  readonly fields: readonly string[];
  readonly stocks: readonly PanelStock[];
  /** Text of every catalogue by digest; a row of an unknown one has no values. */
  readonly catalogues: ReadonlyMap<string, string>;
  /** Of the schema, which an Arrow stream begins with; null for a part that follows. */
  readonly metadata: Readonly<Record<string, string>> | null;
}

export interface PanelStock {
  readonly symbol: string;
  readonly quarters: readonly PanelQuarter[];
  /** Of wanted days of quarters, where fields follow from peers, which no columns have. */
  readonly peers: readonly PanelPeers[];
  readonly rows: readonly PanelRow[];
  /** Trade dates whose fields beyond those of bars are still to be derived. */
  readonly notDerived: readonly string[];
}

/** Packed parts of a quarter by name, and which of its days are wanted: their places. */
export interface PanelQuarter {
  readonly days: readonly number[];
  readonly wanted: readonly number[];
  readonly parts: Readonly<Record<string, Uint8Array>>;
}

/** The divergence of a completed session as JSON text; null without one, undefined before it is measured. */
export interface PanelPeers {
  readonly day: number;
  readonly value: string | null | undefined;
}

interface PanelRow extends Pick<ScreenRow, 'catalogue' | 'packed' | 'texts'> {
  /** Days since 1970-01-01. */
  readonly day: number;
}

export interface PanelPart {
  /** Stocks as JSON with commas between them, or messages of an Arrow IPC stream. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const require = createRequire(import.meta.url);

export function panelPart(calendar: Calendar, request: PanelRequest): PanelPart {
  const { format, stocks, metadata } = request;
  const { spans, ...panel } = columnsOf(calendar, request);
  if (format === 'json')
    return { body: stocks.map((stock, at) => stockText(stock, panel, spans[at]!)).join() };
  // Loaded by the first caller who asks for Arrow.
  const { arrowMessages } = require('./panel-arrow.ts') as typeof Arrow;
  return { body: arrowMessages(panel, metadata) };
}

/** Where the rows of a stock begin and end. */
type Span = readonly [from: number, to: number];

function columnsOf(
  calendar: Calendar,
  { fields: paths, stocks, catalogues }: PanelRequest,
): PanelColumns & { spans: Span[] } {
  const fields = paths.map((path) => scalarField(path)!);
  const byPart = Map.groupBy(fields, partOfField);
  const rows = stocks.reduce(
    (sum, stock) =>
      sum + stock.rows.length + stock.quarters.reduce((days, { wanted }) => days + wanted.length, 0),
    0,
  );
  const readers = new Map(Array.from(catalogues, ([digest, text]) => [digest, rowReader(text)]));
  const columns = new FieldColumns(paths, rows);
  const days = new Int32Array(rows);
  const symbols = new Array<string>(rows);
  const spans: Span[] = [];
  let end = 0;
  for (const { symbol, quarters, peers, rows: own } of stocks) {
    const from = end;
    // Both ascend; a day is in one of them.
    const stored = quarters.flatMap(({ days: known, wanted }) => wanted.map((at) => known[at]!));
    const all = Int32Array.from([...stored, ...own.map(({ day }) => day)]).sort();
    const placeOf = new Map(Array.from(all, (day, at) => [day, from + at]));
    end += all.length;
    days.set(all, from);
    symbols.fill(symbol, from, end);
    // A row sets every text, and the columns their own behind it.
    for (const each of peers) columns.put(placeOf.get(each.day)!, peerRow(calendar, each));
    putQuarters(columns, quarters, byPart, (day) => placeOf.get(day)!);
    for (const row of own) {
      const reader = readers.get(row.catalogue);
      if (reader !== undefined) columns.put(placeOf.get(row.day)!, row, reader);
    }
    spans.push([from, end]);
  }
  return { symbols, days, fields, columns, spans };
}

const PEER_BLOCK = new Set([peerDivergenceV1.name, ...Object.keys(peerDivergenceV1.flat)]);
const derivePeers = rowDeriver(PEER_BLOCK);
/** The block of peers reads no market. */
const NO_MARKET = undefined as never;

/** The fields that follow from peers at the end of a trade date: of a view their block reads nothing but these. */
function peerRow(calendar: Calendar, { day, value }: PanelPeers): ScreenRow {
  const session = calendar.session(dateOf(day * DAY_MS))!;
  const peers = typeof value === 'string' ? (JSON.parse(value) as PeerDay) : value;
  const view: Partial<StockView> = { session, sessionOn: calendar.sessionOn, asOf: session.end, peers };
  return derivePeers(view as StockView, NO_MARKET, null);
}

function putQuarters(
  { numbers, texts }: FieldColumns,
  quarters: readonly PanelQuarter[],
  byPart: ReadonlyMap<string | null, readonly ScalarField[]>,
  placeOf: (day: number) => number,
): void {
  const packed = quarters.flatMap(({ parts }) =>
    Object.entries(parts).map(([name, packed]) => ({ name, packed, fields: byPart.get(name)! })),
  );
  const read = readColumns(packed);
  let next = 0;
  for (const { days, wanted, parts } of quarters) {
    const places = wanted.map((at) => placeOf(days[at]!));
    for (const _ of Object.keys(parts)) {
      for (const [{ path }, column] of read[next++]!) {
        const target = (numbers.get(path) ?? texts.get(path)) as unknown[];
        for (const [row, at] of wanted.entries()) target[places[row]!] = column[at];
      }
    }
  }
}

function stockText({ symbol, notDerived }: PanelStock, panel: PanelColumns, [from, to]: Span): string {
  const { days, fields, columns } = panel;
  const texts = fields.map(({ path, type }) => {
    const words = columns.texts.get(path)?.slice(from, to);
    const values =
      words ??
      Array.from(columns.numbers.get(path)!.subarray(from, to), (value) => valueText(type, value, null));
    return `${JSON.stringify(path)}:${words === undefined ? `[${values.join()}]` : JSON.stringify(words)}`;
  });
  const head = {
    symbol,
    dates: Array.from(days.subarray(from, to), (day) => dateOf(day * DAY_MS)),
    not_derived: notDerived,
  };
  return `${JSON.stringify(head).slice(0, -1)},"columns":{${texts.join()}}}`;
}
