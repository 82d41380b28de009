import { requireSession } from '../../base/require-session.ts';
import { hash } from 'node:crypto';
import { checkScreen, DEPTH_MAX, type Operand, type Screen } from '../../analysis/screening/index.ts';
import { CodedError, isCoded, type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import { type Caller, viewKey } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import type { CachedColumn, CachedResult } from './result-cache.ts';
import type { ImageColumn, ScreenImage } from './image.ts';
import { rowsText, valueText } from './page-text.ts';
import { cursorText, readCursor, type ScreenCursor } from './screen-cursor.ts';
import { screenPaths } from './screen-paths.ts';
import type { OutcomeMiss, ScreenOutcome } from '../../workers/screen-tasks.ts';
import { maySeeDate, newestScreenDate } from './visible-date.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 500;

/** What is answered of each stock where the request selects nothing. */
export const SELECTED_BY_DEFAULT: readonly string[] = [
  'symbol',
  'company_name',
  'last_price',
  'intraday_return_pct',
  'rel_volume',
  'bullish_confluence',
  'bearish_confluence',
  'net_confluence',
  'directional_bias',
];

/** The body of a request, whose tree is still to be checked. */
export interface ScreenRequest {
  readonly filter?: unknown;
  readonly computed?: unknown;
  readonly sort?: unknown;
  readonly select?: unknown;
  readonly near_misses?: unknown;
  readonly limit?: number;
  /** Where an earlier page of the same screen ended. */
  readonly cursor?: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest that the caller may see. */
  readonly date?: string;
}

type ScreenContext = Pick<AppContext, 'calendar' | 'clock' | 'screener' | 'queryTimeoutMs'>;

const FIELDS = new Map(SCALAR_FIELDS.map((field) => [field.path, field]));

/** Every fault of a request's tree, with its place in the body. */
export function screenFaults(request: unknown): ValidationFault[] {
  return checkScreen(request, FIELDS, SELECTED_BY_DEFAULT).faults.map(({ path, ...fault }) => ({
    ...fault,
    loc: ['body', ...path.map(String)],
    ctx: fault.ctx ?? {},
  }));
}

/**
 * The stocks of a trade date that fulfil a tree of conditions, a page at a time, as JSON text.
 *
 * Pages of one screen are cut from what it came to when its first page was made: no stock comes twice or is lost,
 * whatever is written meanwhile.
 *
 * @throws CodedError validation_failed, no_session, no_data_for_date, cursor_expired, overloaded, query_timeout
 */
export async function screenStocks(
  context: ScreenContext,
  request: ScreenRequest,
  caller: Caller,
): Promise<string> {
  const { screen } = checkScreen(withTapeSymbols(request), FIELDS, SELECTED_BY_DEFAULT);
  if (screen === null) throw new ValidationRefusal(screenFaults(request));
  const name = screenName(request, caller);
  const cursor = request.cursor === undefined ? null : checkCursor(request.cursor, request.date, name);
  const signal = AbortSignal.timeout(context.queryTimeoutMs);
  const carriedOut = heldOf(context, { request, screen, name, cursor, caller, signal });
  try {
    const held = await unlessAborted(carriedOut, signal);
    return pageText(
      held,
      { name, limit: request.limit ?? PAGE_DEFAULT, offset: offsetOf(held, cursor) },
      caller,
    );
  } catch (error) {
    if (!signal.aborted || isCoded(error)) throw error;
    throw new CodedError('query_timeout', `The screen was not answered within ${context.queryTimeoutMs} ms`);
  }
}

/** The request with the symbols that its conditions name written as on the tape. */
function withTapeSymbols(request: ScreenRequest): ScreenRequest {
  // A condition and the list that it stands in are two steps.
  return request.filter === undefined
    ? request
    : { ...request, filter: conditionOnTape(request.filter, 2 * DEPTH_MAX) };
}

/** What lies deeper than conditions may is left as it is, to be refused. */
function conditionOnTape(node: unknown, depth: number): unknown {
  if (typeof node !== 'object' || node === null || depth < 0) return node;
  if (Array.isArray(node)) return node.map((each) => conditionOnTape(each, depth - 1));
  if ('field' in node && node.field === 'symbol' && 'value' in node) {
    const { value } = node;
    const written = (text: unknown): unknown => (typeof text === 'string' ? canonicalSymbol(text) : text);
    return { ...node, value: Array.isArray(value) ? value.map(written) : written(value) };
  }
  const members = Object.entries(node).map(([name, each]) => [name, conditionOnTape(each, depth - 1)]);
  return Object.fromEntries(members);
}

/** What waits for the store goes on without the caller; the next one finds it done. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}

/** Names a screen together with who may see its answer: pages of one feed are none of another. */
function screenName(request: ScreenRequest, caller: Caller): string {
  const { filter, computed, sort, select, near_misses, date } = request;
  const asked = sortedKeys({ filter, computed, sort, select, near_misses, date });
  const seenBy = [viewKey(caller), caller.delayMs];
  return hash('sha1', JSON.stringify([asked, seenBy]), 'base64url');
}

/** The same value with the keys of its records in one order: clients write them in any. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => [key, sortedKeys(each)]);
}

const cursorRefusal = (msg: string, input: unknown): ValidationRefusal =>
  new ValidationRefusal([{ loc: ['body', 'cursor'], msg, type: 'value_error', input, ctx: { error: msg } }]);

function checkCursor(text: string, date: string | undefined, screen: string): ScreenCursor {
  const cursor = readCursor(text);
  if (cursor === null) throw cursorRefusal('Input is no cursor of this endpoint', text);
  if (cursor.screen !== screen || (date !== undefined && cursor.tradeDate !== date)) {
    throw cursorRefusal(
      'The cursor belongs to another screen: send it with the request that it came from',
      text,
    );
  }
  return cursor;
}

function offsetOf({ rows }: CachedResult, cursor: ScreenCursor | null): number {
  if (cursor === null) return 0;
  if (cursor.offset < rows.length) return cursor.offset;
  throw cursorRefusal('The cursor points beyond the last stock', cursorText(cursor));
}

interface Asked {
  readonly request: ScreenRequest;
  readonly screen: Screen;
  readonly name: string;
  readonly cursor: ScreenCursor | null;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** What the screen came to when its first page was made, or comes to now. */
async function heldOf(context: ScreenContext, asked: Asked): Promise<CachedResult> {
  const { name, cursor } = asked;
  if (cursor !== null) {
    const held = context.screener.held.get(keyOf(cursor.version, name));
    if (held !== null) return held;
  }
  const image =
    cursor === null ? await imageAsked(context, asked) : await imageOfCursor(context, cursor, asked.caller);
  const key = keyOf(image.version, name);
  const ready = context.screener.held.get(key);
  if (ready !== null) return ready;
  const held = await carryOut(context, image, asked);
  context.screener.held.put(key, held);
  return held;
}

const keyOf = (version: string, name: string): string => `${version}|${name}`;

async function imageAsked(context: ScreenContext, { request, caller }: Asked): Promise<ScreenImage> {
  const { date } = request;
  if (date !== undefined) requireSession(context.calendar, date);
  const tradeDate = date ?? (await newestScreenDate(context, caller));
  const image = tradeDate === null ? null : await context.screener.images.of(tradeDate);
  if (image !== null && maySeeDate(context, caller, image.tradeDate, newestOf(image.asOf))) return image;
  const newest = await newestScreenDate(context, caller);
  if (newest === null)
    throw new CodedError('no_data_for_date', 'There is no stock-day yet that may be shown');
  throw new CodedError(
    'no_data_for_date',
    `No stock-day of ${tradeDate ?? newest} may be shown; the newest date that may be screened is ${newest}`,
  );
}

/** @throws CodedError cursor_expired, where the rows that the pages are cut from are no longer what is stored */
async function imageOfCursor(
  context: ScreenContext,
  { tradeDate, version }: ScreenCursor,
  caller: Caller,
): Promise<ScreenImage> {
  const image = await context.screener.images.of(tradeDate);
  if (image?.version === version && maySeeDate(context, caller, tradeDate, newestOf(image.asOf)))
    return image;
  throw new CodedError('cursor_expired');
}

const newestOf = (instants: Float64Array): number => instants.reduce((most, at) => Math.max(most, at), 0);

async function carryOut(
  context: ScreenContext,
  image: ScreenImage,
  { request, screen, caller, signal }: Asked,
): Promise<CachedResult> {
  const only = universeOf(image, request, caller);
  const paths = screenPaths(screen).add('symbol');
  const columns = new Map(
    Array.from(paths, (path) => {
      const { values, dictionary } = image.columns.get(path)!;
      const shared = dictionary === null ? null : { id: dictionary.id, packed: dictionary.packed };
      return [path, { values, dictionary: shared }];
    }),
  );
  const outcome = await context.screener.thread.run(
    { screen, rows: image.symbols.length, only, columns },
    signal,
  );
  const asOf = only === null ? image.asOf : Float64Array.from(only, (row) => image.asOf[row]!);
  return {
    tradeDate: image.tradeDate,
    version: image.version,
    universe: asOf.length,
    oldestAsOf: asOf.length === 0 ? null : asOf.reduce((least, at) => Math.min(least, at)),
    newestAsOf: asOf.length === 0 ? null : newestOf(asOf),
    symbols: image.symbols,
    rows: outcome.rows,
    columns: screen.select.map((operand, at) => heldColumn(image, operand, outcome.selected[at]!)),
    nearMisses: nearMissesText(image, request, outcome),
  };
}

/** Names of indices begin so. */
const INDEX_MARK = '^';

/**
 * Rows that a screen looks at, ascending; null for all. An index is no stock and is looked at only where the filter
 * names one.
 */
function universeOf(image: ScreenImage, { filter }: ScreenRequest, { symbols }: Caller): Uint32Array | null {
  const seen = symbols === null ? null : rowsOf(image, symbols);
  const isIndex = (row: number): boolean => image.symbols[row]!.startsWith(INDEX_MARK);
  if (JSON.stringify(filter ?? null).includes(`"${INDEX_MARK}`)) return seen;
  if (seen !== null) return seen.filter((row) => !isIndex(row));
  if (!image.symbols.some((symbol) => symbol.startsWith(INDEX_MARK))) return null;
  return Uint32Array.from(image.symbols.keys()).filter((row) => !isIndex(row));
}

/** Ascending; a symbol without a row is left out. */
function rowsOf({ symbols }: ScreenImage, wanted: ReadonlySet<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, symbol] of symbols.entries()) if (wanted.has(symbol)) rows.push(row);
  return Uint32Array.from(rows);
}

function heldColumn({ columns }: ScreenImage, operand: Operand, values: Float64Array): CachedColumn {
  if (operand.kind === 'computed') {
    return { name: `computed.${operand.name}`, type: 'number', values, words: null };
  }
  const { path } = operand;
  const words = columns.get(path)!.dictionary?.words ?? null;
  return { name: path, type: scalarField(path)!.type, values, words };
}

function nearMissesText(image: ScreenImage, request: ScreenRequest, { nearMisses }: ScreenOutcome): string {
  const texts = nearMisses.map((miss) => {
    const condition = conditionAt(request, miss.failed);
    return `{"symbol":${JSON.stringify(image.symbols[miss.row])},"failed":${JSON.stringify(miss.failed)},"condition":${JSON.stringify(condition)},"distance":${valueText('number', miss.distance, null)},"value":${missedValue(image, condition, miss)}}`;
  });
  return `[${texts.join(',')}]`;
}

/** A part of a filter as it was written: a condition, or a group, which has no field. */
type WrittenCondition = Readonly<Record<string, unknown>> & { readonly field?: string };

/** What stands at a place of a request that has been checked, e.g. at `filter.all.2`. */
const conditionAt = (request: ScreenRequest, place: string): WrittenCondition =>
  place.split('.').reduce((at, step) => at[step] as WrittenCondition, request as WrittenCondition);

const COMPUTED = 'computed.';

/** What the stock has where the condition asks for something else; null for a group of conditions. */
function missedValue(
  { columns }: ScreenImage,
  { field: name }: WrittenCondition,
  { row, computed }: OutcomeMiss,
): string {
  if (name === undefined) return 'null';
  const field = scalarField(name);
  if (field === null) return valueText('number', computed.get(name.slice(COMPUTED.length))!, null);
  const { values, dictionary }: ImageColumn = columns.get(name)!;
  return valueText(field.type, values[row]!, dictionary?.words ?? null);
}

interface Page {
  readonly name: string;
  readonly limit: number;
  readonly offset: number;
}

function pageText(held: CachedResult, { name, limit, offset }: Page, { source }: Caller): string {
  const { tradeDate, version, rows } = held;
  const end = offset + limit;
  const next = end < rows.length ? cursorText({ tradeDate, version, screen: name, offset: end }) : null;
  const head = JSON.stringify({
    date: tradeDate,
    as_of: { oldest: instantText(held.oldestAsOf), newest: instantText(held.newestAsOf) },
    source,
    total: rows.length,
    universe: held.universe,
  });
  // They are of the screen and not of a page: told once.
  const nearMisses = offset === 0 ? held.nearMisses : '[]';
  return `${head.slice(0, -1)},"rows":[${rowsText(held, offset, end)}],"near_misses":${nearMisses},"next_cursor":${JSON.stringify(next)}}`;
}

const instantText = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();
