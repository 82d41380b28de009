import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc, requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { readFacts, type StoredFacts } from '../../graph/stock-days.ts';
import { INCLUDE_FIELDS } from '../../derive/compose.ts';
import type { DayOutcome, MissingDay } from '../../derive/deriver.ts';
import { newestDay, oldestDay, type SymbolTape } from '../../market/tape/index.ts';
import { type DataFeed, type Viewer, withoutForeign } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import { marketAt } from '../market/market-at.ts';
import { jobsWithPeers } from './jobs-with-peers.ts';
import { seenTapes } from './seen-tapes.ts';
import { unknownSymbol } from './unknown-symbol.ts';

export interface StockRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the symbol's newest session. */
  readonly date?: string | undefined;
  /** Include words without repetition, in a fixed order. */
  readonly includes: readonly string[];
}

/** A trade date, and the instant up to which a feed shows it. */
interface Day {
  readonly tradeDate: string;
  readonly asOf: number;
}

/** What a viewer may know of a stock, in the pieces that answers are joined from. */
export interface StockSnapshot extends Day {
  /** Block name to wire JSON: `core`, and the blocks of the include words asked for. */
  readonly values: Readonly<Record<string, string>>;
  /** The instant that the values speak for, epoch milliseconds: `asOf`, or a little before it for stored ones. */
  readonly factsAsOf: number;
  /** False when they were derived for this request. */
  readonly stored: boolean;
  /** The clock's time of loading. */
  readonly now: number;
}

/** By symbol its snapshot, or the error that stands in its place. */
type Snapshots = Map<string, StockSnapshot | Error>;

/** A tape and the day of it to load. */
interface TapeDay {
  readonly tape: SymbolTape;
  readonly day: Day;
}

/** Facts this much older than what may be seen are derived anew for the asker. */
const STALE_AFTER_MS = 60_000;

/**
 * Loads a stock as its viewer may see it.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function loadStock(
  context: AppContext,
  request: StockRequest,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<StockSnapshot> {
  const { symbol } = request;
  const snapshot = (await loadStocks(context, [symbol], request, viewer, signal)).get(symbol)!;
  if (snapshot instanceof Error) throw snapshot;
  return narrowedSnapshot(snapshot, viewer);
}

/** A snapshot without the stocks that its viewer may not see. */
export function narrowedSnapshot(snapshot: StockSnapshot, viewer: Viewer): StockSnapshot {
  if (viewer.symbols === null) return snapshot;
  const { core, ...includes } = snapshot.values;
  const narrow = (text: string): string => JSON.stringify(withoutForeign(JSON.parse(text), viewer));
  const values = Object.fromEntries(Object.entries(includes).map(([name, text]) => [name, narrow(text)]));
  return { ...snapshot, values: { core: narrow(`{${core}}`).slice(1, -1), ...values } };
}

/**
 * Loads several stocks as a feed shows them, with as few queries and derivations as possible. The snapshots are whole:
 * `narrowedSnapshot` makes of each what a viewer may see.
 *
 * @param symbols in capitals, each once
 * @throws what no symbol is answered for: CodedError overloaded; the reason of the signal when it aborts
 */
export async function loadStocks(
  context: AppContext,
  symbols: readonly string[],
  { date, includes }: Omit<StockRequest, 'symbol'>,
  feed: DataFeed,
  signal: AbortSignal,
): Promise<Snapshots> {
  const blocks = ['core', ...includes.map((word) => INCLUDE_FIELDS.get(word)!)];
  const found = await storedToday(context, symbols, date, blocks, feed, signal);
  const others = symbols.filter((symbol) => !found.has(symbol));
  if (others.length === 0) return found;
  const tapes = await seenTapes(context, others, feed, { signal });
  const now = context.clock.now();
  const days: TapeDay[] = [];
  const add = (tape: SymbolTape, asked: string | undefined): void => {
    try {
      days.push({ tape, day: resolveDate(context, tape, asked, now, feed.delayMs) });
    } catch (refusal) {
      found.set(tape.symbol, refusal as Error);
    }
  };
  for (const tape of tapes) add(tape, date);
  for (const { tape, day, missing } of await loadDays(context, days.splice(0), blocks, now, found, signal)) {
    // The manifest knows daily bars by their range: where the newest day has none, the day before it has.
    if (date === undefined && missing.before !== null) add(tape, missing.before);
    else found.set(tape.symbol, noData(tape.symbol, day.tradeDate, missing));
  }
  for (const { tape, day, missing } of await loadDays(context, days, blocks, now, found, signal)) {
    found.set(tape.symbol, noData(tape.symbol, day.tradeDate, missing));
  }
  for (const symbol of others) {
    if (!found.has(symbol))
      found.set(symbol, await unknownSymbol(context, symbol, now - feed.delayMs, signal));
  }
  return found;
}

/**
 * Stocks whose running day is stored as of this minute. It is their newest, so that their tapes, which grow with the
 * day, need not be read to find out.
 */
async function storedToday(
  context: AppContext,
  symbols: readonly string[],
  date: string | undefined,
  blocks: readonly string[],
  { delayMs }: DataFeed,
  signal: AbortSignal,
): Promise<Snapshots> {
  const snapshots: Snapshots = new Map();
  const now = context.clock.now();
  const tradeDate = context.calendar.tradeDateOf(now);
  const session = context.calendar.session(tradeDate);
  const asOf = session === null ? null : asOfInstant(session, now, delayMs);
  if (asOf === null || asOf >= session!.postClose || (date ?? tradeDate) !== tradeDate) return snapshots;
  const names = symbols.map((symbol) => ({ symbol, tradeDate }));
  for (const [symbol, stored] of await readFacts(context.database, names, blocks, { signal })) {
    const { facts, asOf: factsAsOf } = usableFacts(stored, asOf, blocks);
    if (facts !== null)
      snapshots.set(symbol, { tradeDate, asOf, values: facts, factsAsOf, stored: true, now });
  }
  return snapshots;
}

/**
 * Adds to `found` the stored facts of days where they can be trusted, else those derived on the spot.
 *
 * @returns the days without a bar
 */
async function loadDays(
  context: AppContext,
  days: readonly TapeDay[],
  blocks: readonly string[],
  now: number,
  found: Snapshots,
  signal: AbortSignal,
): Promise<(TapeDay & { readonly missing: MissingDay })[]> {
  if (days.length === 0) return [];
  const names = days.map(({ tape, day }) => ({ symbol: tape.symbol, tradeDate: day.tradeDate }));
  const stored = await readFacts(context.database, names, blocks, { signal });
  const behind: (TapeDay & { readonly asOf: number })[] = [];
  for (const { tape, day } of days) {
    const { facts, asOf } = usableFacts(stored.get(tape.symbol) ?? null, day.asOf, blocks);
    if (facts === null) behind.push({ tape, day, asOf });
    else found.set(tape.symbol, { ...day, values: facts, factsAsOf: asOf, stored: true, now });
  }
  const outcomes = await deriveDays(context, behind, signal);
  const without: (TapeDay & { readonly missing: MissingDay })[] = [];
  for (const { tape, day, asOf } of behind) {
    const { symbol } = tape;
    const outcome = outcomes.get(symbol)!;
    if (outcome.kind === 'missing') without.push({ tape, day, missing: outcome });
    else if (outcome.kind === 'derived') {
      found.set(symbol, { ...day, values: outcome.facts, factsAsOf: asOf, stored: false, now });
    } else {
      found.set(symbol, new CodedError(outcome.code, `${symbol} on ${day.tradeDate}: ${outcome.message}`));
    }
  }
  return without;
}

/** Derives a day of each of several stocks, those of one date and instant together. */
async function deriveDays(
  context: AppContext,
  days: readonly (TapeDay & { readonly asOf: number })[],
  signal: AbortSignal,
): Promise<Map<string, DayOutcome>> {
  const instants = Map.groupBy(days, ({ day, asOf }) => `${day.tradeDate}@${asOf}`);
  const outcomes = await Promise.all(
    Array.from(instants.values(), async (group) => {
      const [{ day, asOf }] = group as [TapeDay & { readonly asOf: number }];
      const { tradeDate } = day;
      const wanted = group.map(({ tape }) => ({ tape, from: asOf, to: asOf }));
      const [market, tapes] = await Promise.all([
        marketAt(context, tradeDate, asOf, signal),
        context.tape.withFacts(wanted, { signal }),
      ]);
      const jobs = tapes.map((tape) => ({ tape, days: [{ tradeDate, asOf }] }));
      const known = await jobsWithPeers(context, jobs, signal);
      return context.deriver.derive(known, { signal, markets: { [tradeDate]: market } });
    }),
  );
  return new Map(outcomes.flat().map((outcome) => [outcome.symbol, outcome]));
}

/** Stored facts that may be served; else null, and the instant to derive the day as of. */
function usableFacts(
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

/** The trade date that the request means and the instant up to which its feed shows it. */
function resolveDate(
  context: AppContext,
  tape: SymbolTape,
  asked: string | undefined,
  now: number,
  delayMs: number,
): Day {
  const { calendar } = context;
  if (asked === undefined) {
    const today = midnightUtc(calendar.tradeDateOf(now)) / DAY_MS;
    for (let day = newestDay(tape, today); day !== null; day = newestDay(tape, day - 1)) {
      const tradeDate = dateOf(day * DAY_MS);
      const session = calendar.session(tradeDate);
      const asOf = session === null ? null : asOfInstant(session, now, delayMs);
      if (asOf !== null) return { tradeDate, asOf };
    }
    throw new CodedError('no_data_for_date', `${tape.symbol} has no session that may be shown yet`);
  }
  const session = requireSession(calendar, asked);
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

function noData(symbol: string, date: string, { before, after }: MissingDay): CodedError {
  const nearest = nearer(date, before, after);
  const hint = nearest === null ? '' : `; the nearest session with data is ${nearest}`;
  return new CodedError('no_data_for_date', `${symbol} has no data on ${date}${hint}`);
}

function nearer(date: string, before: string | null, after: string | null): string | null {
  if (before === null || after === null) return before ?? after;
  return Date.parse(date) - Date.parse(before) <= Date.parse(after) - Date.parse(date) ? before : after;
}
