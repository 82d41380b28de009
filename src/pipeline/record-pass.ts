import { hash } from 'node:crypto';
import { abortable, NEVER } from '../base/abortable.ts';
import { DAY_MS, dateOf, dayOf, lastClose } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { inOrder } from '../base/in-order.ts';
import { nextTurn } from '../base/timers.ts';
import { MARKETS } from '../database/symbol-market.ts';
import { oldestTradeDay } from '../graph/topology.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/market-view.ts';
import { earlier } from '../records/around.ts';
import { packSums } from '../records/count.ts';
import { type DaySums, type SymbolClaims, sumClaims } from '../records/events.ts';
import { CLAIM_KINDS, type ClaimKind, RECORD_KINDS } from '../records/index.ts';
import {
  type FoundClaims,
  longestHorizon,
  type MinuteStock,
  type Pass,
  type RecordGround,
  type RecordKind,
} from '../records/kind.ts';
import {
  areFiguresOf,
  type ClaimDay,
  type ClaimRange,
  claimVersion,
  clearTouchedRanges,
  countedDates,
  readFigures,
  readWholeMarket,
  touchedRanges,
  WHOLE_MARKET,
  writeClaimDays,
  writeFigures,
} from '../records/store.ts';
import type { PassContext } from './detector.ts';
import { newestDate, peersWork } from './topology-pass.ts';

export interface RecordOptions {
  /** Trade dates to read, whatever touched them, by default all; absent for those that new data touched. */
  readonly range?: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined;
  readonly kinds?: readonly ClaimKind[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordProgress {
  readonly kind: ClaimKind;
  readonly done: number;
  readonly planned: number;
}

export interface RecordReport {
  /** Trade dates read, of all kinds together. */
  readonly dates: number;
  readonly events: number;
  /** Symbol-days that differ from what was stored. */
  readonly written: number;
}

/** Sessions after a day whose claims may read it, as everything that looks two years back. */
const DAYS_REACH = 520;
/** Pieces of a kind under way: enough for two threads while the store writes one. */
const PARTS_AHEAD = 2;
/** Findings that wait for another kind: of each part that one may be ahead of the other. */
const SHARED_MAX = PARTS_AHEAD + 1;

/**
 * Derives what became of the claims of the dates that new data touched, or of a range, and writes what differs, for each
 * market by itself. Running it again writes nothing. Dates before the first that is recorded are left to a range.
 *
 * @throws the signal's reason between two writes; what is being read then nobody waits for
 */
export async function bringRecordsUpToDate(
  context: PassContext,
  options: RecordOptions = {},
  onProgress: (progress: RecordProgress) => void = () => {},
): Promise<RecordReport> {
  const report = { dates: 0, events: 0, written: 0 };
  for (const simulated of MARKETS) {
    const ground = {
      ...context,
      market: context.tape.ofMarket(simulated),
      peersWork: (dates: readonly string[]) => peersWork(context, simulated, dates),
    };
    const own = await bringMarketUpToDate(ground, options, onProgress);
    report.dates += own.dates;
    report.events += own.events;
    report.written += own.written;
  }
  return report;
}

/** A pass over one market. */
type RecordContext = PassContext & RecordGround;

async function bringMarketUpToDate(
  context: RecordContext,
  { range, kinds = CLAIM_KINDS, signal = NEVER }: RecordOptions,
  onProgress: (progress: RecordProgress) => void,
): Promise<RecordReport> {
  const report = { dates: 0, events: 0, written: 0 };
  const { simulated } = context.market;
  const newest = await newestDate(context, context.clock.now(), simulated);
  if (newest === null) return report;
  const touched = (await touchedRanges(context.database, simulated)).filter(isEnded(newest));
  const dates = new Map<ClaimKind, string[]>();
  for (const kind of kinds) {
    const own = range
      ? await sessionsWithBars(context, range.from ?? '', earlier(range.to ?? newest, newest))
      : await datesTouched(context, kind, touched, newest, longestHorizon(RECORD_KINDS[kind]));
    dates.set(kind, own);
  }
  const claimed = new Map<string, ReadonlySet<string>>();
  const ofTerms = CLAIM_KINDS.filter((kind) => RECORD_KINDS[kind].keepsTerms === true);
  for (const kind of range ? [] : ofTerms)
    claimed.set(kind, new Set(await datesTouched(context, kind, touched, newest, 0)));
  let byMinute: Promise<MinuteStock[]> | undefined;
  const shared = new Map<string, Promise<unknown>>();
  const pass: Pass = {
    lastDay: dayOf(newest),
    isNew: (kind, date) => claimed.get(kind)?.has(date) ?? true,
    stocksByMinute() {
      byMinute ??= stocksByMinute(context);
      return byMinute;
    },
    shared<Found>(key: string, make: () => Promise<Found>) {
      const found = shared.getOrInsertComputed(key, make) as Promise<Found>;
      if (shared.size > SHARED_MAX) shared.delete(shared.keys().next().value!);
      return found;
    },
  };
  const planned = [...dates.values()].reduce((sum, own) => sum + own.length, 0);
  let done = 0;
  const record = async (kind: ClaimKind): Promise<void> => {
    const find = (part: readonly string[]) => abortable(findClaims(context, kind, part, pass), signal);
    const parts = chunks(dates.get(kind)!, RECORD_KINDS[kind].datesAtOnce);
    for await (const part of inOrder(parts, find, PARTS_AHEAD)) {
      signal.throwIfAborted();
      const { events, written, counted } = await writeFound(context, kind, part);
      report.dates += counted;
      report.events += events;
      report.written += written;
      done += part.of.length;
      onProgress({ kind, done, planned });
    }
  };
  // Beside each other: the threads of one have time while the store writes what another found.
  const outcomes = await Promise.allSettled(kinds.map(record));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const isWhole = range?.from === undefined && range?.to === undefined && kinds.length === CLAIM_KINDS.length;
  if (isWhole) await clearTouchedRanges(context.database, simulated, touched);
  await keepFigures(context);
  return report;
}

/** What follows from the sums at the last close, so that the first to ask need not wait for it. */
async function keepFigures({ database, calendar, clock, deriver, market }: RecordContext): Promise<void> {
  const { simulated } = market;
  const version = await claimVersion(database);
  const asOf = lastClose(calendar, clock.now());
  for (const kind of CLAIM_KINDS) {
    const { version: formula } = RECORD_KINDS[kind];
    const stored = await readFigures(database, simulated, kind);
    if (areFiguresOf(stored, { formula, version, asOf })) continue;
    const days = await readWholeMarket(database, simulated, kind, formula);
    const newest = days.at(-1)?.tradeDate;
    const end =
      newest === undefined
        ? null
        : calendar.sessionAt(calendar.sessionIndex(newest) + longestHorizon(RECORD_KINDS[kind]));
    const { counts, ...figures } = await deriver.records({
      kind,
      counts: days.map(({ tradeDate, sums }) => ({ tradeDate, sums })),
      asOf,
      isExplored: false,
      dayRegime: null,
      withCounts: true,
    });
    await writeFigures(database, simulated, kind, {
      formula,
      version,
      asOf,
      isEnded: newest === undefined || (end !== null && end.close <= asOf),
      figures: JSON.stringify(figures),
      counts: counts!,
    });
  }
}

/** Sessions of a range from the first daily bar on. */
async function sessionsWithBars(
  { database, calendar, market }: RecordContext,
  from: string,
  to: string,
): Promise<string[]> {
  const first = await oldestTradeDay(database, market.simulated);
  if (first === null) return [];
  const oldest = dateOf(first * DAY_MS);
  return calendar.sessionsBetween(from < oldest ? oldest : from, to);
}

const isEnded =
  (newest: string) =>
  ({ lastDay }: ClaimRange): boolean =>
    lastDay <= dayOf(newest);

/**
 * Recorded dates that read the touched ranges, and all after them.
 *
 * @param back sessions before a touched one that read it: those whose claims are open on it
 */
async function datesTouched(
  { database, calendar, market }: RecordContext,
  kind: ClaimKind,
  ranges: readonly ClaimRange[],
  newest: string,
  back: number,
): Promise<string[]> {
  const [oldest = newest] = await countedDates(database, market.simulated, kind, RECORD_KINDS[kind].version);
  const dates = new Set<string>();
  for (const { kind: of, firstDay, lastDay } of ranges) {
    const reach = reachOf(of, RECORD_KINDS[kind], back);
    if (reach === null) continue;
    const first =
      calendar.sessionAt(sessionFrom(calendar, firstDay) + reach.from)?.tradeDate ?? calendar.first;
    const last = calendar.sessionAt(sessionFrom(calendar, lastDay) + reach.to)?.tradeDate ?? newest;
    for (const date of calendar.sessionsBetween(first < oldest ? oldest : first, earlier(last, newest)))
      dates.add(date);
  }
  return [...dates].sort();
}

/** Sessions around new data of which claims read it; null for none. */
function reachOf(
  of: string,
  { reads }: Pick<RecordKind, 'reads'>,
  back: number,
): { readonly from: number; readonly to: number } | null {
  if (of === 'chain') {
    // The gamma of the index is a regime of the next session.
    return reads.chains ? { from: -back, to: 0 } : { from: 1, to: 1 };
  }
  if (of === 'volatility-1d') return reads.chains ? { from: -back, to: DAYS_REACH } : null;
  if (of === 'bars-1m') return reads.minutes === undefined ? null : { from: -back, to: reads.minutes };
  return { from: -back, to: reads.stored ? 0 : DAYS_REACH };
}

/** Index of the session of a day, or of the next. */
function sessionFrom(calendar: PassContext['calendar'], day: number): number {
  const date = dateOf(day * DAY_MS);
  return calendar.sessionIndex(
    calendar.isSession(date) ? date : (calendar.nextSession(date) ?? calendar.last),
  );
}

/** The claims of some dates, which of them are written, and their regimes. */
async function findClaims(context: RecordContext, kind: ClaimKind, of: readonly string[], pass: Pass) {
  const { reads, load } = RECORD_KINDS[kind];
  const found = await load(context, of, pass);
  const observed = new Set(found.observed);
  // What is no longer kept cannot be read again; what is recorded of it stays.
  const settled = reads.stored || reads.chains ? of.filter((date) => observed.has(date)) : of;
  return { of, found, observed, settled, regimes: await regimesOn(context, settled) };
}

async function writeFound(
  context: RecordContext,
  kind: ClaimKind,
  { found, observed, settled, regimes }: Awaited<ReturnType<typeof findClaims>>,
): Promise<{ readonly events: number; readonly written: number; readonly counted: number }> {
  const { simulated } = context.market;
  const byDate = Map.groupBy(found.claims, ({ tradeDate }) => tradeDate);
  const days: ClaimDay[] = [];
  for (const date of settled) {
    const own = byDate.get(date) ?? [];
    const regime = regimes.get(date) ?? null;
    if (observed.has(date)) days.push(...(await daysOf(kind, simulated, date, own, found, regime)));
  }
  const written = await writeClaimDays(context.database, simulated, kind, settled, days);
  const events = found.claims.reduce((sum, claims) => sum + claims.events.length, 0);
  return { events, written, counted: observed.size };
}

/** By date the words of its regimes; null where none is known. */
async function regimesOn(
  { tape, market, deriver, calendar }: RecordContext,
  dates: readonly string[],
): Promise<Map<string, string | null>> {
  if (dates.length === 0) return new Map();
  const to = calendar.session(dates.at(-1)!)!.open;
  const requests = (await market.symbolTapes(INDEX_SYMBOLS)).map((of) => ({
    tape: of,
    from: calendar.session(dates[0]!)!.open,
    to,
  }));
  const indices = await tape.withFacts(requests, { kinds: [] });
  const regimes = await deriver.regimes({ tapes: await market.symbolTapes(VIX_SYMBOLS), indices, dates });
  return new Map(dates.map((date, at) => [date, regimes[at]!.join(' ') || null]));
}

/** Claims that are summed in one turn of the event loop, some milliseconds. */
const CLAIMS_A_TURN = 2_000;

/** The rows of a date: of each symbol, and of the whole market. */
async function daysOf(
  kind: ClaimKind,
  simulated: boolean,
  tradeDate: string,
  own: readonly SymbolClaims[],
  { measures, bins, terms }: FoundClaims,
  regime: string | null,
): Promise<ClaimDay[]> {
  const days: ClaimDay[] = [];
  let summed = 0;
  for (const each of own) {
    days.push(rowOf(kind, each, sumClaims([each]), null));
    summed += each.events.length;
    if (summed < CLAIMS_A_TURN) continue;
    summed = 0;
    await nextTurn();
  }
  const whole = {
    symbol: WHOLE_MARKET,
    tradeDate,
    simulated,
    events: [],
    counts: [],
    terms: terms?.get(tradeDate),
  };
  // Its version is to grow with that of every symbol.
  const inside = days.map(({ digest }) => digest).join();
  const sums = sumClaims(own, measures.get(tradeDate), bins?.get(tradeDate));
  return [...days, rowOf(kind, whole, sums, regime, inside)];
}

function rowOf(
  kind: ClaimKind,
  { symbol, tradeDate, simulated, events, terms }: SymbolClaims,
  sums: DaySums,
  regime: string | null,
  inside = '',
): ClaimDay {
  const formula = RECORD_KINDS[kind].version;
  const text = packSums(sums);
  const digest = hash('sha1', JSON.stringify([formula, simulated, regime, text, terms, events, inside]));
  return { symbol, tradeDate, formula, regime, digest, sums: text, terms: terms ?? null, events };
}

async function stocksByMinute({ tape, market }: RecordContext): Promise<MinuteStock[]> {
  const stocks: MinuteStock[] = [];
  for (const names of chunks(await market.symbols(), 200)) {
    for (const { symbol, slices, running } of await tape.symbolTapes(names)) {
      const days = slices.filter(({ kind }) => kind === 'bars-1m').flatMap((slice) => slice.days);
      const isRunning = running.some(({ kind }) => kind === 'bars-1m');
      if (days.length > 0 || isRunning) stocks.push({ symbol, days, isRunning });
    }
  }
  return stocks;
}
