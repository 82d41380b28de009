import { hash } from 'node:crypto';
import {
  CLAIM_KINDS,
  CLAIMS,
  type ClaimKind,
  type DaySums,
  longestHorizon,
  RECORDED_SCORES,
  type SymbolClaims,
  sumClaims,
} from '../analysis/records/claims.ts';
import { NEVER } from '../base/abortable.ts';
import { DAY_MS, dateOf, dayOf, lastClose } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { inOrder } from '../base/in-order.ts';
import { nextTurn } from '../base/timers.ts';
import { type FoundClaims, packSums } from '../derive/claims.ts';
import { PACKED_FIELDS, rowReader } from '../derive/projection.ts';
import { SILENT_SESSIONS } from '../derive/ranking-claims.ts';
import {
  areFiguresOf,
  type ClaimDay,
  type ClaimRange,
  claimVersion,
  clearTouchedRanges,
  countedDates,
  readClaimTerms,
  readFigures,
  readWholeMarket,
  touchedRanges,
  WHOLE_MARKET,
  writeClaimDays,
  writeFigures,
} from '../graph/claims.ts';
import { MARKETS } from '../database/symbol-market.ts';
import { createMonths } from '../graph/months.ts';
import { peerDaysOn } from '../graph/peer-days.ts';
import { readScreenCatalogues, readScreenRows } from '../graph/screen-rows.ts';
import { oldestTradeDay } from '../graph/topology.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/market-view.ts';
import { readOwnEvents } from '../market/tape/event-facts.ts';
import type { PassContext } from './detector.ts';
import { findMissingPeers, newestDate } from './topology-pass.ts';

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

/** Trade dates of one piece of work; a pattern's history before them is read again for each. */
const DATES_AT_ONCE: Readonly<Record<ClaimKind, number>> = {
  level: 40,
  pattern: 60,
  playbook: 40,
  swing_playbook: 60,
  score: 10,
  divergence: 20,
  expiration: 40,
};
/** Sessions after a minute whose claims may read it, as a control; kinds without one read no minutes. */
const MINUTES_REACH: Partial<Record<ClaimKind, number>> = { level: 12, playbook: 21, expiration: 12 };
/** Sessions after a day whose claims may read it, as everything that looks two years back. */
const DAYS_REACH = 520;
/** Claims whose terms are kept. */
const OF_TERMS: readonly ClaimKind[] = ['pattern', 'expiration'];
/** Claims of scores that were stored; the others are derived from bars. */
const OF_STORED: ReadonlySet<ClaimKind> = new Set(['score', 'divergence']);
const SYMBOLS_AT_ONCE = 16;
/** Pieces of a kind under way: enough for two threads while the store writes one. */
const PARTS_AHEAD = 2;
const ROWS_AT_ONCE = 10_000;

/**
 * Derives what became of the claims of the dates that new data touched, or of a range, and writes what differs, for each
 * market by itself. Running it again writes nothing. Dates before the first that is recorded are left to a range.
 *
 * @throws the signal's reason between two pieces of work
 */
export async function bringRecordsUpToDate(
  context: PassContext,
  options: RecordOptions = {},
  onProgress: (progress: RecordProgress) => void = () => {},
): Promise<RecordReport> {
  const report = { dates: 0, events: 0, written: 0 };
  for (const simulated of MARKETS) {
    const own = await bringMarketUpToDate(
      { ...context, market: context.tape.ofMarket(simulated) },
      options,
      onProgress,
    );
    report.dates += own.dates;
    report.events += own.events;
    report.written += own.written;
  }
  return report;
}

/** A pass over one market. */
interface RecordContext extends PassContext {
  readonly market: ReturnType<PassContext['tape']['ofMarket']>;
}

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
      : await datesTouched(context, kind, touched, newest, longestHorizon(kind));
    dates.set(kind, own);
  }
  const claimed = new Map<ClaimKind, ReadonlySet<string>>();
  for (const kind of range ? [] : OF_TERMS)
    claimed.set(kind, new Set(await datesTouched(context, kind, touched, newest, 0)));
  let byMinute: Promise<MinuteStock[]> | undefined;
  const pass: Pass = {
    lastDay: dayOf(newest),
    isNew: (kind, date) => claimed.get(kind)?.has(date) ?? true,
    stocksByMinute() {
      byMinute ??= stocksByMinute(context);
      return byMinute;
    },
  };
  const planned = [...dates.values()].reduce((sum, own) => sum + own.length, 0);
  let done = 0;
  const record = async (kind: ClaimKind): Promise<void> => {
    const find = async (part: readonly string[]) => ({
      part,
      found: await FIND[kind](context, part, pass),
    });
    const parts = chunks(dates.get(kind)!, DATES_AT_ONCE[kind]);
    for await (const { part, found } of inOrder(parts, find, PARTS_AHEAD)) {
      signal.throwIfAborted();
      const { events, written, counted } = await writeFound(context, kind, part, found);
      report.dates += counted;
      report.events += events;
      report.written += written;
      done += part.length;
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
    const { version: formula } = CLAIMS[kind];
    const stored = await readFigures(database, simulated, kind);
    if (areFiguresOf(stored, { formula, version, asOf })) continue;
    const days = await readWholeMarket(database, simulated, kind, formula);
    const newest = days.at(-1)?.tradeDate;
    const end =
      newest === undefined ? null : calendar.sessionAt(calendar.sessionIndex(newest) + longestHorizon(kind));
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

const earlier = (one: string, other: string): string => (one < other ? one : other);

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
  const [oldest = newest] = await countedDates(database, market.simulated, kind, CLAIMS[kind].version);
  const dates = new Set<string>();
  for (const { kind: of, firstDay, lastDay } of ranges) {
    const reach = reachOf(of, kind, back);
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
  kind: ClaimKind,
  back: number,
): { readonly from: number; readonly to: number } | null {
  if (of === 'chain') {
    // The gamma of the index is a regime of the next session.
    return kind === 'expiration' ? { from: -back, to: 0 } : { from: 1, to: 1 };
  }
  if (of === 'volatility-1d') return kind === 'expiration' ? { from: -back, to: DAYS_REACH } : null;
  if (of === 'bars-1m') {
    const to = MINUTES_REACH[kind];
    return to === undefined ? null : { from: -back, to };
  }
  return { from: -back, to: OF_STORED.has(kind) ? 0 : DAYS_REACH };
}

/** Index of the session of a day, or of the next. */
function sessionFrom(calendar: PassContext['calendar'], day: number): number {
  const date = dateOf(day * DAY_MS);
  return calendar.sessionIndex(
    calendar.isSession(date) ? date : (calendar.nextSession(date) ?? calendar.last),
  );
}

async function writeFound(
  context: RecordContext,
  kind: ClaimKind,
  dates: readonly string[],
  found: FoundClaims,
): Promise<{ readonly events: number; readonly written: number; readonly counted: number }> {
  const observed = new Set(found.observed);
  // What is no longer kept cannot be read again; what is recorded of it stays.
  const isKept = OF_STORED.has(kind) || kind === 'expiration';
  const settled = isKept ? dates.filter((date) => observed.has(date)) : dates;
  const regimes = await regimesOn(context, settled);
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
  const formula = CLAIMS[kind].version;
  const text = packSums(sums);
  const digest = hash('sha1', JSON.stringify([formula, simulated, regime, text, terms, events, inside]));
  return { symbol, tradeDate, formula, regime, digest, sums: text, terms: terms ?? null, events };
}

/** What the kinds of one pass share. */
interface Pass {
  /** The newest session that has closed, days since 1970-01-01. */
  readonly lastDay: number;
  /** Whether what a date claimed is to be derived, and not only what became of it. */
  readonly isNew: (kind: ClaimKind, date: string) => boolean;
  /** Read once. */
  readonly stocksByMinute: () => Promise<readonly MinuteStock[]>;
}

/** A stock with minutes, on which days of its files, and whether of a session that is not in files yet. */
interface MinuteStock {
  readonly symbol: string;
  readonly days: readonly number[];
  readonly isRunning: boolean;
}

type Find = (context: RecordContext, dates: readonly string[], pass: Pass) => Promise<FoundClaims>;

const FIND: Readonly<Record<ClaimKind, Find>> = {
  level: (context, dates, pass) => findByMinute(context, 'level', dates, pass),
  playbook: (context, dates, pass) => findByMinute(context, 'playbook', dates, pass),
  async swing_playbook(context, dates, { lastDay }) {
    const { tape, calendar, deriver } = context;
    const closeOf = (date: string): number => calendar.session(date)!.close;
    const [from, to] = [closeOf(dates[0]!), closeOf(dates.at(-1)!)];
    const requests = (await tapesAround(context, dates, longestHorizon('swing_playbook'), lastDay)).map(
      (of) => ({ tape: of, from, to }),
    );
    const tapes = await tape.withFacts(requests, { kinds: ['earnings_date', 'earnings_report'] });
    return deriver.claims({ of: 'swing_playbook', tapes, dates, lastDay });
  },
  async pattern(context, dates, { lastDay, isNew }) {
    const { calendar, database, deriver, market } = context;
    const first = calendar.sessionIndex(dates[0]!) - longestHorizon('pattern');
    const read = calendar.sessionsBetween(calendar.sessionAt(Math.max(0, first))!.tradeDate, dates.at(-1)!);
    const before = read.filter((date) => !isNew('pattern', date));
    const rows = await readClaimTerms(database, market.simulated, 'pattern', CLAIMS.pattern.version, before);
    const known = new Map(rows.map(({ tradeDate, terms }) => [tradeDate, terms]));
    const tapes = await tapesAround(context, dates, longestHorizon('pattern'), lastDay);
    return deriver.claims({ of: 'pattern', tapes, dates, known, lastDay });
  },
  async expiration({ tape, market, deriver, calendar, database }, dates, { lastDay, isNew }) {
    const newDates = dates.filter((date) => isNew('expiration', date));
    const chains = await market.lastChains(newDates.map((date) => calendar.session(date)!));
    const before = dates.filter((date) => !newDates.includes(date));
    const { version } = CLAIMS.expiration;
    const known = await readClaimTerms(database, market.simulated, 'expiration', version, before);
    const claimed = [
      ...chains.map(({ tradeDate, slice }) => ({ symbol: slice.symbol, tradeDate, basis: slice })),
      ...known.map(({ symbol, tradeDate, terms }) => ({ symbol, tradeDate, basis: terms })),
    ].sort((one, other) => (one.tradeDate < other.tradeDate ? -1 : 1));
    const bySymbol = Map.groupBy(claimed, ({ symbol }) => symbol);
    const parts: FoundClaims[] = [];
    const work = async (names: readonly string[]): Promise<FoundClaims> => {
      const tapes = await tape.symbolTapes(names);
      const stocks = tapes.map((own) => ({ tape: own, dates: bySymbol.get(own.symbol)! }));
      return deriver.claims({ of: 'expiration', stocks, lastDay });
    };
    for await (const part of inOrder(chunks([...bySymbol.keys()].sort(), SYMBOLS_AT_ONCE), work))
      parts.push(part);
    return {
      observed: [...new Set(claimed.map(({ tradeDate }) => tradeDate))],
      claims: parts.flatMap(({ claims }) => claims).sort(bySymbolName),
      measures: new Map(),
    };
  },
  async score(context, dates, { lastDay }) {
    const scored = [];
    for (const tradeDate of dates) {
      const of = await scoresOn(context, tradeDate);
      if (of.size > 0) scored.push({ tradeDate, of });
    }
    if (scored.length === 0) return NONE;
    const tapes = await tapesAround(context, dates, longestHorizon('score'), lastDay);
    return context.deriver.claims({ of: 'score', tapes, dates: scored, lastDay });
  },
  async divergence(context, dates, { lastDay }) {
    const { calendar, database, market } = context;
    const index = calendar.sessionIndex(dates[0]!);
    const before = calendar.sessionAt(Math.max(0, index - SILENT_SESSIONS))!.tradeDate;
    const read = calendar.sessionsBetween(before, dates.at(-1)!);
    // Every date that is read, or the record would count those that somebody happened to ask for.
    await createMonths(database, read);
    await findMissingPeers(context, read, context.clock.now());
    const measured = [];
    for (const tradeDate of read) {
      const days = await peerDaysOn(database, market.simulated, tradeDate);
      if (days.length > 0)
        measured.push({ tradeDate, of: new Map(days.map(({ symbol, value }) => [symbol, value])) });
    }
    const wanted = new Set(dates);
    if (!measured.some(({ tradeDate }) => wanted.has(tradeDate))) return NONE;
    const horizon = longestHorizon('divergence');
    const until =
      calendar.sessionAt(calendar.sessionIndex(dates.at(-1)!) + horizon)?.tradeDate ?? calendar.last;
    const events = new Map<string, ReadonlySet<string>>();
    for (const date of calendar.sessionsBetween(dates[0]!, earlier(until, dateOf(lastDay * DAY_MS)))) {
      const prior = calendar.session(calendar.previousSession(date) ?? date)!;
      events.set(date, await readOwnEvents(database, prior.close, calendar.session(date)!.close));
    }
    const tapes = await tapesAround(context, dates, horizon, lastDay);
    return context.deriver.claims({ of: 'divergence', tapes, dates: measured, wanted, events, lastDay });
  },
};

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

/** Claims of the stocks with minutes on some dates, some stocks at once. */
async function findByMinute(
  { tape, deriver }: PassContext,
  of: 'level' | 'playbook',
  dates: readonly string[],
  { stocksByMinute: stocks }: Pass,
): Promise<FoundClaims> {
  const [first, last] = [dayOf(dates[0]!), dayOf(dates.at(-1)!)];
  const symbols = (await stocks())
    .filter(({ days, isRunning }) => isRunning || days.some((day) => day >= first && day <= last))
    .map(({ symbol }) => symbol)
    .sort();
  const parts: FoundClaims[] = [];
  const work = async (names: readonly string[]): Promise<FoundClaims> =>
    deriver.claims({ of, tapes: await tape.symbolTapes(names), dates });
  for await (const part of inOrder(chunks(symbols, SYMBOLS_AT_ONCE), work)) parts.push(part);
  return {
    observed: [...new Set(parts.flatMap(({ observed }) => observed))].sort(),
    claims: parts.flatMap(({ claims }) => claims).sort(bySymbolName),
    measures: new Map(),
  };
}

const bySymbolName = (one: SymbolClaims, other: SymbolClaims): number => (one.symbol < other.symbol ? -1 : 1);

const NONE: FoundClaims = { observed: [], claims: [], measures: new Map() };

/** Daily bars of every symbol from before the first date to the end of the last one's horizon. */
async function tapesAround(
  { market, calendar }: RecordContext,
  dates: readonly string[],
  horizon: number,
  lastDay: number,
) {
  const [begin, end] = [dates[0]!, dates.at(-1)!];
  const first = calendar.sessionAt(Math.max(0, calendar.sessionIndex(begin) - horizon))!.tradeDate;
  const last = calendar.sessionAt(calendar.sessionIndex(end) + horizon)?.tradeDate ?? end;
  const span = [first, earlier(last, dateOf(lastDay * DAY_MS))];
  return market.marketTapes(span.map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.end })));
}

/** By symbol the recorded scores of a stored date; NaN where absent. */
async function scoresOn(
  { database, market }: RecordContext,
  tradeDate: string,
): Promise<Map<string, Float64Array>> {
  const catalogues = await readScreenCatalogues(database);
  const readers = new Map(Array.from(catalogues, ([digest, fields]) => [digest, rowReader(fields)]));
  const names = Object.keys(RECORDED_SCORES);
  const places = new Map(
    names.map((name, place) => [PACKED_FIELDS.findIndex(({ path }) => path === name), place]),
  );
  const scores = new Map<string, Float64Array>();
  for (const { symbol, catalogue, packed } of await readScreenRows(
    database,
    market.simulated,
    tradeDate,
    null,
    ROWS_AT_ONCE,
  )) {
    if (symbol.startsWith('^')) continue;
    const values = new Float64Array(names.length).fill(Number.NaN);
    readers.get(catalogue)!.numbers(packed, (field, value) => {
      const place = places.get(field);
      if (place !== undefined) values[place] = value;
    });
    scores.set(symbol, values);
  }
  return scores;
}
