import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { checkScreen } from '../../analysis/screening/check.ts';
import { fieldsIn } from '../../analysis/screening/fields-in.ts';
import { DEPTH_MAX } from '../../analysis/screening/check-conditions.ts';
import type { Operand, Screen } from '../../analysis/screening/screen.ts';
import { requireSession } from '../../base/calendar.ts';
import { CodedError, type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import { valueText } from '../../derive/value-text.ts';
import type { OutcomeMiss, ScreenOutcome } from '../../workers/screen-worker.ts';
import { type Caller, viewKey } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { inTime } from '../answers/cached-answer.ts';
import { valueFault } from '../answers/refusals.ts';
import { sessionsBehind } from '../answers/sessions-behind.ts';
import type { AppContext } from '../context/app-context.ts';
import type { CachedColumn, CachedResult } from '../context/result-cache.ts';
import type { ImageColumn, ScreenImage } from '../context/screen-image.ts';
import { CLOSES_PAGE_MAX, PAGE_DEFAULT, type ScreenBody, SELECTED_BY_DEFAULT } from './schema.ts';
import { cursorText, pageText, readCursor, type ScreenCursor } from './screen-page.ts';
import { sessionCloses } from './session-closes.ts';
import { maySeeDate, newestScreenDate } from './visible-date.ts';

/** The body of a request; its conditions are not validated yet. */
export type ScreenRequest = Partial<Static<typeof ScreenBody>>;

type ScreenContext = Pick<
  AppContext,
  'calendar' | 'clock' | 'screener' | 'queryTimeoutMs' | 'symbolMarkets' | 'tapes' | 'deriver'
>;

const FIELDS = new Map(SCALAR_FIELDS.map((field) => [field.path, field]));

/** Every fault of a request's conditions, with its path in the body. */
export function screenFaults(request: unknown): ValidationFault[] {
  return checkScreen(request, FIELDS, SELECTED_BY_DEFAULT).faults.map(({ path, ...fault }) => ({
    ...fault,
    loc: ['body', ...path.map(String)],
    ctx: fault.ctx ?? {},
  }));
}

/**
 * The stocks of a trade date that pass a tree of conditions, one page as JSON text. All pages of a screen come from the
 * result of its first one, so that writes in between neither repeat nor lose a stock.
 *
 * @throws CodedError validation_failed, no_session, no_data_for_date, cursor_expired, overloaded, query_timeout
 */
export async function screenStocks(
  context: ScreenContext,
  request: ScreenRequest,
  caller: Caller,
): Promise<string> {
  const { screen } = checkScreen(withCanonicalSymbols(request), FIELDS, SELECTED_BY_DEFAULT);
  if (screen === null) throw new ValidationRefusal(screenFaults(request));
  if (request.closes === true && (request.limit ?? PAGE_DEFAULT) > CLOSES_PAGE_MAX) throw closesRefusal;
  const simulated = await context.symbolMarkets.marketFor(caller, request.market);
  const name = screenName(request, simulated, caller);
  const cursor = request.cursor === undefined ? null : checkCursor(request.cursor, request.date, name);
  return inTime(context, 'The screen was not answered', async (signal) => {
    const call = { request, simulated, screen, name, cursor, caller, signal };
    // After a timeout the read of the columns continues for the next caller.
    const result = await resultOf(context, call);
    const asked = { date: request.date, tradeDate: result.tradeDate };
    const [limit, offset] = [request.limit ?? PAGE_DEFAULT, offsetOf(result, cursor)];
    const page = {
      name,
      limit,
      offset,
      closes: request.closes === true ? await closesOf(context, result, offset, limit, signal) : null,
      sessionsBehind: sessionsBehind(context.calendar, asked, caller, context.clock.now()),
    };
    return pageText(result, page, { source: caller.source, simulated });
  });
}

const closesRefusal = new ValidationRefusal([
  valueFault(['body', 'closes'], true, `Closes come with a limit of at most ${CLOSES_PAGE_MAX}`),
]);

/** No row of a page that its caller may see is newer than the newest of its screen. */
const closesOf = (
  context: ScreenContext,
  { tradeDate, newestAsOf, symbols, rows }: CachedResult,
  offset: number,
  limit: number,
  signal: AbortSignal,
) =>
  sessionCloses(
    context,
    {
      symbols: Array.from(rows.slice(offset, offset + limit), (row) => symbols[row]!),
      tradeDate,
      asOf: newestAsOf ?? 0,
    },
    signal,
  );

/** The request with the symbols of its conditions in canonical form. */
function withCanonicalSymbols(request: ScreenRequest): ScreenRequest {
  // A condition and its list are two levels.
  return request.filter === undefined
    ? request
    : { ...request, filter: canonicalCondition(request.filter, 2 * DEPTH_MAX) };
}

/** Deeper conditions stay as they are; validation refuses them. */
function canonicalCondition(node: unknown, depth: number): unknown {
  if (typeof node !== 'object' || node === null || depth < 0) return node;
  if (Array.isArray(node)) return node.map((each) => canonicalCondition(each, depth - 1));
  if ('field' in node && node.field === 'symbol' && 'value' in node) {
    const { value } = node;
    const canonical = (text: unknown): unknown => (typeof text === 'string' ? canonicalSymbol(text) : text);
    return { ...node, value: Array.isArray(value) ? value.map(canonical) : canonical(value) };
  }
  const members = Object.entries(node).map(([name, each]) => [name, canonicalCondition(each, depth - 1)]);
  return Object.fromEntries(members);
}

function screenName(request: ScreenRequest, simulated: boolean, caller: Caller): string {
  const { filter, computed, sort, select, near_misses, date } = request;
  const screen = sortedKeys({ filter, computed, sort, select, near_misses, date });
  return hash('sha1', JSON.stringify([screen, [simulated, viewKey(caller), caller.delayMs]]), 'base64url');
}

/** The value with sorted keys: clients write them in any order. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => [key, sortedKeys(each)]);
}

const cursorRefusal = (msg: string, input: unknown): ValidationRefusal =>
  new ValidationRefusal([valueFault(['body', 'cursor'], input, msg)]);

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

interface ScreenCall {
  readonly request: ScreenRequest;
  readonly simulated: boolean;
  readonly screen: Screen;
  readonly name: string;
  readonly cursor: ScreenCursor | null;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

async function resultOf(context: ScreenContext, call: ScreenCall): Promise<CachedResult> {
  const { name, cursor } = call;
  if (cursor !== null) {
    const cached = context.screener.results.get(keyOf(cursor.version, name));
    if (cached !== undefined) return cached;
  }
  const image =
    cursor === null ? await imageOfDate(context, call) : await imageOfCursor(context, cursor, call);
  const key = keyOf(image.version, name);
  const cached = context.screener.results.get(key);
  if (cached !== undefined) return cached;
  const result = await runScreen(context, image, call);
  context.screener.results.set(key, result);
  return result;
}

const keyOf = (version: string, name: string): string => `${version}|${name}`;

async function imageOfDate(
  context: ScreenContext,
  { request, simulated, caller }: ScreenCall,
): Promise<ScreenImage> {
  const { date } = request;
  if (date !== undefined) requireSession(context.calendar, date);
  const tradeDate = date ?? (await newestScreenDate(context, simulated, caller));
  const image = tradeDate === null ? null : await context.screener.columns(simulated).of(tradeDate);
  if (image !== null && maySeeDate(context, caller, image.tradeDate, newestOf(image.asOf))) return image;
  const newest = await newestScreenDate(context, simulated, caller);
  if (newest === null) {
    // Of the stocks of a first import nothing is derived before the first pass.
    const isPending = (await context.symbolMarkets.symbolsOf(caller, simulated)).size > 0;
    throw new CodedError(
      'no_data_for_date',
      absence(isPending ? 'refused.screen_pending' : 'refused.screen'),
    );
  }
  throw new CodedError(
    'no_data_for_date',
    absence('refused.screen_date', { date: tradeDate ?? newest, newest }),
  );
}

/** @throws CodedError cursor_expired when the stored rows have changed */
async function imageOfCursor(
  context: ScreenContext,
  { tradeDate, version }: ScreenCursor,
  { simulated, caller }: ScreenCall,
): Promise<ScreenImage> {
  const image = await context.screener.columns(simulated).of(tradeDate);
  if (image?.version === version && maySeeDate(context, caller, tradeDate, newestOf(image.asOf)))
    return image;
  throw new CodedError('cursor_expired');
}

const newestOf = (instants: Float64Array): number => instants.reduce((newest, at) => Math.max(newest, at), 0);

async function runScreen(
  context: ScreenContext,
  image: ScreenImage,
  { request, screen, caller, signal }: ScreenCall,
): Promise<CachedResult> {
  const only = universeOf(image, request, caller);
  const { filter, computed, sort, select } = screen;
  const paths = fieldsIn(filter, [...computed.values()], sort, select).add('symbol');
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
    unknown: outcome.unknown,
    oldestAsOf: asOf.length === 0 ? null : asOf.reduce((oldest, at) => Math.min(oldest, at)),
    newestAsOf: asOf.length === 0 ? null : newestOf(asOf),
    symbols: image.symbols,
    rows: outcome.rows,
    columns: screen.select.map((operand, at) => resultColumn(image, operand, outcome.selected[at]!)),
    nearMisses: nearMissesText(image, request, outcome),
  };
}

/** Names of indices begin with it. */
const INDEX_MARK = '^';

/** Rows to screen, ascending; null for all. Indices are left out unless the filter names one. */
function universeOf(image: ScreenImage, { filter }: ScreenRequest, { symbols }: Caller): Uint32Array | null {
  const granted = symbols === null ? null : rowsOf(image, symbols);
  const isIndex = (row: number): boolean => image.symbols[row]!.startsWith(INDEX_MARK);
  if (JSON.stringify(filter ?? null).includes(`"${INDEX_MARK}`)) return granted;
  if (granted !== null) return granted.filter((row) => !isIndex(row));
  if (!image.symbols.some((symbol) => symbol.startsWith(INDEX_MARK))) return null;
  return Uint32Array.from(image.symbols.keys()).filter((row) => !isIndex(row));
}

/** Ascending; symbols without a row are left out. */
function rowsOf({ symbols }: ScreenImage, granted: ReadonlySet<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, symbol] of symbols.entries()) if (granted.has(symbol)) rows.push(row);
  return Uint32Array.from(rows);
}

function resultColumn({ columns }: ScreenImage, operand: Operand, values: Float64Array): CachedColumn {
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

/** A condition as written, or a group, which has no field. */
type WrittenCondition = Readonly<Record<string, unknown>> & { readonly field?: string };

/** The condition at a path of a validated request, e.g. `filter.all.2`. */
const conditionAt = (request: ScreenRequest, path: string): WrittenCondition =>
  path.split('.').reduce((at, step) => at[step] as WrittenCondition, request as WrittenCondition);

const COMPUTED = 'computed.';

/** The value that failed the condition; null for a group. */
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
