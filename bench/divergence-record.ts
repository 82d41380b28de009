/**
 * How past divergences resolved: over the S&P 500 dailies of 2016-2019 each month's topology is built from the 252
 * sessions before it, and every session of the month is measured against it. `node bench/divergence-record.ts` prints the
 * tables of docs/peers.md; it needs the recorded data of TIGRAPH_REAL_DATA.
 *
 * Peers are found by returns alone: sectors that were written down later would be knowledge from the future.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDiffusion } from '../src/analysis/diffusion/diffuse.ts';
import { openDivergences, SIGNAL_MIN } from '../src/analysis/diffusion/divergence.ts';
import { RETURNS_MIN, type ReturnTable, WINDOW_SESSIONS } from '../src/analysis/diffusion/returns.ts';
import { buildTopology, type Topology } from '../src/analysis/diffusion/topology.ts';
import { datedMean } from '../src/analysis/evaluation.ts';
import { dateOf, newYorkCalendar } from '../src/base/calendar.ts';
import { csvFeed } from '../src/market/feeds/csv.ts';
import { profilesFeed } from '../src/market/feeds/profiles.ts';
import { REAL_DATA } from './stock-states.ts';

const DAILIES = resolve(REAL_DATA, 'daily/sp500_daily_adjusted_2016_2019.zip');
const CONSTITUENTS = resolve(REAL_DATA, 'reference/constituents.csv');
const HORIZONS = [1, 2, 3, 5, 10, 20];

export interface Panel {
  readonly symbols: readonly string[];
  readonly dates: readonly string[];
  /** Stocks x dates, row by row; the return of the first date is missing. */
  readonly returns: Float64Array;
}

export async function readPanel(): Promise<Panel> {
  const calendar = newYorkCalendar();
  const closes = new Map<string, Map<string, number>>();
  const splits = new Map<string, Map<string, number>>();
  const feed = csvFeed({ paths: [DAILIES], calendar, interval: '1d', symbolFrom: 'file-name' });
  for (const unit of await feed.units()) {
    for await (const delivery of unit.read()) {
      if (delivery.kind === 'bars') {
        const known = closes.getOrInsertComputed(delivery.symbol, () => new Map());
        const { time, close } = delivery.columns;
        for (let row = 0; row < time.length; row++) known.set(dateOf(time[row]!), close[row]!);
      }
      if (delivery.kind !== 'actions') continue;
      const known = splits.getOrInsertComputed(delivery.symbol, () => new Map());
      for (const { kind, exDate, value } of delivery.actions)
        if (kind === 'split') known.set(dateOf(exDate), value);
    }
  }
  const symbols = [...closes.keys()].sort();
  const dates = calendar.sessionsBetween('2016-01-04', '2019-12-31');
  const returns = new Float64Array(symbols.length * dates.length).fill(Number.NaN);
  for (const [stock, symbol] of symbols.entries()) {
    const known = closes.get(symbol)!;
    for (let at = 1; at < dates.length; at++) {
      const [before, after] = [known.get(dates[at - 1]!), known.get(dates[at]!)];
      if (before === undefined || after === undefined) continue;
      const split = splits.get(symbol)?.get(dates[at]!) ?? 1;
      returns[stock * dates.length + at] = (after * split) / before - 1;
    }
  }
  return { symbols, dates, returns };
}

/** The topology of the sessions before a place, and the places of its stocks in the panel. */
export function topologyBefore(
  { symbols, dates, returns }: Panel,
  place: number,
): { topology: Topology; stocks: number[] } {
  const rows = (stocks: readonly number[]): ReturnTable => {
    const values = new Float64Array(stocks.length * WINDOW_SESSIONS);
    for (const [at, stock] of stocks.entries()) {
      const end = stock * dates.length + place;
      values.set(returns.subarray(end - WINDOW_SESSIONS, end), at * WINDOW_SESSIONS);
    }
    return { stocks: stocks.length, sessions: WINDOW_SESSIONS, values };
  };
  const counts = returnCounts(rows(symbols.map((_, stock) => stock)));
  const stocks = [...counts.keys()].filter((stock) => counts[stock]! >= RETURNS_MIN);
  const names = stocks.map((stock) => symbols[stock]!);
  const none = names.map(() => ({ sector: null, industry: null, themes: [] }));
  return { topology: buildTopology(names, rows(stocks), none), stocks };
}

export const firstsOfMonths = (dates: readonly string[]): number[] =>
  [...dates.keys()].filter(
    (at) => at > WINDOW_SESSIONS && dates[at]!.slice(0, 7) !== dates[at - 1]!.slice(0, 7),
  );

/** What became of the signals of one kind: by horizon and date, sums over that date's signals. */
class Record {
  readonly #hits: Float64Array[];
  readonly #given: Float64Array[];
  readonly #counts: Uint32Array[];

  constructor(dates: number) {
    this.#hits = HORIZONS.map(() => new Float64Array(dates));
    this.#given = HORIZONS.map(() => new Float64Array(dates));
    this.#counts = HORIZONS.map(() => new Uint32Array(dates));
  }

  /** @param given share of the divergence that later ones have taken back */
  add(horizon: number, date: number, given: number): void {
    this.#hits[horizon]![date]! += Number(given > 0);
    this.#given[horizon]![date]! += given;
    this.#counts[horizon]![date]!++;
  }

  rows(kind: string): string[] {
    return HORIZONS.map((sessions, horizon) => {
      const counts = this.#counts[horizon]!;
      const byDate = (sums: Float64Array): Float64Array => sums.map((sum, date) => sum / counts[date]!);
      // Figures of neighbouring dates share their returns: as many lags as the horizon has sessions.
      const hits = datedMean(byDate(this.#hits[horizon]!), sessions);
      const given = datedMean(byDate(this.#given[horizon]!), sessions);
      const count = counts.reduce((sum, value) => sum + value, 0);
      return `| ${kind} | ${sessions} | ${count} | ${percent(hits.mean)} | ${percent(hits.low)} to ${percent(hits.high)} | ${percent(given.mean)} | ${percent(given.low)} to ${percent(given.high)} |`;
    });
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Own less implied return of every stock and date, each month by its own topology; and the signals at their dates. */
function measure(panel: Panel): void {
  const { dates, returns } = panel;
  const kinds = new Map(
    ['stronger', 'weaker', 'contaminated', 'all others'].map((kind) => [kind, new Record(dates.length)]),
  );
  const months = firstsOfMonths(dates);
  for (const [month, from] of months.entries()) {
    const { topology, stocks } = topologyBefore(panel, from);
    const score = openDivergences(topology.walk, topology.deviations);
    const diffuse = openDiffusion(topology.walk);
    const end = months[month + 1] ?? dates.length;
    const onDate = (at: number): Float64Array =>
      Float64Array.from(stocks, (stock) => returns[stock * dates.length + at]!);
    const apart: Float64Array[] = [];
    for (let at = from; at < Math.min(end + HORIZONS.at(-1)!, dates.length); at++) {
      const own = onDate(at);
      const implied = diffuse(own).implied[0]!;
      apart.push(own.map((value, stock) => value - implied[stock]!));
    }
    for (let at = from; at < end; at++) {
      const { composite, contamination } = score(onDate(at));
      for (let stock = 0; stock < stocks.length; stock++) {
        const first = apart[at - from]![stock]!;
        if (Number.isNaN(composite[stock]!) || first === 0) continue;
        const kind = kindOf(composite[stock]!, contamination[stock]!);
        for (const [horizon, sessions] of HORIZONS.entries()) {
          let sum = 0;
          for (let after = 1; after <= sessions; after++)
            sum += apart[at - from + after]?.[stock] ?? Number.NaN;
          if (Number.isNaN(sum)) continue;
          kinds.get(kind)!.add(horizon, at, -sum / first);
        }
      }
    }
  }
  console.log(
    '| signals | sessions after | count | taken back in part or more | 95 % | mean share taken back | 95 % |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const [kind, record] of kinds) if (kind !== 'all others') console.log(record.rows(kind).join('\n'));
}

function kindOf(composite: number, contamination: number): string {
  if (Math.abs(composite) < SIGNAL_MIN) return 'all others';
  if (contamination !== 0) return 'contaminated';
  return composite > 0 ? 'stronger' : 'weaker';
}

/** Share of edges within a sector, of the topology of each year's first month, against that of all pairs. */
async function sectors(panel: Panel): Promise<void> {
  const sectorOf = new Map<string, string>();
  const feed = profilesFeed({ path: CONSTITUENTS, knownAt: '2026-08-22' });
  for (const unit of await feed.units()) {
    for await (const delivery of unit.read()) {
      if (delivery.kind !== 'facts') continue;
      for (const { kind, value } of delivery.facts) {
        if (kind === 'profile' && value.sector !== null) sectorOf.set(delivery.symbol, value.sector);
      }
    }
  }
  console.log(
    '\n| topology of | stocks | edges | weight within a sector | by chance | intensity of shrinkage |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const place of firstsOfMonths(panel.dates).filter((_, month) => month % 12 === 0)) {
    const { topology } = topologyBefore(panel, place);
    const { graph } = topology.walk;
    const known = topology.symbols.map((symbol) => sectorOf.get(symbol) ?? null);
    let [within, weights, pairsWithin, pairs] = [0, 0, 0, 0];
    for (let stock = 0; stock < graph.stocks; stock++) {
      if (known[stock] === null) continue;
      for (let other = 0; other < graph.stocks; other++) {
        if (other === stock || known[other] === null) continue;
        pairs++;
        if (known[other] === known[stock]) pairsWithin++;
      }
      for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
        const other = known[graph.peer[at]!];
        if (other === null) continue;
        weights += graph.weight[at]!;
        if (other === known[stock]) within += graph.weight[at]!;
      }
    }
    console.log(
      `| ${panel.dates[place]} | ${graph.stocks} | ${graph.peer.length / 2} | ${percent(within / weights)} | ${percent(pairsWithin / pairs)} | ${topology.shrinkage.intensity.toFixed(3)} |`,
    );
  }
}

export const hasRecordedDailies = existsSync(DAILIES);

if (!hasRecordedDailies) console.log(`no recorded data in ${REAL_DATA}: set TIGRAPH_REAL_DATA`);
else if (import.meta.main) {
  const panel = await readPanel();
  measure(panel);
  await sectors(panel);
}

/** Number of returns of each stock. */
function returnCounts({ stocks, sessions, values }: ReturnTable): Uint32Array {
  const counts = new Uint32Array(stocks);
  for (let stock = 0; stock < stocks; stock++) {
    for (let at = stock * sessions; at < (stock + 1) * sessions; at++) {
      if (!Number.isNaN(values[at]!)) counts[stock]!++;
    }
  }
  return counts;
}
