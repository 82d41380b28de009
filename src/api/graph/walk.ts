import type { Queryable } from '../../database/database.ts';
import { EDGE_TYPES, type EdgeType, type Ring, type StoredEdge, walkRing } from '../../graph/neighborhood.ts';
import { mayName, type Viewer } from '../access/viewer.ts';
import { type PeerEdge, peerEdges } from './peer-edges.ts';
import { stockDayId, stockId } from '../../graph/identity.ts';

export interface NeighborhoodRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest stock-day in the graph. */
  readonly date?: string | undefined;
  /** Rings around the stock, 1 to 3. */
  readonly depth: number;
  /** Nodes at most, 1 to 500. */
  readonly limit: number;
  readonly types: readonly EdgeType[];
}

type Props = Readonly<Record<string, unknown>>;

interface NeighborNode {
  /** Label and key, e.g. `Stock:AAPL`. */
  readonly id: string;
  readonly label: string;
  readonly key: string;
  /** Rings from the stock; 0 for it and for its stock-day. */
  readonly depth: number;
  readonly props: Props;
}

interface NeighborEdge {
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
  readonly props: Props;
}

/** Nodes that were found and are not shown. */
interface LeftOff {
  readonly type: EdgeType;
  readonly count: number;
  /** True where a hub had more edges than were counted. */
  readonly at_least: boolean;
}

export interface Neighborhood {
  readonly symbol: string;
  readonly trade_date: string;
  readonly as_of: string;
  readonly source: Viewer['source'];
  readonly depth: number;
  readonly limit: number;
  readonly types: readonly EdgeType[];
  readonly nodes: readonly NeighborNode[];
  readonly edges: readonly NeighborEdge[];
  readonly truncated: boolean;
  readonly left_off: readonly LeftOff[];
  readonly notes: readonly string[];
}

/** The stock-day to begin at, and what its viewer may see. */
export interface Standpoint {
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** See `WalkRules`. */
  readonly visible: number | null;
  /** Whether the close of the date, which its peers are compared at, may be seen. */
  readonly closeIsSeen: boolean;
  readonly source: Viewer['source'];
  /** Symbols that may be asked of; null for all. */
  readonly symbols: ReadonlySet<string> | null;
}

/** A node that was met, by the id of the graph. */
interface Met extends NeighborNode {
  readonly place: string;
}

/** A new node at the end of edges, before it is chosen. */
interface Candidate {
  readonly place: string;
  readonly label: string;
  readonly key: string;
  readonly props: Props;
}

/** An edge by the ids of the graph. */
interface FoundEdge {
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
  readonly props: Props;
}

/** What one ring leads to. */
interface Step {
  /** By type the new nodes, best first. */
  readonly candidates: ReadonlyMap<EdgeType, readonly Candidate[]>;
  readonly found: ReadonlyMap<EdgeType, number>;
  readonly cut: ReadonlySet<EdgeType>;
  readonly edges: readonly FoundEdge[];
}

/** Nodes of a ring that are walked on from; what one more stock-day leads to is fifty nodes. */
const WALKED_FROM_MAX = 100;

/** Walks the rings around a stock on a date. Statements: one for each ring, and one more for its stocks' peers. */
export async function walkNeighborhood(
  database: Queryable,
  { symbol, depth, limit, types }: NeighborhoodRequest,
  standpoint: Standpoint,
  signal: AbortSignal,
): Promise<Neighborhood> {
  const { tradeDate } = standpoint;
  const met = new Map<string, Met>();
  const edges = new Map<string, FoundEdge>();
  const leftOff = new Map<EdgeType, LeftOff>();
  const notes: string[] = [];
  const meet = (candidate: Candidate, ring: number): void => {
    const { place, label, key, props } = candidate;
    met.set(place, {
      place,
      id: `${label}:${key}`,
      label,
      key,
      depth: ring,
      props: lastingProps(label, props),
    });
  };
  for (const candidate of rootOf(symbol, tradeDate).slice(0, limit)) meet(candidate, 0);
  let ring = [...met.values()];
  let walked = 0;
  let isNarrowed = false;
  while (walked < depth && ring.length > 0 && met.size < limit) {
    const at = ++walked;
    if (ring.length > WALKED_FROM_MAX) {
      notes.push(`Ring ${at} goes on from the first ${WALKED_FROM_MAX} of ${ring.length} nodes.`);
      ring = ring.slice(0, WALKED_FROM_MAX);
      isNarrowed = true;
    }
    const left = limit - met.size;
    const step = await stepFrom(database, ring, [...met.keys()], types, standpoint, left, signal);
    if (at === 1 && types.includes('PEER_OF') && !step.peersKnown)
      notes.push(peersUnknown(symbol, tradeDate));
    const chosen = chooseInTurn(step.candidates, left);
    for (const candidate of chosen) meet(candidate, at);
    for (const edge of step.edges) {
      const isShown = met.has(edge.source) && met.has(edge.target);
      if (isShown) edges.getOrInsert(edgeKey(edge), edge);
    }
    noteLeftOff(leftOff, step, met);
    ring = chosen.map(({ place }) => met.get(place)!);
  }
  const isCutShort = walked < depth && ring.length > 0;
  if (isCutShort) notes.push(`The limit of ${limit} nodes was reached in ring ${walked} of ${depth}.`);
  return {
    symbol,
    trade_date: tradeDate,
    as_of: new Date(standpoint.asOf).toISOString(),
    source: standpoint.source,
    depth,
    limit,
    types,
    nodes: Array.from(met.values(), ({ place: _, ...node }) => node),
    edges: Array.from(edges.values(), ({ source, type, target, props }) => ({
      source: met.get(source)!.id,
      type,
      target: met.get(target)!.id,
      props,
    })),
    truncated: isCutShort || isNarrowed || leftOff.size > 0,
    left_off: EDGE_TYPES.flatMap((type) => leftOff.get(type) ?? []),
    notes,
  };
}

const peersUnknown = (symbol: string, tradeDate: string): string =>
  `PEER_OF is left out: no peers of ${symbol} are known for ${tradeDate} that may be shown.`;

const rootOf = (symbol: string, tradeDate: string): Candidate[] => [
  { place: stockId(symbol), label: 'Stock', key: symbol, props: { symbol } },
  {
    place: stockDayId(symbol, tradeDate),
    label: 'StockDay',
    key: `${symbol}|${tradeDate}`,
    props: { symbol, trade_date: tradeDate },
  },
];

/** A pair of peers is told once, by the one that was met first. */
function edgeKey({ type, source, target }: FoundEdge): string {
  const ends = type === 'PEER_OF' && source > target ? [target, source] : [source, target];
  return `${type} ${ends.join(' ')}`;
}

/**
 * A node that several days share says what it said last. What a later day may have put another way is left out: the price
 * of an event, which is on the basis of the day that told it, and the name of a theme.
 */
function lastingProps(label: string, props: Props): Props {
  if (label === 'PriceEvent') {
    const { price: _, ...lasting } = props;
    return lasting;
  }
  if (label === 'Theme') {
    const { name: _, ...lasting } = props;
    return lasting;
  }
  return props;
}

async function stepFrom(
  database: Queryable,
  ring: readonly Met[],
  met: readonly string[],
  types: readonly EdgeType[],
  { tradeDate, visible, closeIsSeen, symbols }: Standpoint,
  limit: number,
  signal: AbortSignal,
): Promise<Step & { readonly peersKnown: boolean }> {
  const stored = types.filter((type): type is StoredEdge => type !== 'PEER_OF');
  const rules = { date: tradeDate, types: stored, visible, symbols };
  const places = ring.map(({ place }) => place);
  const walked = await walkRing(database, places, met, rules, limit, { signal });
  const stocks = ring.filter(({ label }) => label === 'Stock').map(({ key }) => key);
  const asksPeers = types.includes('PEER_OF') && closeIsSeen && stocks.length > 0;
  const peers = asksPeers ? await peerEdges(database, stocks, tradeDate, signal) : null;
  const granted = (peers?.edges ?? []).filter(({ peer }) => mayName({ symbols }, peer));
  return { ...merged(walked, granted, new Set(met)), peersKnown: (peers?.known ?? 0) > 0 };
}

function merged(walked: Ring, peers: readonly PeerEdge[], met: ReadonlySet<string>): Step {
  const candidates = new Map<EdgeType, Candidate[]>();
  const seen = new Set<string>();
  const ranked = walked.edges.flatMap(({ far }) => far ?? []).sort((one, other) => one.rank - other.rank);
  for (const { id, label, key, props, type } of ranked) {
    if (seen.has(id)) continue;
    seen.add(id);
    candidates.getOrInsertComputed(type, () => []).push({ place: id, label, key, props });
  }
  const heaviest = peers.toSorted(
    (one, other) => other.props.weight - one.props.weight || (one.peer < other.peer ? -1 : 1),
  );
  for (const { peer } of heaviest) {
    const place = stockId(peer);
    if (seen.has(place) || met.has(place)) continue;
    seen.add(place);
    const candidate = { place, label: 'Stock', key: peer, props: { symbol: peer } };
    candidates.getOrInsertComputed('PEER_OF', () => []).push(candidate);
  }
  const found = new Map<EdgeType, number>(walked.found);
  const peersFound = candidates.get('PEER_OF')?.length ?? 0;
  if (peersFound > 0) found.set('PEER_OF', peersFound);
  const peerSteps = peers.map(
    ({ symbol, peer, props }): FoundEdge => ({
      source: stockId(symbol),
      type: 'PEER_OF',
      target: stockId(peer),
      props,
    }),
  );
  const steps = walked.edges.map(({ source, type, target, props }) => ({
    source,
    type,
    target,
    props: props ?? {},
  }));
  return { candidates, found, cut: walked.cut, edges: [...steps.sort(inOrder), ...peerSteps] };
}

/** The order of types, then that of the ids, so that no plan of a statement shows. */
function inOrder(one: FoundEdge, other: FoundEdge): number {
  const [first, second] = [EDGE_TYPES.indexOf(one.type), EDGE_TYPES.indexOf(other.type)];
  if (first !== second) return first - second;
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return one.target < other.target ? -1 : 1;
}

/** The best of each type, then the second of each, and so on, so that no type crowds out the others. */
function chooseInTurn(candidates: Step['candidates'], limit: number): Candidate[] {
  const chosen: Candidate[] = [];
  const lists = EDGE_TYPES.flatMap((type) => {
    const list = candidates.get(type);
    return list === undefined ? [] : [list];
  });
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists) {
      const candidate = list[turn];
      if (candidate !== undefined && chosen.length < limit) chosen.push(candidate);
    }
  }
  return chosen;
}

/** Counts the new nodes of a ring that are not shown. */
function noteLeftOff(leftOff: Map<EdgeType, LeftOff>, step: Step, met: ReadonlyMap<string, Met>): void {
  for (const type of EDGE_TYPES) {
    const shown = (step.candidates.get(type) ?? []).filter(({ place }) => met.has(place)).length;
    const count = (step.found.get(type) ?? 0) - shown + Number(step.cut.has(type));
    if (count <= 0) continue;
    const earlier = leftOff.get(type);
    leftOff.set(type, {
      type,
      count: (earlier?.count ?? 0) + count,
      at_least: step.cut.has(type) || (earlier?.at_least ?? false),
    });
  }
}
