import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc, requireSession } from '../../base/calendar.ts';
import { chunks } from '../../base/chunks.ts';
import { CodedError } from '../../base/errors.ts';
import { PEERS_UNMEASURED } from '../../blocks/peer-divergence-v1.ts';
import { INCLUDE_FIELDS, withAge } from '../../derive/compose.ts';
import type { DayOutcome, DeriveOptions, MissingDay } from '../../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../../derive/with-peers.ts';
import { readFacts, type StoredFacts } from '../../graph/stock-days.ts';
import { type HeldTape, isSimulated, newestDay, oldestDay, type SymbolTape } from '../../tape/index.ts';
import { type DataFeed, type Viewer, visibleInstant, withoutForeign } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { absence } from './absences.ts';
import { isOfEarlierSession, marketAt, newestMinute } from './market-at.ts';
import { maySoonBeMeasured, needsPeers, peersInTime } from './peers-in-time.ts';
import { seenTapes, unknownSymbol, withVisibleBar } from './seen-tapes.ts';
import { sessionsBehind } from './sessions-behind.ts';

export interface SymbolOnDate {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest session. */
  readonly date?: string | undefined;
}

export interface StockRequest extends SymbolOnDate {
  /** Include words without repetition, in a fixed order. */
  readonly includes: readonly string[];
  /** Paths of the answer without repetition, in a fixed order; absent for the whole answer. */
  readonly fields?: readonly string[] | undefined;
  /** Whether levels and patterns come with their records. */
  readonly withRecords?: boolean | undefined;
}

/** A trade date and the instant up to which a feed shows it. */
export interface Day {
  readonly tradeDate: string;
  readonly asOf: number;
}

/** A stock as a viewer may see it, in the pieces of answers. */
export interface StockSnapshot extends Day {
  /** Of which market. */
  readonly simulated: boolean;
  /** Wire JSON by block: `core` with its age, and the blocks of the requested include words. */
  readonly values: Readonly<Record<string, string>>;
  /** Instant of the values, epoch milliseconds: `asOf`, or a little before it for stored ones. */
  readonly factsAsOf: number;
  /** False if derived for this request. */
  readonly stored: boolean;
  /** False while peers that it needs are still to be measured. */
  readonly isFinal: boolean;
  /** The clock's time of loading. */
  readonly now: number;
}

type Snapshots = Map<string, StockSnapshot | Error>;

/** What is loaded at one time of the clock, and where it goes. */
interface Loading {
  readonly context: AppContext;
  readonly isOfSimulated: (symbol: string) => boolean;
  readonly blocks: readonly string[];
  readonly isCompared: boolean;
  /** The date that was asked for; undefined for the newest session of each stock. */
  readonly date: string | undefined;
  readonly feed: DataFeed;
  readonly signal: AbortSignal;
  readonly now: number;
  readonly snapshots: Snapshots;
  /** The newest minute of the session before anything was read. */
  readonly live: Pick<AppContext['live'], 'at'>;
  /** Tapes of the session that this process runs. */
  readonly held: Map<string, HeldTape>;
  /** Whether a stock has not changed since the loading began. */
  readonly isCurrent: (symbol: string) => boolean;
}

/** What is stored of the symbols asked for on the day that runs. */
interface StoredToday {
  readonly tradeDate: string;
  readonly ofSymbols: ReadonlyMap<string, StoredFacts>;
}

interface TapeDay {
  readonly tape: SymbolTape;
  readonly day: Day;
}

/** Stocks that one thread derives in a task: the others take their part of many, and no task is long. */
const JOBS_OF_TASK = 4;

/** Stored facts that are older than the visible instant by this much are derived again. */
export const STALE_AFTER_MS = 60_000;

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

/** A snapshot without other stocks that its viewer may not see. */
export function narrowedSnapshot(snapshot: StockSnapshot, viewer: Viewer): StockSnapshot {
  if (viewer.symbols === null) return snapshot;
  const { core, ...includes } = snapshot.values;
  const narrow = (text: string): string => JSON.stringify(withoutForeign(JSON.parse(text), viewer));
  const values = Object.fromEntries(Object.entries(includes).map(([name, text]) => [name, narrow(text)]));
  return { ...snapshot, values: { core: narrow(`{${core}}`).slice(1, -1), ...values } };
}

/**
 * Loads several stocks as a feed shows them, with as few queries and derivations as possible. `narrowedSnapshot` then
 * removes what a viewer may not see.
 *
 * @param symbols in capitals, each once
 * @throws CodedError overloaded; the reason of the signal when it aborts
 */
export async function loadStocks(
  context: AppContext,
  symbols: readonly string[],
  { date, includes, fields }: Omit<StockRequest, 'symbol'>,
  feed: DataFeed,
  signal: AbortSignal,
): Promise<Snapshots> {
  const blocks = ['core', ...includes.map((word) => INCLUDE_FIELDS.get(word)!)];
  const snapshots: Snapshots = new Map();
  const isOfSimulated = await context.symbolMarkets.lookup();
  const asked = {
    context,
    isOfSimulated,
    blocks,
    isCompared: needsPeers(fields),
    date,
    feed,
    signal,
    snapshots,
    live: { at: context.live.at },
    held: new Map<string, HeldTape>(),
    isCurrent: context.newestDays.keptUntil(symbols),
  };
  hold(asked, symbols, ({ storedAt }) => storedAt !== null);
  const today = await addStoredToday({ ...asked, now: context.clock.now() }, symbols);
  const others = symbols.filter((symbol) => !snapshots.has(symbol));
  if (date === undefined) noteAsked(context, snapshots);
  if (others.length === 0) return snapshots;
  // After what is stored was read, so that they are not of an earlier minute.
  hold(asked, others);
  const bare = others.flatMap((symbol) => asked.held.get(symbol)?.bare ?? []);
  const unread = others.filter((symbol) => !asked.held.has(symbol));
  const tapes = [
    ...(await withVisibleBar(context, bare, feed)),
    ...(await seenTapes(context, unread, feed, { signal })),
  ];
  const now = context.clock.now();
  const loading: Loading = { ...asked, now };
  const visible = visibleInstant(feed, now);
  const days: TapeDay[] = [];
  const add = (tape: SymbolTape, tradeDate: string | undefined): void => {
    try {
      days.push({ tape, day: resolveDate(context, tape, tradeDate, visible) });
    } catch (refusal) {
      snapshots.set(tape.symbol, refusal as Error);
    }
  };
  for (const tape of tapes) add(tape, date);
  for (const { tape, day, missing } of await loadDays(loading, today, days.splice(0))) {
    // The manifest has only the range of daily bars: the newest day may lack a bar that the day before has.
    if (date === undefined && missing.before !== null) add(tape, missing.before);
    else snapshots.set(tape.symbol, noData(tape.symbol, day.tradeDate, missing));
  }
  for (const { tape, day, missing } of await loadDays(loading, today, days)) {
    snapshots.set(tape.symbol, noData(tape.symbol, day.tradeDate, missing));
  }
  for (const symbol of others) {
    if (!snapshots.has(symbol)) snapshots.set(symbol, await unknownSymbol(context, symbol, feed, signal));
  }
  if (date === undefined) noteAsked(context, snapshots);
  return snapshots;
}

/** Takes tapes from the memory of a session that this process runs. */
function hold(
  { context, held }: Pick<Loading, 'context' | 'held'>,
  symbols: readonly string[],
  isWanted: (tape: HeldTape) => boolean = () => true,
): void {
  for (const symbol of symbols) {
    const tape = held.has(symbol) ? null : context.tape.heldTape(symbol);
    if (tape !== null && isWanted(tape)) held.set(symbol, tape);
  }
}

/** Names that no stock has are not noted: there is no end of them. */
function noteAsked({ noteView }: AppContext, snapshots: Snapshots): void {
  for (const [symbol, snapshot] of snapshots) if (!(snapshot instanceof Error)) noteView(symbol);
}

/**
 * Adds stocks whose running day is stored as of this minute. It is their newest day, so their tapes need not be read.
 *
 * @returns what is stored of that day; null where none runs
 */
async function addStoredToday(loading: Loading, symbols: readonly string[]): Promise<StoredToday | null> {
  const { context, blocks, date, held, feed, signal, now } = loading;
  const visible = visibleInstant(feed, now);
  const tradeDate = context.calendar.tradeDateOf(visible);
  const session = context.calendar.session(tradeDate);
  const asOf = session === null ? null : asOfInstant(session, visible);
  if (asOf === null || asOf >= session!.postClose || (date ?? tradeDate) !== tradeDate) return null;
  // Of an earlier session none is stored as of a minute.
  if (isOfEarlierSession(context, tradeDate)) return { tradeDate, ofSymbols: new Map() };
  const ofSymbols = new Map<string, StoredFacts>();
  for (const [symbol, { tradeDate: heldDate, storedAt }] of held) {
    if (heldDate === tradeDate && storedAt !== null)
      ofSymbols.set(symbol, { asOf: storedAt, outdated: false, values: {} });
  }
  const names = symbols.filter((symbol) => !ofSymbols.has(symbol)).map((symbol) => ({ symbol, tradeDate }));
  const read = names.length === 0 ? [] : await readFacts(context.database, names, blocks, { signal });
  for (const [symbol, stored] of read) ofSymbols.set(symbol, stored);
  for (const [symbol, stored] of ofSymbols) {
    const { facts, ...from } = usableFacts(loading, symbol, stored, { tradeDate, asOf });
    if (facts !== null) addSnapshot(loading, symbol, { tradeDate, asOf }, facts, from);
  }
  return { tradeDate, ofSymbols };
}

/**
 * Adds snapshots of days, from stored facts if they are up to date, else derived on the spot.
 *
 * @returns the days without a bar
 */
async function loadDays(
  loading: Loading,
  today: StoredToday | null,
  days: readonly TapeDay[],
): Promise<(TapeDay & { readonly missing: MissingDay })[]> {
  const { context, blocks, signal, snapshots } = loading;
  if (days.length === 0) return [];
  const names = days.map(({ tape, day }) => ({ symbol: tape.symbol, tradeDate: day.tradeDate }));
  const isRead = names.every(({ tradeDate }) => tradeDate === today?.tradeDate);
  const stored = isRead ? today!.ofSymbols : await readFacts(context.database, names, blocks, { signal });
  const behind: (TapeDay & { readonly asOf: number })[] = [];
  for (const { tape, day } of days) {
    const { facts, ...from } = usableFacts(loading, tape.symbol, stored.get(tape.symbol) ?? null, day);
    if (facts === null) behind.push({ tape, day, asOf: from.factsAsOf });
    else addSnapshot(loading, tape.symbol, day, facts, from);
  }
  const isKept = (symbol: string): boolean => {
    const known = stored.get(symbol);
    return known !== undefined && !hasFacts(known);
  };
  // What is kept serves other includes too.
  const includes = behind.some(({ tape }) => isKept(tape.symbol)) ? undefined : blocks;
  const outcomes = await deriveDays(loading, behind, includes);
  const without: (TapeDay & { readonly missing: MissingDay })[] = [];
  for (const { tape, day, asOf } of behind) {
    const { symbol } = tape;
    const { outcome, isFinal } = outcomes.get(symbol)!;
    if (outcome.kind === 'missing') without.push({ tape, day, missing: outcome });
    else if (outcome.kind === 'derived') {
      const { tradeDate, facts } = outcome;
      if (isKept(symbol) && loading.isCurrent(symbol))
        context.newestDays.keep({ symbol, tradeDate, asOf, facts });
      addSnapshot(loading, symbol, day, outcome.facts, { factsAsOf: asOf, stored: false, isFinal });
    } else {
      const sentence = `${symbol} on ${day.tradeDate}: ${outcome.message}`;
      snapshots.set(symbol, new CodedError(outcome.code, sentence));
    }
  }
  return without;
}

function addSnapshot(
  { context: { calendar }, isOfSimulated, date, feed, now, snapshots }: Loading,
  symbol: string,
  day: Day,
  facts: StoredFacts['values'],
  from: Pick<StockSnapshot, 'factsAsOf' | 'stored' | 'isFinal'>,
): void {
  const behind = sessionsBehind(calendar, { date, tradeDate: day.tradeDate }, feed, now);
  const values = { ...facts, core: withAge(facts.core!, behind) };
  snapshots.set(symbol, { ...day, ...from, simulated: isOfSimulated(symbol), values, now });
}

/**
 * Derives a day of each of several stocks, those of one market, date and instant together.
 *
 * @returns by symbol its outcome, which is final unless its peers are still to be measured
 */
async function deriveDays(
  { context, isCompared, held, signal }: Loading,
  days: readonly (TapeDay & { readonly asOf: number })[],
  includes: DeriveOptions['includes'],
): Promise<Map<string, { readonly outcome: DayOutcome; readonly isFinal: boolean }>> {
  const instants = Map.groupBy(
    days,
    ({ tape, day, asOf }) => `${isSimulated(tape)} ${day.tradeDate}@${asOf}`,
  );
  const outcomes = await Promise.all(
    Array.from(instants.values(), async (group) => {
      const [{ tape: first, day, asOf }] = group as [TapeDay & { readonly asOf: number }];
      const { tradeDate } = day;
      const toldOf = ({ symbol }: SymbolTape): SymbolTape | null => {
        const own = held.get(symbol);
        return own?.tradeDate === tradeDate ? own.told : null;
      };
      const told = group.flatMap(({ tape }) => toldOf(tape) ?? []);
      const untold = group.filter(({ tape }) => toldOf(tape) === null);
      const windows = untold.map(({ tape }) => ({ tape, from: asOf, to: asOf }));
      const jobsOf = (of: readonly SymbolTape[]) => of.map((tape) => ({ tape, days: [{ tradeDate, asOf }] }));
      const asked = jobsOf(group.map(({ tape }) => tape));
      const compared = isCompared ? daysWithPeers(asked, context.calendar) : [];
      const [market, tapes, peers] = await context.deriver.reading(() =>
        Promise.all([
          marketAt(context, isSimulated(first), tradeDate, asOf, signal),
          context.tape.withFacts(windows, { signal }),
          peersInTime(context, compared, signal),
        ]),
      );
      const isFinal = compared.length === 0 || peers.length > 0;
      const options = { signal, markets: { [tradeDate]: market }, includes };
      const parts = chunks(withPeers(jobsOf([...told, ...tapes]), peers), JOBS_OF_TASK).map((some) =>
        context.deriver.derive(some, options),
      );
      const derived = (await Promise.all(parts)).flat();
      return derived.map((outcome) => [outcome.symbol, { outcome, isFinal }] as const);
    }),
  );
  return new Map(outcomes.flat());
}

const hasFacts = ({ values }: StoredFacts): boolean => Object.keys(values).length > 0;

/** Stored or kept facts if they are usable, else null; and the instant to derive the day as of. */
function usableFacts(
  { context, blocks, isCompared, live, feed }: Loading,
  symbol: string,
  stored: StoredFacts | null,
  { tradeDate, asOf }: Day,
): {
  readonly facts: StoredFacts['values'] | null;
} & Pick<StockSnapshot, 'factsAsOf' | 'stored' | 'isFinal'> {
  const newest = newestMinute({ live }, feed, asOf);
  if (stored === null || stored.outdated || stored.asOf > asOf || newest - stored.asOf >= STALE_AFTER_MS) {
    return { facts: null, isFinal: false, stored: false, factsAsOf: newest };
  }
  // A running session stores numbers alone: the rest is derived as of the same instant, and kept.
  const isStored = hasFacts(stored);
  const values = isStored
    ? stored.values
    : (context.newestDays.get(symbol, { tradeDate, asOf: stored.asOf }) ?? {});
  // The minutes of a session after its close are without peers.
  const isFinal = !isCompared || !values.core?.includes(PEERS_UNMEASURED);
  const isWhole = blocks.every((block) => block in values);
  const isUsable = isWhole && (isFinal || !maySoonBeMeasured(context, tradeDate));
  return { facts: isUsable ? values : null, isFinal, stored: isStored, factsAsOf: stored.asOf };
}

/** The trade date of a request and the instant up to which its feed shows it. */
function resolveDate(context: AppContext, tape: SymbolTape, date: string | undefined, visible: number): Day {
  const { calendar } = context;
  if (date === undefined) {
    const today = midnightUtc(calendar.tradeDateOf(visible)) / DAY_MS;
    for (let day = newestDay(tape, today); day !== null; day = newestDay(tape, day - 1)) {
      const tradeDate = dateOf(day * DAY_MS);
      const session = calendar.session(tradeDate);
      const asOf = session === null ? null : asOfInstant(session, visible);
      if (asOf !== null) return { tradeDate, asOf };
    }
    throw new CodedError('no_data_for_date', absence('refused.no_session_yet', { symbol: tape.symbol }));
  }
  const session = requireSession(calendar, date);
  const asOf = asOfInstant(session, visible);
  const first = dateOf(oldestDay(tape)! * DAY_MS);
  if (date < first) {
    throw new CodedError(
      'no_data_for_date',
      absence('refused.before_first', { symbol: tape.symbol, date, first }),
    );
  }
  if (asOf === null) {
    const newest = resolveDate(context, tape, undefined, visible).tradeDate;
    throw new CodedError('no_data_for_date', absence('refused.not_yet_newest', { date, newest }));
  }
  return { tradeDate: date, asOf };
}

function noData(symbol: string, date: string, { before, after }: MissingDay): CodedError {
  const nearest = nearer(date, before, after);
  const sentence =
    nearest === null
      ? absence('refused.date', { symbol, date })
      : absence('refused.date_nearest', { symbol, date, nearest });
  return new CodedError('no_data_for_date', sentence);
}

function nearer(date: string, before: string | null, after: string | null): string | null {
  if (before === null || after === null) return before ?? after;
  return Date.parse(date) - Date.parse(before) <= Date.parse(after) - Date.parse(date) ? before : after;
}
