import { NEVER } from '../../base/abortable.ts';
import { wholeMinute } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { callerLeft } from '../../base/caller.ts';
import { chunks } from '../../base/chunks.ts';
import { quarterOf } from '../../base/dates.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { inOrder } from '../../base/in-order.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { BAR_FIELDS } from '../../derive/compose.ts';
import { DERIVATION } from '../../derive/derivation.ts';
import type { PanelFormat, PanelPeers, PanelQuarter, PanelRequest, PanelStock } from '../../derive/panel.ts';
import { COLUMNS_PROGRAM, partOfField } from '../../derive/scalar-columns.ts';
import type { ScalarField } from '../../derive/scalar-fields.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import { readStoredColumns, type StoredColumns } from '../../graph/scalar-history.ts';
import { readScreenCatalogues } from '../../graph/screen-rows.ts';
import { isSimulated, type SymbolTape } from '../../tape/index.ts';
import { type Caller, requireSymbols, visibleInstant } from '../access/viewer.ts';
import { namedFields } from '../answers/named-fields.ts';
import { needsPeers, peersInTime } from '../answers/peers-in-time.ts';
import { valueFault } from '../answers/refusals.ts';
import { seenTapes, unseenFaults } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import type { HistoryDay, RowValues } from '../context/history-rows.ts';
import { deriveMissing } from '../history/derive-missing.ts';
import {
  addBarRows,
  begunSessions,
  daysOf,
  Findings,
  findKept,
  newestSessions,
  storedRows,
  topOf,
  tradeDateIn,
} from '../history/find-days.ts';
import { type ScreenRequest, screenStocks } from '../screener/screen-stocks.ts';
import { getWatchlist } from '../watchlists/keep-watchlists.ts';
import { SESSIONS_BY_DEFAULT, SESSIONS_MAX, SYMBOLS_MAX, VALUES_MAX } from './schema.ts';

export interface PanelContent {
  readonly fields: readonly string[];
  readonly symbols?: readonly string[] | undefined;
  readonly list?: string | undefined;
  readonly screen?: ScreenRequest | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly derive?: 'wait' | 'no' | undefined;
}

/** Stocks of one query and one task of a thread. */
const STOCKS_AT_ONCE = 16;
const ENDS_ARROW = Buffer.from(Int32Array.of(-1, 0).buffer);

/** All that the parts of a panel follow from. */
export interface Panel {
  readonly fields: readonly ScalarField[];
  readonly tradeDates: readonly string[];
  readonly asOf: number;
  readonly derives: boolean;
  /** Whether sessions that nobody has measured against the peers are measured first, where that matters. */
  readonly awaitsPeers: boolean;
  readonly format: PanelFormat;
  readonly catalogues: ReadonlyMap<string, string>;
  /** Of the schema that each part of an Arrow stream begins with; null for parts of one stream. */
  readonly metadata: PanelRequest['metadata'];
  /** Stocks of a part; three are made at a time. */
  readonly stocksAtOnce: number;
  readonly signal: AbortSignal;
}

/**
 * Scalar fields of stocks over trade dates, part by part: what can be refused is refused before the first one.
 *
 * @throws ValidationRefusal for unknown fields and symbols, a range from later to earlier, and too many values
 * @throws CodedError symbol_not_granted, unknown_watchlist, those of a screen
 */
export async function openPanel(
  context: AppContext,
  content: PanelContent,
  format: PanelFormat,
  caller: Caller,
): Promise<AsyncIterable<string | Uint8Array>> {
  const signal = callerLeft() ?? NEVER;
  const fields = namedFields(content.fields, 'body');
  const asOf = wholeMinute(visibleInstant(caller, context.clock.now()));
  const tradeDates = sessionsOf(context, content, asOf);
  const symbols = await symbolsOf(context, content, caller);
  const values = symbols.length * tradeDates.length * fields.length;
  if (values > VALUES_MAX) {
    const msg = `The panel would have up to ${values} values, ${VALUES_MAX} at most are sent at once; ask for it in parts`;
    throw new ValidationRefusal([valueFault(['body'], values, msg, { error: msg, max_values: VALUES_MAX })]);
  }
  const tapes = await tapesOf(context, symbols, content.symbols !== undefined, caller, signal);
  const catalogues = await readScreenCatalogues(context.database, { signal });
  const derives = content.derive !== 'no';
  const panel: Panel = {
    fields,
    tradeDates,
    asOf,
    derives,
    awaitsPeers: false,
    format,
    catalogues,
    metadata: null,
    stocksAtOnce: STOCKS_AT_ONCE,
    signal,
  };
  const head = {
    as_of: new Date(asOf).toISOString(),
    source: caller.source,
    simulated: tapes.some(isSimulated),
    from: tradeDates[0] ?? null,
    to: tradeDates.at(-1) ?? null,
    units: Object.fromEntries(fields.map(({ path, unit }) => [path, unit])),
  };
  const parts = panelParts(context, panel, tapes);
  return format === 'json' ? jsonParts(head, parts) : arrowParts(context, panel, head, parts);
}

async function* jsonParts(head: object, parts: AsyncIterable<string | Uint8Array>): AsyncIterable<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"stocks":[`;
  let isFirst = true;
  for await (const part of parts) {
    yield isFirst ? String(part) : `,${part}`;
    isFirst = false;
  }
  yield ']}';
}

async function* arrowParts(
  { deriver }: AppContext,
  { fields, catalogues, signal }: Panel,
  { units: _, ...head }: { readonly units: object },
  parts: AsyncIterable<string | Uint8Array>,
): AsyncIterable<Uint8Array> {
  const about = { ...head, formula_version: DERIVATION, generated_by: 'tigraph' };
  const metadata = Object.fromEntries(Object.entries(about).map(([name, value]) => [name, `${value ?? ''}`]));
  const paths = fields.map(({ path }) => path);
  const request = { format: 'arrow', fields: paths, stocks: [], catalogues, metadata } as const;
  yield (await deriver.panel(request, { signal, isBulk: true })).body as Uint8Array;
  for await (const part of parts) yield part as Uint8Array;
  yield ENDS_ARROW;
}

function sessionsOf({ calendar }: AppContext, { from, to }: PanelContent, asOf: number): string[] {
  const newest = calendar.tradeDateOf(asOf);
  const last = to === undefined ? newest : tradeDateIn(calendar, to);
  const end = last < newest ? last : newest;
  if (from === undefined) return newestSessions(calendar, end, SESSIONS_BY_DEFAULT, asOf);
  const first = tradeDateIn(calendar, from);
  if (to !== undefined && first > last) {
    const msg = `Input should not be after to, which is ${to}`;
    throw new ValidationRefusal([valueFault(['body', 'from'], from, msg, { error: 'from is after to' })]);
  }
  const dates = begunSessions(calendar, first, end, asOf);
  if (dates.length <= SESSIONS_MAX) return dates;
  const msg = `Range should be at most ${SESSIONS_MAX} sessions; ask for it in parts`;
  throw new ValidationRefusal([
    valueFault(['body', 'from'], from, msg, { error: msg, max_sessions: SESSIONS_MAX }),
  ]);
}

async function symbolsOf(
  context: AppContext,
  { symbols, list, screen }: PanelContent,
  caller: Caller,
): Promise<readonly string[]> {
  if ([symbols, list, screen].filter((each) => each !== undefined).length !== 1)
    throw new ValidationRefusal([
      valueFault(['body'], {}, 'A panel is of `symbols`, of a `list` or of a `screen`; send one of them'),
    ]);
  if (list !== undefined) return (await getWatchlist(context, list, caller)).symbols;
  if (symbols !== undefined) return [...new Set(symbols.map(canonicalSymbol))];
  const found: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && found.length < SYMBOLS_MAX) {
    const page = { ...screen!, select: [], limit: 500, near_misses: 0, closes: false };
    const text = await screenStocks(context, cursor === undefined ? page : { ...page, cursor }, caller);
    const answer = JSON.parse(text) as { rows: { symbol: string }[]; next_cursor: string | null };
    found.push(...answer.rows.map(({ symbol }) => symbol));
    cursor = answer.next_cursor;
  }
  return found;
}

/**
 * @param areNamed whether the caller has named the symbols; those of lists and screens may lack data at a past minute
 * @throws CodedError symbol_not_granted; ValidationRefusal that names every symbol without data
 */
async function tapesOf(
  context: AppContext,
  symbols: readonly string[],
  areNamed: boolean,
  caller: Caller,
  signal: AbortSignal,
): Promise<SymbolTape[]> {
  requireSymbols(caller, symbols);
  const tapes = await seenTapes(context, symbols, caller, { signal });
  const faults = areNamed ? unseenFaults(symbols, tapes) : [];
  if (faults.length > 0) throw new ValidationRefusal(faults);
  const seen = new Map(tapes.map((tape) => [tape.symbol, tape]));
  return symbols.flatMap((symbol) => seen.get(symbol) ?? []);
}

/** Some stocks after some others, each with its sessions. */
export async function* panelParts(
  context: AppContext,
  panel: Panel,
  tapes: readonly SymbolTape[],
): AsyncIterable<string | Uint8Array> {
  const { fields, format, catalogues, metadata, stocksAtOnce, signal } = panel;
  const paths = fields.map(({ path }) => path);
  const make = async (some: readonly SymbolTape[]): Promise<string | Uint8Array> => {
    const stocks = await stocksOf(context, panel, some);
    const request: PanelRequest = { format, fields: paths, stocks, catalogues, metadata };
    return (await context.deriver.panel(request, { signal, isBulk: true })).body;
  };
  yield* inOrder(chunks(tapes, stocksAtOnce), make, 3);
}

/** What is known of some stocks. */
async function stocksOf(
  context: AppContext,
  panel: Panel,
  tapes: readonly SymbolTape[],
): Promise<PanelStock[]> {
  const { fields, tradeDates, asOf, signal } = panel;
  const symbols = tapes.map(({ symbol }) => symbol);
  const parts = [...new Set(fields.map(partOfField))].filter((part) => part !== null);
  const wantsPeers = needsPeers(fields.map(topOf));
  const quarters = [...new Set(tradeDates.map(quarterOf))];
  const stored =
    parts.length === 0
      ? []
      : await readStoredColumns(context.database, symbols, quarters, parts, COLUMNS_PROGRAM, { signal });
  const bySymbol = Map.groupBy(stored, ({ symbol }) => symbol);
  const known = tapes.map((tape) => {
    const days = daysOf(context.calendar, tape, tradeDates, asOf);
    const ended = new Set(days.filter(({ isFinal }) => isFinal).map(({ tradeDate }) => dayOf(tradeDate)));
    const own = quartersOf(bySymbol.get(tape.symbol) ?? [], ended);
    const inColumns = new Set(own.flatMap(({ days: all, wanted }) => wanted.map((at) => all[at]!)));
    return { tape, own, others: days.filter(({ tradeDate }) => !inColumns.has(dayOf(tradeDate))) };
  });
  const peers = wantsPeers ? await peersInColumns(context, panel, known) : new Map<string, PanelPeers[]>();
  const others = known.flatMap((one) => one.others);
  const rows = await storedRows(context, others, wantsPeers, signal);
  const stocks: PanelStock[] = [];
  for (const { tape, own, others } of known) {
    const { symbol } = tape;
    const found = new Findings(new Map(rows.get(symbol)), wantsPeers);
    stocks.push({
      symbol,
      quarters: own,
      peers: peers.get(symbol) ?? [],
      ...(await otherDays(context, panel, tape, others, found)),
    });
  }
  return stocks;
}

const dayOf = (tradeDate: string): number => midnightUtc(tradeDate) / DAY_MS;

/** Divergences from peers of the days whose other fields are in columns, by symbol. */
async function peersInColumns(
  context: AppContext,
  { awaitsPeers, signal }: Panel,
  known: readonly { readonly tape: SymbolTape; readonly own: readonly PanelQuarter[] }[],
): Promise<Map<string, PanelPeers[]>> {
  const days = known.flatMap(({ tape: { symbol }, own }) =>
    own.flatMap(({ days, wanted }) =>
      wanted.map((at) => ({ symbol, day: days[at]!, tradeDate: dateOf(days[at]! * DAY_MS) })),
    ),
  );
  const measured = awaitsPeers
    ? await peersInTime(context, days, signal)
    : await readPeerDays(context.database, days, { signal });
  const values = new Map(measured.map(({ symbol, tradeDate, value }) => [`${symbol} ${tradeDate}`, value]));
  const found = new Map<string, PanelPeers[]>();
  for (const { symbol, day, tradeDate } of days)
    found.getOrInsertComputed(symbol, () => []).push({ day, value: values.get(`${symbol} ${tradeDate}`) });
  return found;
}

/** The wanted days of stored columns, by quarter. */
function quartersOf(stored: readonly StoredColumns[], ended: ReadonlySet<number>): PanelQuarter[] {
  return Array.from(Map.groupBy(stored, ({ quarter }) => quarter).values(), (parts) => {
    const [{ days, outdatedFrom }] = parts as [StoredColumns];
    const wanted = days.flatMap((day, at) =>
      ended.has(day) && (outdatedFrom === null || day < outdatedFrom) ? at : [],
    );
    return { days, wanted, parts: Object.fromEntries(parts.map(({ part, packed }) => [part, packed])) };
  });
}

/** Days that are in no columns: of stored rows, of bars alone, and derived where the caller waits for it. */
async function otherDays(
  context: AppContext,
  { fields, derives, awaitsPeers, signal }: Panel,
  tape: SymbolTape,
  days: readonly HistoryDay[],
  found: Findings,
): Promise<Pick<PanelStock, 'rows' | 'notDerived'>> {
  const isCurrent = context.histories.keptUntil();
  const ofBars = fields.filter((field) => BAR_FIELDS.has(topOf(field)));
  const others = days.filter(({ tradeDate }) => !found.stored.has(tradeDate));
  await addBarRows(context, tape, others, ofBars, found.rows, signal);
  if (ofBars.length < fields.length)
    findKept(context, found, others, awaitsPeers && needsPeers(fields.map(topOf)));
  const missing = [...found.missing.values()];
  if (derives && missing.length > 0) {
    const named = new Map(missing.map((day) => [day.tradeDate, day]));
    await deriveMissing(
      context,
      tape,
      missing,
      { isAwaited: true, awaitsPeers: awaitsPeers && needsPeers(fields.map(topOf)) },
      signal,
      (date, derived) => {
        context.histories.keep(named.get(date)!, derived, isCurrent);
        found.add(date, derived);
      },
    );
  }
  return {
    rows: days.flatMap(({ tradeDate }) => {
      const row = (found.rows.get(tradeDate) ?? null) as RowValues | null;
      return row === null ? [] : { day: dayOf(tradeDate), ...row };
    }),
    notDerived: [...found.missing.keys()],
  };
}
