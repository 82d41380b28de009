import {
  buildTopology,
  CONTAMINATIONS,
  type Divergences,
  openDivergences,
  packTopology,
  RETURNS_MIN,
  type ReturnTable,
  reasonsOf,
  signalOf,
  type Topology,
  WINDOW_SESSIONS,
  weightConfigOf,
} from './analysis/diffusion/index.ts';
import { type Calendar, DAY_MS, midnightUtc } from './base/calendar.ts';
import { isCoded } from './base/errors.ts';
import type { BuiltTopology, PeerEdge } from './base/peer-topology.ts';
import type { PeersRequest, PeerTies } from './blocks/deriver.ts';
import type { PeerDay, PeerReturn } from './market/peer-day.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from './market/standing-symbols.ts';
import type { MarketTape, SegmentReader } from './market/tape/index.ts';
import { type DailyRun, type MarketDay, readDailyRuns } from './market/tape/read-market.ts';

/** Direct peers that a stock-day names. */
const PEERS_NAMED = 20;
/** With fewer stocks than these there is no company to speak of. */
const STOCKS_MIN = 10;
const NO_TIES: PeerTies = { sector: null, industry: null, themes: [] };

/**
 * The peers of every stock on a completed session and how each compared with its own: one walk over the symbols for a
 * year of returns before the date, a topology of those with at least half of them, and the date's returns carried over
 * it. What stands for the market or its volatility is nobody's peer.
 *
 * @param isCalledOff asked before each symbol; the answer has no stocks once it is true
 */
export function peersOfDay(
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, day, ties, events }: PeersRequest,
  isCalledOff: () => boolean,
): BuiltTopology {
  const window = windowBefore(calendar, day.tradeDate);
  const nothing: BuiltTopology = {
    tradeDate: day.tradeDate,
    stocks: 0,
    packed: null,
    edges: [],
    windowFrom: window.dates[0] ?? day.tradeDate,
    windowTo: window.dates.at(-1) ?? day.tradeDate,
    days: new Map(),
  };
  if (window.dates.length < WINDOW_SESSIONS) return nothing;
  const symbols: string[] = [];
  const rows: Float64Array[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return nothing;
    if (tape.symbol.startsWith('^') || [...INDEX_SYMBOLS, ...VIX_SYMBOLS].includes(tape.symbol)) continue;
    const returns = returnsOf(reader, calendar, tape, window, day.asOf);
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
  const returns = Float64Array.from(rows, (row) => row[WINDOW_SESSIONS]!);
  const hasEvent = Uint8Array.from(symbols, (symbol) => Number(events.has(symbol)));
  const divergences = openDivergences(topology.walk, topology.deviations)(returns, hasEvent);
  return {
    ...nothing,
    stocks: symbols.length,
    packed: packTopology(topology),
    edges: edgesOf(topology),
    days: daysOf(topology, returns, divergences, nothing),
  };
}

interface Window {
  /** The sessions before the trade date, oldest first. */
  readonly dates: readonly string[];
  /** The last of them, and the trade date, as what a walk over many symbols asks for. */
  readonly market: Omit<MarketDay, 'asOf'>;
  /** By day since 1970-01-01 the place of the return that ends on it; -1 is the session that the first return begins on. */
  readonly places: ReadonlyMap<number, number>;
}

const dayOf = (date: string): number => midnightUtc(date) / DAY_MS;

function windowBefore(calendar: Calendar, tradeDate: string): Window {
  const session = calendar.session(tradeDate);
  if (session === null) throw new Error(`${tradeDate} is no session`);
  const index = calendar.sessionIndex(tradeDate);
  const dates: string[] = [];
  for (let at = Math.max(0, index - WINDOW_SESSIONS - 1); at < index; at++) {
    dates.push(calendar.sessionAt(at)!.tradeDate);
  }
  const places = new Map([...dates, tradeDate].map((date, at) => [dayOf(date), at - 1]));
  // The session that the first return begins on has none of its own here.
  dates.shift();
  const day = dayOf(tradeDate);
  return {
    dates,
    market: { tradeDate, session, day, priorDay: dates.length === 0 ? day - 1 : dayOf(dates.at(-1)!) },
    places,
  };
}

/** Returns of the window's sessions and of the trade date; null where the window has too few of them. */
function returnsOf(
  reader: SegmentReader,
  calendar: Calendar,
  tape: MarketTape,
  { market, places }: Window,
  asOf: number,
): Float64Array | null {
  const run = dailyRun(reader, calendar, tape, { ...market, asOf });
  if (run === null) return null;
  const returns = new Float64Array(WINDOW_SESSIONS + 1).fill(Number.NaN);
  let known = 0;
  for (let row = run.row; row > run.first; row--) {
    const place = places.get(run.time[row]! / DAY_MS);
    if (place === undefined || place < 0) break;
    // A return over a session without a bar is none of this day.
    if (places.get(run.time[row - 1]! / DAY_MS) !== place - 1) continue;
    returns[place] = run.close[row]! / run.close[row - 1]! - 1;
    if (place < WINDOW_SESSIONS) known++;
  }
  return known < RETURNS_MIN ? null : returns;
}

function dailyRun(
  reader: SegmentReader,
  calendar: Calendar,
  tape: MarketTape,
  day: MarketDay,
): DailyRun | null {
  try {
    return readDailyRuns(reader, tape, calendar, [day])[0]!;
  } catch (error) {
    // A symbol whose file is damaged is left out; its own derivation says so.
    if (isCoded(error) && error.code === 'tape_damaged') return null;
    throw error;
  }
}

function tableOf(rows: readonly Float64Array[]): ReturnTable {
  const values = new Float64Array(rows.length * WINDOW_SESSIONS);
  for (const [stock, row] of rows.entries()) {
    values.set(row.subarray(0, WINDOW_SESSIONS), stock * WINDOW_SESSIONS);
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
  { windowFrom, windowTo }: BuiltTopology,
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
