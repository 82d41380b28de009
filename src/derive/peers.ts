import {
  CONTAMINATIONS,
  type Divergences,
  openDivergences,
  signalOf,
  weightConfigOf,
} from '../analysis/diffusion/divergence.ts';
import { packTopology, unpackTopology } from '../analysis/diffusion/packed.ts';
import { RETURNS_MIN, type ReturnTable, WINDOW_SESSIONS } from '../analysis/diffusion/returns.ts';
import { type ReportedTies, reasonsOf } from '../analysis/diffusion/ties.ts';
import { buildTopology, type Topology } from '../analysis/diffusion/topology.ts';
import { type Calendar, DAY_MS, dayOf } from '../base/calendar.ts';
import { monthOf } from '../base/dates.ts';
import { finiteOrNull } from '../base/wire.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/market-view.ts';
import type { PeerDay, PeerReturn } from '../market/peer-day.ts';
import type { DailyRun, MarketDay } from '../tape/read-market.ts';
import type { PeersWork } from './deriver.ts';
import { dailyRuns, marketDay } from './market.ts';
import type { BuiltTopology, MeasuredPeers } from './peer-topology.ts';
import type { TapeSource } from './tape-source.ts';

/** Direct peers listed in a stock-day. */
const PEERS_NAMED = 20;
/** Minimum number of stocks of a topology. */
const STOCKS_MIN = 10;
const NO_TIES: ReportedTies = { sector: null, industry: null, themes: [] };

/** Divergences as JSON text, as they are stored. */
export function peersOfMonth(source: TapeSource, work: PeersWork, isCalledOff: () => boolean): MeasuredPeers {
  const { topology, dayOn } = openPeers(source, work, isCalledOff);
  const textsOn = (date: string) =>
    new Map(Array.from(dayOn(date), ([symbol, day]): [string, string] => [symbol, JSON.stringify(day)]));
  return { topology, days: new Map(work.dates.map((date) => [date, textsOn(date)])) };
}

/** The peers of a month. */
interface OpenPeers {
  /** Null when a stored topology was used. */
  readonly topology: BuiltTopology | null;
  /** By symbol the divergences of one of its sessions, for stocks with a return and peers. */
  readonly dayOn: (date: string) => ReadonlyMap<string, PeerDay>;
}

/**
 * Divergences of stocks from their peers on completed sessions of a month. The peers follow from the year before the
 * month: a topology of the stocks with at least half of its returns, stored or built here. Proxies of the market and of
 * its volatility are left out.
 *
 * @param isCalledOff checked before each symbol; the result has no stocks once it is true
 */
export function openPeers(
  source: TapeSource,
  { tapes, dates, ties, events, packed }: PeersWork,
  isCalledOff: () => boolean,
): OpenPeers {
  const window = windowBefore(source.calendar, monthOf(dates[0]!));
  const stored = packed === null ? null : unpackTopology(packed);
  const rows = returnsOfEach(source, { tapes, dates }, stored, window, isCalledOff);
  const built = stored === null ? topologyOf(rows, ties, window) : null;
  const topology = stored ?? (built!.packed && unpackTopology(built!.packed));
  if (topology === null) return { topology: built, dayOn: () => new Map() };
  const score = openDivergences(topology.walk, topology.deviations);
  const dayOn = (date: string) => {
    const at = dates.indexOf(date);
    const hasEvent = Uint8Array.from(topology.symbols, (symbol) =>
      Number(events.get(date)?.has(symbol) ?? false),
    );
    const returns = Float64Array.from(topology.symbols, (of) => rows.get(of)?.onDates[at] ?? Number.NaN);
    return daysOf(topology, returns, score(returns, hasEvent), window);
  };
  return { topology: built, dayOn };
}

/** What peers take of the prices of a stock. */
interface StockReturns {
  /** Of the window's sessions; null where a topology is there. */
  readonly ofWindow: Float64Array | null;
  /** On each date; NaN where unknown. */
  readonly onDates: readonly number[];
}

/** By symbol the returns of the stocks of a topology, or of those that can be in one that is to be built. */
function returnsOfEach(
  source: TapeSource,
  { tapes, dates }: Pick<PeersWork, 'tapes' | 'dates'>,
  topology: Topology | null,
  window: Window,
  isCalledOff: () => boolean,
): Map<string, StockReturns> {
  const returns = new Map<string, StockReturns>();
  if (topology === null && window.market === null) return returns;
  const known = topology && new Set(topology.symbols);
  const days = dates.map((date) => closedDay(source.calendar, date));
  const instants = known === null ? [window.market!, ...days] : days;
  for (const tape of tapes) {
    if (isCalledOff()) return new Map();
    if (!(known?.has(tape.symbol) ?? isStock(tape.symbol))) continue;
    const runs = dailyRuns(source, tape, instants);
    const before = known === null ? runs.shift() : null;
    const ofWindow = before && returnsOf(before, window.indexOfDay);
    if (known === null && ofWindow == null) continue;
    const onDates = days.map((day, at) => (runs[at] ? returnOn(runs[at], day) : Number.NaN));
    returns.set(tape.symbol, { ofWindow: ofWindow ?? null, onDates });
  }
  return returns;
}

const isStock = (symbol: string): boolean =>
  !symbol.startsWith('^') && ![...INDEX_SYMBOLS, ...VIX_SYMBOLS].includes(symbol);

function topologyOf(
  stocks: ReadonlyMap<string, StockReturns>,
  ties: PeersWork['ties'],
  { month, windowFrom, windowTo }: Window,
): BuiltTopology {
  const nothing: BuiltTopology = { month, stocks: 0, packed: null, edges: 0, windowFrom, windowTo };
  if (stocks.size < STOCKS_MIN) return nothing;
  const symbols = [...stocks.keys()];
  const rows = Array.from(stocks.values(), ({ ofWindow }) => ofWindow!);
  const topology = buildTopology(
    symbols,
    tableOf(rows),
    symbols.map((symbol) => ties.get(symbol) ?? NO_TIES),
  );
  const edges = topology.walk.graph.peer.length / 2;
  return { ...nothing, stocks: symbols.length, packed: packTopology(topology), edges };
}

interface Window {
  /** The first day of the month that follows it. */
  readonly month: string;
  /** Trade dates of its first and last session. */
  readonly windowFrom: string;
  readonly windowTo: string;
  /** Its last session at its close; null when the window is incomplete. */
  readonly market: MarketDay | null;
  /** By day since 1970-01-01 the index of the return that ends on it; -1 for the session before the first return. */
  readonly indexOfDay: ReadonlyMap<number, number>;
}

function windowBefore(calendar: Calendar, month: string): Window {
  const end = calendar.sessionIndex(calendar.isSession(month) ? month : calendar.nextSession(month)!);
  const dates: string[] = [];
  for (let at = Math.max(0, end - WINDOW_SESSIONS - 1); at < end; at++) {
    dates.push(calendar.sessionAt(at)!.tradeDate);
  }
  const windowTo = dates.at(-1) ?? month;
  return {
    month,
    // The session before the first return is not part of the window.
    windowFrom: dates[1] ?? windowTo,
    windowTo,
    market: dates.length > WINDOW_SESSIONS ? closedDay(calendar, windowTo) : null,
    indexOfDay: new Map(dates.map((date, at) => [dayOf(date), at - 1])),
  };
}

const closedDay = (calendar: Calendar, tradeDate: string): MarketDay =>
  marketDay(calendar, { tradeDate, asOf: calendar.session(tradeDate)!.close });

/** Returns of the window's sessions; null with too few. */
function returnsOf(run: DailyRun, indexOfDay: Window['indexOfDay']): Float64Array | null {
  const returns = new Float64Array(WINDOW_SESSIONS).fill(Number.NaN);
  let known = 0;
  for (let row = run.row; row > run.first; row--) {
    const index = indexOfDay.get(run.time[row]! / DAY_MS);
    if (index === undefined || index < 0) break;
    // A return across a session without a bar does not count.
    if (indexOfDay.get(run.time[row - 1]! / DAY_MS) !== index - 1) continue;
    returns[index] = run.close[row]! / run.close[row - 1]! - 1;
    known++;
  }
  return known < RETURNS_MIN ? null : returns;
}

function returnOn({ time, close, first, row }: DailyRun, { day, priorDay }: MarketDay): number {
  const isOfDay = row > first && time[row] === day * DAY_MS && time[row - 1] === priorDay * DAY_MS;
  return isOfDay ? close[row]! / close[row - 1]! - 1 : Number.NaN;
}

function tableOf(rows: readonly Float64Array[]): ReturnTable {
  const values = new Float64Array(rows.length * WINDOW_SESSIONS);
  for (const [stock, row] of rows.entries()) {
    values.set(row, stock * WINDOW_SESSIONS);
  }
  return { stocks: rows.length, sessions: WINDOW_SESSIONS, values };
}

const percent = (value: number): number | null => finiteOrNull(value * 100);

function daysOf(
  topology: Topology,
  returns: Float64Array,
  divergences: Divergences,
  { windowFrom, windowTo }: Window,
): Map<string, PeerDay> {
  const { scores, composite, implied, peers, contamination } = divergences;
  const days = new Map<string, PeerDay>();
  for (const [stock, symbol] of topology.symbols.entries()) {
    if (!Number.isFinite(composite[stock]!)) continue;
    const [local, medium, broad] = scores.map((score) => finiteOrNull(score[stock]!));
    const [impliedLocal, impliedMedium, impliedBroad] = implied.map((value) => percent(value[stock]!));
    const [ofLocal, ofMedium, ofBroad] = topology.deviations.map((value) => percent(value[stock]!));
    days.set(symbol, {
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
    });
  }
  return days;
}

/** The direct peers of a stock, heaviest first. */
function peersOf({ symbols, walk: { graph } }: Topology, returns: Float64Array, stock: number): PeerReturn[] {
  const edges: number[] = [];
  let weights = 0;
  let present = 0;
  for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
    edges.push(at);
    weights += graph.weight[at]!;
    if (!Number.isNaN(returns[graph.peer[at]!]!)) present += graph.weight[at]!;
  }
  edges.sort((a, b) => graph.weight[b]! - graph.weight[a]! || a - b);
  return edges.slice(0, PEERS_NAMED).map((at) => {
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
