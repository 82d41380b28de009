import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { INCLUDE_FIELDS, joinStock } from '../../derive/compose.ts';
import type { DayOutcome, MissingDay } from '../../derive/deriver.ts';
import { readFacts, readFactsOf, type StoredFacts } from '../../graph/read-facts.ts';
import { newestDay, oldestDay, type SymbolTape } from '../../market/tape/index.ts';
import { type Answer, sealAnswer } from './answer-cache.ts';
import { jobsWithPeers } from './jobs-with-peers.ts';
import { marketAt } from '../market/market-at.ts';
import { seenTapes } from './seen-tapes.ts';
import { unknownSymbol } from './unknown-symbol.ts';
import { type DataFeed, type Viewer, viewKey, withoutForeign } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';

export interface StockRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the symbol's newest session. */
  readonly date?: string | undefined;
  /** Include words without repetition, in a fixed order. */
  readonly includes: readonly string[];
}

/** Answers about a session that can still grow are made anew after this long. */
const RUNNING_TTL_MS = 5_000;
/** Which session is the newest can change at midnight; asking again each minute is soon enough. */
const NEWEST_TTL_MS = 60_000;
/** A correction of another stock can move the market of a day that no pass has stored, and nobody announces that. */
const UNSTORED_TTL_MS = 60_000;
/** Facts this much older than what may be seen are derived anew for the asker. */
const STALE_AFTER_MS = 60_000;

const keyOf = (request: StockRequest, viewer: Viewer): string =>
  `${viewKey(viewer)}|${request.symbol}|${request.date ?? ''}|${request.includes.join()}`;

/** The ready answer, or null when it has to be made. Synchronous: a hot answer costs no turn of the event loop. */
export function peekStock(context: AppContext, request: StockRequest, viewer: Viewer): Answer | null {
  return context.answers.get(keyOf(request, viewer), context.clock.now());
}

/**
 * Everything known of one stock on a trade date.
 *
 * Stored facts are served where a pass has derived the day from the tape as it is now; any other day on the tape is
 * derived for the asker by the same function, to the same bytes.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export function getStock(context: AppContext, request: StockRequest, viewer: Viewer): Promise<Answer> {
  const { symbol } = request;
  return context.answers.share(keyOf(request, viewer), symbol, () => makeInTime(context, request, viewer));
}

async function makeInTime(context: AppContext, request: StockRequest, viewer: Viewer): Promise<Answer> {
  const generation = context.answers.generation;
  const deadline = AbortSignal.timeout(context.queryTimeoutMs);
  try {
    const { text, expires } = await makeAnswer(context, request, viewer, deadline);
    const answer = sealAnswer(text);
    context.answers.put(keyOf(request, viewer), request.symbol, answer, expires, generation);
    return answer;
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new CodedError(
      'query_timeout',
      `${request.symbol} was not answered within ${context.queryTimeoutMs} ms`,
    );
  }
}

async function makeAnswer(context: AppContext, request: StockRequest, viewer: Viewer, signal: AbortSignal) {
  const look = await loadStock(context, request, viewer, signal);
  const { core, ...includes } = look.values;
  const text = joinStock({ core: core!, includes }, viewer.source, request.includes);
  return { text, expires: look.now + ttlOf(context, request, look) };
}

/** What a viewer may know of a stock, in the pieces that answers are joined from. */
export interface StockSnapshot extends Wanted {
  /** Block name to wire JSON: `core`, and the blocks of the include words asked for. */
  readonly values: Readonly<Record<string, string>>;
  /** The instant that the values speak for, epoch milliseconds: `asOf`, or where stored ones serve a little before it. */
  readonly factsAsOf: number;
  /** False when they were derived for the asker. */
  readonly stored: boolean;
  /** The clock's time of the look. */
  readonly now: number;
}

/**
 * Looks a stock up without keeping an answer: for those who make something else of it.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function loadStock(
  context: AppContext,
  request: StockRequest,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<StockSnapshot> {
  return narrowedSnapshot(await lookWhole(context, request, viewer, signal), viewer);
}

/** A look without the stocks that a viewer may not be told of. */
export function narrowedSnapshot(look: StockSnapshot, viewer: Viewer): StockSnapshot {
  if (viewer.symbols === null) return look;
  const { core, ...includes } = look.values;
  const narrow = (text: string): string => JSON.stringify(withoutForeign(JSON.parse(text), viewer));
  const values = Object.fromEntries(Object.entries(includes).map(([name, text]) => [name, narrow(text)]));
  return { ...look, values: { core: narrow(`{${core}}`).slice(1, -1), ...values } };
}

async function lookWhole(
  context: AppContext,
  request: StockRequest,
  feed: DataFeed,
  signal: AbortSignal,
): Promise<StockSnapshot> {
  const { symbol } = request;
  const ready = (await looksStoredToday(context, [symbol], request, feed, signal)).get(symbol);
  if (ready !== undefined) return ready;
  const [tape] = await seenTapes(context, [symbol], feed, { signal });
  if (tape === undefined) {
    throw await unknownSymbol(context, symbol, context.clock.now() - feed.delayMs, signal);
  }
  const now = context.clock.now();
  let wanted = resolveDate(context, tape, request.date, now, feed.delayMs);
  let found = await factsOn(context, tape, wanted, request.includes, signal);
  if (found.kind === 'missing' && request.date === undefined && found.before !== null) {
    // The manifest knows daily bars by their range; the day that it offered had none, the one before it has.
    wanted = resolveDate(context, tape, found.before, now, feed.delayMs);
    found = await factsOn(context, tape, wanted, request.includes, signal);
  }
  if (found.kind === 'missing') throw noData(symbol, wanted.tradeDate, found);
  return { ...wanted, values: found.values, factsAsOf: found.asOf, stored: found.stored, now };
}

/**
 * Looks several stocks up as a feed shows them, with as few questions to the store and to the threads as can be: the looks
 * are whole, and `narrowedSnapshot` makes of each what a viewer may see.
 *
 * @param symbols in capitals, each once
 * @returns by symbol the look, or what its look came to instead; what none could come to throws
 */
export async function loadStocks(
  context: AppContext,
  symbols: readonly string[],
  includes: readonly string[],
  feed: DataFeed,
  signal: AbortSignal,
): Promise<Map<string, StockSnapshot | Error>> {
  const found: Map<string, StockSnapshot | Error> = await looksStoredToday(
    context,
    symbols,
    { date: undefined, includes },
    feed,
    signal,
  );
  const others = symbols.filter((symbol) => !found.has(symbol));
  if (others.length === 0) return found;
  const tapes = await seenTapes(context, others, feed, { signal });
  const now = context.clock.now();
  const wanted = new Map<string, { readonly tape: SymbolTape; readonly day: Wanted }>();
  for (const tape of tapes) {
    try {
      wanted.set(tape.symbol, { tape, day: resolveDate(context, tape, undefined, now, feed.delayMs) });
    } catch (refusal) {
      found.set(tape.symbol, refusal as Error);
    }
  }
  const blocks = blocksOf(includes);
  const names = Array.from(wanted, ([symbol, { day }]) => ({ symbol, tradeDate: day.tradeDate }));
  const stored = await readFactsOf(context.database, names, blocks, { signal });
  const behind: { readonly tape: SymbolTape; readonly day: Wanted }[] = [];
  for (const [symbol, { tape, day }] of wanted) {
    const use = useOf(stored.get(symbol) ?? null, day.asOf, blocks);
    if (use.facts === null) behind.push({ tape, day: { ...day, asOf: use.asOf } });
    else found.set(symbol, { ...day, values: use.facts, factsAsOf: use.asOf, stored: true, now });
  }
  for (const outcome of await deriveAll(context, behind, signal)) {
    if (outcome.kind !== 'derived') continue;
    const { symbol, facts, asOf } = outcome;
    const { day } = wanted.get(symbol)!;
    found.set(symbol, { ...day, values: facts, factsAsOf: asOf, stored: false, now });
  }
  // What is neither stored nor derived has a story of its own: unknown, without a bar of the day, or broken.
  for (const symbol of symbols) {
    if (found.has(symbol)) continue;
    found.set(symbol, await lookWhole(context, { symbol, includes }, feed, signal).catch((error) => error));
  }
  return found;
}

/**
 * Looks at stocks whose running day is stored as of this minute. It is their newest, so that their tapes, which grow
 * with the day, need not be read to find out; one question to the store for all.
 */
async function looksStoredToday(
  context: AppContext,
  symbols: readonly string[],
  { date, includes }: Pick<StockRequest, 'date' | 'includes'>,
  { delayMs }: DataFeed,
  signal: AbortSignal,
): Promise<Map<string, StockSnapshot>> {
  const looks = new Map<string, StockSnapshot>();
  const now = context.clock.now();
  const tradeDate = context.calendar.tradeDateOf(now);
  const session = context.calendar.session(tradeDate);
  const asOf = session === null ? null : asOfInstant(session, now, delayMs);
  if (asOf === null || asOf >= session!.postClose || (date ?? tradeDate) !== tradeDate) return looks;
  const blocks = blocksOf(includes);
  const names = symbols.map((symbol) => ({ symbol, tradeDate }));
  for (const [symbol, stored] of await readFactsOf(context.database, names, blocks, { signal })) {
    const { facts, asOf: factsAsOf } = useOf(stored, asOf, blocks);
    if (facts !== null) looks.set(symbol, { tradeDate, asOf, values: facts, factsAsOf, stored: true, now });
  }
  return looks;
}

/** The stored parts that an answer with these include words is joined from. */
const blocksOf = (includes: readonly string[]): string[] => [
  'core',
  ...includes.map((word) => INCLUDE_FIELDS.get(word)!),
];

/** Derives days of several stocks, those of one date and instant together. */
async function deriveAll(
  context: AppContext,
  days: readonly { readonly tape: SymbolTape; readonly day: Wanted }[],
  signal: AbortSignal,
): Promise<DayOutcome[]> {
  const instants = Map.groupBy(days, ({ day }) => `${day.tradeDate}@${day.asOf}`);
  const outcomes = await Promise.all(
    Array.from(instants.values(), async (group) => {
      const { tradeDate, asOf } = group[0]!.day;
      const [market, tapes] = await Promise.all([
        marketAt(context, tradeDate, asOf, signal),
        context.tape.withFacts(
          group.map(({ tape }) => ({ tape, from: asOf, to: asOf })),
          { signal },
        ),
      ]);
      const jobs = tapes.map((tape) => ({ tape, days: [{ tradeDate, asOf }] }));
      const known = await jobsWithPeers(context, jobs, signal);
      return context.deriver.derive(known, { signal, markets: { [tradeDate]: market } });
    }),
  );
  return outcomes.flat();
}

function ttlOf(
  context: AppContext,
  request: StockRequest,
  { tradeDate, asOf, stored }: StockSnapshot,
): number {
  if (asOf < context.calendar.session(tradeDate)!.postClose) return RUNNING_TTL_MS;
  if (request.date === undefined) return NEWEST_TTL_MS;
  return stored ? Number.POSITIVE_INFINITY : UNSTORED_TTL_MS;
}

interface Wanted {
  readonly tradeDate: string;
  readonly asOf: number;
}

interface FoundDay {
  readonly kind: 'found';
  readonly values: Readonly<Record<string, string>>;
  readonly asOf: number;
  /** False when it was derived for the asker. */
  readonly stored: boolean;
}

type Found = FoundDay | MissingDay;

/** Facts of a day: the stored ones where they can be trusted, else derived on the spot. */
async function factsOn(
  context: AppContext,
  tape: SymbolTape,
  { tradeDate, asOf }: Wanted,
  includes: readonly string[],
  signal: AbortSignal,
): Promise<Found> {
  const blocks = blocksOf(includes);
  const stored = await readFacts(context.database, tape.symbol, tradeDate, blocks, { signal });
  const use = useOf(stored, asOf, blocks);
  if (use.facts === null) return deriveNow(context, tape, tradeDate, use.asOf, signal);
  return { kind: 'found', values: use.facts, asOf: use.asOf, stored: true };
}

/** What stored facts are good for: to be served, or else the instant to derive the day as of. */
function useOf(
  stored: StoredFacts | null,
  asOf: number,
  blocks: readonly string[],
): { readonly facts: StoredFacts['values'] | null; readonly asOf: number } {
  if (stored === null || stored.outdated || stored.asOf > asOf || asOf - stored.asOf >= STALE_AFTER_MS) {
    return { facts: null, asOf };
  }
  // Of a session that runs only some blocks are kept; the others are derived as of the same instant.
  const isWhole = blocks.every((block) => block in stored.values);
  return { facts: isWhole ? stored.values : null, asOf: stored.asOf };
}

/** The trade date that the request means and the instant up to which its viewer may see it. */
function resolveDate(
  context: AppContext,
  tape: SymbolTape,
  asked: string | undefined,
  now: number,
  delayMs: number,
): Wanted {
  const { calendar } = context;
  if (asked === undefined) {
    for (let day = newestDay(tape, todayAt(context, now)); day !== null; day = newestDay(tape, day - 1)) {
      const tradeDate = dateOf(day * DAY_MS);
      const session = calendar.session(tradeDate);
      const asOf = session === null ? null : asOfInstant(session, now, delayMs);
      if (asOf !== null) return { tradeDate, asOf };
    }
    throw new CodedError('no_data_for_date', `${tape.symbol} has no session that may be shown yet`);
  }
  const session = calendar.session(asked);
  if (session === null) throw noSession(context, asked);
  const asOf = asOfInstant(session, now, delayMs);
  const first = dateOf(oldestDay(tape)! * DAY_MS);
  if (asked < first) {
    throw new CodedError(
      'no_data_for_date',
      `${tape.symbol} has no data on ${asked}; its first session is ${first}`,
    );
  }
  if (asOf === null) {
    const newest = resolveDate(context, tape, undefined, now, delayMs).tradeDate;
    throw new CodedError(
      'no_data_for_date',
      `The session of ${asked} has not begun for this viewer; the newest of ${tape.symbol} is ${newest}`,
    );
  }
  return { tradeDate: asked, asOf };
}

const todayAt = (context: AppContext, now: number): number =>
  midnightUtc(context.calendar.tradeDateOf(now)) / DAY_MS;

function noSession(context: AppContext, date: string): CodedError {
  const nearest = context.calendar.nearestSession(date);
  const hint = nearest === null ? '' : `; the nearest session is ${nearest}`;
  return new CodedError(
    'no_session',
    `${date} is not a trade date (${context.calendar.reason(date)})${hint}`,
  );
}

/** Derives a day that no pass has stored, or whose stored facts are behind the tape. */
async function deriveNow(
  context: AppContext,
  tape: SymbolTape,
  tradeDate: string,
  asOf: number,
  signal: AbortSignal,
): Promise<Found> {
  const [market, [withFacts]] = await Promise.all([
    marketAt(context, tradeDate, asOf, signal),
    context.tape.withFacts([{ tape, from: asOf, to: asOf }], { signal }),
  ]);
  const jobs = await jobsWithPeers(context, [{ tape: withFacts!, days: [{ tradeDate, asOf }] }], signal);
  const [outcome] = await context.deriver.derive(jobs, { signal, markets: { [tradeDate]: market } });
  switch (outcome!.kind) {
    case 'derived':
      return { kind: 'found', values: outcome!.facts, asOf, stored: false };
    case 'missing':
      return outcome!;
    case 'failed':
      throw new CodedError(outcome!.code, `${tape.symbol} on ${tradeDate}: ${outcome!.message}`);
  }
}

function noData(symbol: string, date: string, { before, after }: MissingDay): CodedError {
  const nearest = nearer(date, before, after);
  const hint = nearest === null ? '' : `; the nearest session with data is ${nearest}`;
  return new CodedError('no_data_for_date', `${symbol} has no data on ${date}${hint}`);
}

function nearer(date: string, before: string | null, after: string | null): string | null {
  if (before === null || after === null) return before ?? after;
  return Date.parse(date) - Date.parse(before) <= Date.parse(after) - Date.parse(date) ? before : after;
}
