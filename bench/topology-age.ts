/**
 * How much of a divergence depends on the age of its topology: over the S&P 500 dailies of 2018 each third session is
 * measured against the topology of the sessions right before it, of those before its week, and of those before its month.
 * `node bench/topology-age.ts` prints the table of docs/peers.md; it needs the recorded data of TIGRAPH_REAL_DATA.
 */
import { openDivergences, signalOf } from '../src/analysis/diffusion/divergence.ts';
import { midnightUtc } from '../src/base/calendar.ts';
import { hasRecordedDailies, type Panel, readPanel, topologyBefore } from './divergence-record.ts';

const WEEKDAY_OF_EPOCH = 3;
const [FROM, TO] = ['2018-01-02', '2018-12-31'];

interface Measured {
  readonly composite: ReadonlyMap<string, number>;
  readonly peers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Share of the variance across stocks that the direct peers leave unexplained. */
  readonly unexplained: number;
}

const ages = {
  week: (date: string) => Math.floor((midnightUtc(date) / 86_400_000 + WEEKDAY_OF_EPOCH) / 7),
  month: (date: string) => date.slice(0, 7),
};

/** The place of the first session in the same week or month. */
function firstOf({ dates }: Panel, at: number, keyOf: (date: string) => unknown): number {
  let first = at;
  while (first > 0 && keyOf(dates[first - 1]!) === keyOf(dates[at]!)) first--;
  return first;
}

const built = new Map<number, ReturnType<typeof topologyBefore>>();
let buildMs = 0;

function measure(panel: Panel, place: number, at: number): Measured {
  const began = performance.now();
  const isNew = !built.has(place);
  const { topology, stocks } = built.getOrInsertComputed(place, () => topologyBefore(panel, place));
  if (isNew) buildMs += performance.now() - began;
  const own = Float64Array.from(stocks, (stock) => panel.returns[stock * panel.dates.length + at]!);
  const { composite, implied } = openDivergences(topology.walk, topology.deviations)(own);
  const { graph } = topology.walk;
  const peers = topology.symbols.map((symbol, stock): [string, ReadonlySet<string>] => [
    symbol,
    new Set(
      Array.from(
        graph.peer.subarray(graph.rowStart[stock]!, graph.rowStart[stock + 1]!),
        (peer) => topology.symbols[peer]!,
      ),
    ),
  ]);
  const known = [...own.keys()].filter((stock) => Number.isFinite(own[stock]! - implied[0]![stock]!));
  const mean = known.reduce((sum, stock) => sum + own[stock]!, 0) / known.length;
  const squares = (of: (stock: number) => number): number =>
    known.reduce((sum, stock) => sum + of(stock) ** 2, 0);
  return {
    composite: new Map(topology.symbols.map((symbol, stock) => [symbol, composite[stock]!])),
    peers: new Map(peers),
    unexplained:
      squares((stock) => own[stock]! - implied[0]![stock]!) / squares((stock) => own[stock]! - mean),
  };
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const places: number[] = [];
  for (const [rank, at] of order.entries()) places[at] = rank;
  return places;
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (one.length - 1) / 2;
  let [both, square] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    both += (one[at]! - mean) * (other[at]! - mean);
    square += (one[at]! - mean) ** 2;
  }
  return both / square;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

if (hasRecordedDailies) {
  const panel = await readPanel();
  const places = [...panel.dates.keys()].filter(
    (at) => panel.dates[at]! >= FROM && panel.dates[at]! <= TO && at % 3 === 0,
  );
  const own = places.map((at) => measure(panel, at, at));
  console.log(`${built.size} topologies, ${(buildMs / built.size).toFixed(0)} ms each`);
  console.log(
    '| topology of | builds a year | rank correlation of composites | median difference | same signal, of those out of the ordinary | same peers | left unexplained |',
  );
  console.log('|---|---|---|---|---|---|---|');
  console.log(
    `| the sessions right before | 252 | 1 | 0 | 100 % | 100 % | ${meanOf(own.map(({ unexplained }) => unexplained)).toFixed(4)} |`,
  );
  for (const [name, keyOf] of Object.entries(ages)) {
    const [rank, apart, same, peers, unexplained]: number[][] = [[], [], [], [], []];
    for (const [at, place] of places.entries()) {
      const aged = measure(panel, firstOf(panel, place, keyOf), place);
      const symbols = [...own[at]!.composite.keys()].filter((symbol) =>
        Number.isFinite((aged.composite.get(symbol) ?? Number.NaN) + own[at]!.composite.get(symbol)!),
      );
      const [now, then] = [own[at]!, aged].map(({ composite }) =>
        symbols.map((symbol) => composite.get(symbol)!),
      );
      rank!.push(correlation(ranks(now!), ranks(then!)));
      for (const [stock, value] of now!.entries()) {
        apart!.push(Math.abs(value - then![stock]!));
        if (signalOf(value) !== 'neutral') same!.push(Number(signalOf(value) === signalOf(then![stock]!)));
      }
      for (const symbol of symbols) {
        const [mine, theirs] = [own[at]!.peers.get(symbol)!, aged.peers.get(symbol)!];
        if (mine.size > 0) peers!.push(mine.intersection(theirs).size / mine.size);
      }
      unexplained!.push(aged.unexplained);
    }
    console.log(
      `| those before the ${name} | ${name === 'week' ? 52 : 12} | ${meanOf(rank!).toFixed(4)} | ${median(apart!).toFixed(3)} | ${(meanOf(same!) * 100).toFixed(1)} % | ${(meanOf(peers!) * 100).toFixed(1)} % | ${meanOf(unexplained!).toFixed(4)} |`,
    );
  }
}
