import {
  CONTAMINATIONS,
  type Divergences,
  openDivergences,
  signalOf,
  weightConfigOf,
} from '../analysis/diffusion/divergence.ts';
import { packTopology, unpackTopology } from '../analysis/diffusion/packed.ts';
import { RETURNS_MIN, type ReturnTable, WINDOW_SESSIONS } from '../analysis/diffusion/returns.ts';
import { reasonsOf } from '../analysis/diffusion/ties.ts';
import { buildTopology, type Topology } from '../analysis/diffusion/topology.ts';
import { type Calendar, DAY_MS, midnightUtc } from '../base/calendar.ts';
import { isCoded } from '../base/errors.ts';
import { type BuiltTopology, type MeasuredPeers, monthOf, type PeerEdge } from '../base/peer-topology.ts';
import type { PeersRequest, PeerTies } from './deriver.ts';
import type { PeerDay, PeerReturn } from '../market/peer-day.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/benchmark-symbols.ts';
import type { MarketTape, SegmentReader } from '../market/tape/index.ts';
import { type DailyRun, type MarketDay, readDailyRuns } from '../market/tape/read-market.ts';

/** Direct peers that a stock-day names. */
const PEERS_NAMED = 20;
/** With fewer stocks than these there is no company to speak of. */
const STOCKS_MIN = 10;
const NO_TIES: PeerTies = { sector: null, industry: null, themes: [] };

/**
 * How stocks compared with their peers on completed sessions of a month. The peers are those of the year before the month:
 * a topology of the stocks with at least half of its returns, kept or built here, over which the returns of each session
 * are carried. What stands for the market or its volatility is nobody's peer.
 *
 * @param isCalledOff asked before each symbol; the answer has no stocks once it is true
 */
export function peersOfMonth(
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, dates, ties, events, packed }: PeersRequest,
  isCalledOff: () => boolean,
): MeasuredPeers {
  const window = windowBefore(calendar, monthOf(dates[0]!));
  const built = packed === null ? topologyOf(reader, calendar, { tapes, ties }, window, isCalledOff) : null;
  const bytes = packed ?? built!.packed;
  if (bytes === null) return { topology: built, days: new Map(dates.map((date) => [date, new Map()])) };
  const topology = unpackTopology(bytes);
  const returns = returnsOn(reader, calendar, tapes, topology.symbols, dates, isCalledOff);
  const score = openDivergences(topology.walk, topology.deviations);
  const days = dates.map((date, at): [string, ReadonlyMap<string, string>] => {
    const hasEvent = Uint8Array.from(topology.symbols, (symbol) =>
      Number(events.get(date)?.has(symbol) ?? false),
    );
    return [date, daysOf(topology, returns[at]!, score(returns[at]!, hasEvent), window)];
  });
  return { topology: built, days: new Map(days) };
}

function topologyOf(
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, ties }: Pick<PeersRequest, 'tapes' | 'ties'>,
  window: Window,
  isCalledOff: () => boolean,
): BuiltTopology {
  const { month, windowFrom, windowTo } = window;
  const nothing: BuiltTopology = { month, stocks: 0, packed: null, edges: [], windowFrom, windowTo };
  if (window.market === null) return nothing;
  const symbols: string[] = [];
  const rows: Float64Array[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return nothing;
    if (tape.symbol.startsWith('^') || [...INDEX_SYMBOLS, ...VIX_SYMBOLS].includes(tape.symbol)) continue;
    const [run] = dailyRuns(reader, calendar, tape, [window.market]);
    const returns = run == null ? null : returnsOf(run, window.places);
    if (returns === null) continue;
    symbols.push(tape.symbol);
    rows.push(returns);
  }
  if (symbols.length < STOCKS_MIN) return nothing;
  const topology = buildTopology(
    symbols,
    tableOf(rows),
    symbols.map((symbol) => ties.get(symbol) ?? NO_TIES),
  );
  return { ...nothing, stocks: symbols.length, packed: packTopology(topology), edges: edgesOf(topology) };
}

interface Window {
  /** The first day of the month that it comes before. */
  readonly month: string;
  /** Trade dates of its first and its last session. */
  readonly windowFrom: string;
  readonly windowTo: string;
  /** Its last session at its close, as what a walk over many symbols asks for; null where it is not whole. */
  readonly market: MarketDay | null;
  /** By day since 1970-01-01 the place of the return that ends on it; -1 is the session that the first return begins on. */
  readonly places: ReadonlyMap<number, number>;
}

const dayOf = (date: string): number => midnightUtc(date) / DAY_MS;

function windowBefore(calendar: Calendar, month: string): Window {
  const end = calendar.sessionIndex(calendar.isSession(month) ? month : calendar.nextSession(month)!);
  const dates: string[] = [];
  for (let at = Math.max(0, end - WINDOW_SESSIONS - 1); at < end; at++) {
    dates.push(calendar.sessionAt(at)!.tradeDate);
  }
  const windowTo = dates.at(-1) ?? month;
  return {
    month,
    // The session that the first return begins on has none of its own here.
    windowFrom: dates[1] ?? windowTo,
    windowTo,
    market: dates.length > WINDOW_SESSIONS ? marketDayOf(calendar, windowTo) : null,
    places: new Map(dates.map((date, at) => [dayOf(date), at - 1])),
  };
}

/** A completed session. */
function marketDayOf(calendar: Calendar, tradeDate: string): MarketDay {
  const session = calendar.session(tradeDate);
  if (session === null) throw new Error(`${tradeDate} is no session`);
  const prior = calendar.previousSession(tradeDate);
  const day = dayOf(tradeDate);
  return { tradeDate, session, asOf: session.close, day, priorDay: prior === null ? day - 1 : dayOf(prior) };
}

/** Returns of the window's sessions; null with too few of them. */
function returnsOf(run: DailyRun, places: Window['places']): Float64Array | null {
  const returns = new Float64Array(WINDOW_SESSIONS).fill(Number.NaN);
  let known = 0;
  for (let row = run.row; row > run.first; row--) {
    const place = places.get(run.time[row]! / DAY_MS);
    if (place === undefined || place < 0) break;
    // A return over a session without a bar is none of this day.
    if (places.get(run.time[row - 1]! / DAY_MS) !== place - 1) continue;
    returns[place] = run.close[row]! / run.close[row - 1]! - 1;
    known++;
  }
  return known < RETURNS_MIN ? null : returns;
}

/** By date the returns of the stocks of a topology; NaN where a stock has none. */
function returnsOn(
  reader: SegmentReader,
  calendar: Calendar,
  tapes: readonly MarketTape[],
  symbols: readonly string[],
  dates: readonly string[],
  isCalledOff: () => boolean,
): Float64Array[] {
  const days = dates.map((date) => marketDayOf(calendar, date));
  const returns = days.map(() => new Float64Array(symbols.length).fill(Number.NaN));
  const tapeOf = new Map(tapes.map((tape) => [tape.symbol, tape]));
  for (const [stock, symbol] of symbols.entries()) {
    const tape = tapeOf.get(symbol);
    if (tape === undefined || isCalledOff()) continue;
    for (const [at, run] of dailyRuns(reader, calendar, tape, days).entries()) {
      if (run !== null) returns[at]![stock] = returnOn(run, days[at]!);
    }
  }
  return returns;
}

function returnOn({ time, close, first, row }: DailyRun, { day, priorDay }: MarketDay): number {
  const isOfDay = row > first && time[row] === day * DAY_MS && time[row - 1] === priorDay * DAY_MS;
  return isOfDay ? close[row]! / close[row - 1]! - 1 : Number.NaN;
}

function dailyRuns(
  reader: SegmentReader,
  calendar: Calendar,
  tape: MarketTape,
  days: readonly MarketDay[],
): (DailyRun | null)[] {
  try {
    return readDailyRuns(reader, tape, calendar, days);
  } catch (error) {
    // A symbol whose file is damaged is left out; its own derivation says so.
    if (isCoded(error) && error.code === 'tape_damaged') return [];
    throw error;
  }
}

function tableOf(rows: readonly Float64Array[]): ReturnTable {
  const values = new Float64Array(rows.length * WINDOW_SESSIONS);
  for (const [stock, row] of rows.entries()) {
    values.set(row, stock * WINDOW_SESSIONS);
  }
  return { stocks: rows.length, sessions: WINDOW_SESSIONS, values };
}

function edgesOf({ symbols, walk: { graph } }: Topology): PeerEdge[] {
  const edges: PeerEdge[] = [];
  for (let stock = 0; stock < graph.stocks; stock++) {
    for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
      const other = graph.peer[at]!;
      if (other < stock) continue;
      edges.push({
        one: symbols[stock]!,
        other: symbols[other]!,
        weight: graph.weight[at]!,
        correlation: graph.correlation[at]!,
        reasons: reasonsOf(graph.reasons[at]!),
      });
    }
  }
  return edges;
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
const percent = (value: number): number | null => orNull(value * 100);

/** By symbol the text of its day; stocks without a return or without peers have none. */
function daysOf(
  topology: Topology,
  returns: Float64Array,
  divergences: Divergences,
  { windowFrom, windowTo }: Window,
): Map<string, string> {
  const { scores, composite, implied, peers, contamination } = divergences;
  const days = new Map<string, string>();
  for (const [stock, symbol] of topology.symbols.entries()) {
    if (!Number.isFinite(composite[stock]!)) continue;
    const [local, medium, broad] = scores.map((score) => orNull(score[stock]!));
    const [impliedLocal, impliedMedium, impliedBroad] = implied.map((value) => percent(value[stock]!));
    const [ofLocal, ofMedium, ofBroad] = topology.deviations.map((value) => percent(value[stock]!));
    const day: PeerDay = {
      local: local!,
      medium: medium!,
      broad: broad!,
      composite: composite[stock]!,
      signal: signalOf(composite[stock]!),
      peersLocal: peers[0]![stock]!,
      peersMedium: peers[1]![stock]!,
      peersBroad: peers[2]![stock]!,
      weightConfig: weightConfigOf(scores, stock),
      contamination: CONTAMINATIONS[contamination[stock]!]!,
      returnPct: returns[stock]! * 100,
      impliedLocalPct: impliedLocal!,
      impliedMediumPct: impliedMedium!,
      impliedBroadPct: impliedBroad!,
      deviationLocalPct: ofLocal!,
      deviationMediumPct: ofMedium!,
      deviationBroadPct: ofBroad!,
      windowFrom,
      windowTo,
      peers: peersOf(topology, returns, stock),
    };
    days.set(symbol, JSON.stringify(day));
  }
  return days;
}

/** The direct peers of a stock, heaviest first. */
function peersOf({ symbols, walk: { graph } }: Topology, returns: Float64Array, stock: number): PeerReturn[] {
  const places: number[] = [];
  let weights = 0;
  let present = 0;
  for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
    places.push(at);
    weights += graph.weight[at]!;
    if (!Number.isNaN(returns[graph.peer[at]!]!)) present += graph.weight[at]!;
  }
  places.sort((a, b) => graph.weight[b]! - graph.weight[a]! || a - b);
  return places.slice(0, PEERS_NAMED).map((at) => {
    const other = graph.peer[at]!;
    return {
      symbol: symbols[other]!,
      weight: graph.weight[at]! / weights,
      correlation: graph.correlation[at]!,
      reasons: reasonsOf(graph.reasons[at]!),
      returnPct: percent(returns[other]!),
      contributionPct: percent((graph.weight[at]! / present) * returns[other]!),
    };
  });
}
