import type { Queryable } from '../../database/database.ts';
import { leavesOf } from '../../derive/compose.ts';
import { rounded } from '../../derive/rounding.ts';
import { nodeId, stockDayId, stockId } from '../../graph/identity.ts';
import {
  EDGE_TYPES,
  type EdgeType,
  LEAF_TYPES,
  type Ring,
  type StoredEdge,
  walkRing,
} from '../../graph/neighborhood.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { StockDayName } from '../../derive/stock-day.ts';
import type { StoredFacts } from '../../graph/stock-days.ts';
import type { PeerDay, PeerReturn } from '../../market/peer-day.ts';
import { mayName, type Viewer } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import type { Neighborhood } from './schema.ts';

export interface NeighborhoodRequest extends SymbolOnDate {
  /** Rings around the stock, 1 to 3. */
  readonly depth: number;
  /** Maximum of nodes, 1 to 500. */
  readonly limit: number;
  readonly types: readonly EdgeType[];
}

type Props = Readonly<Record<string, unknown>>;
type NeighborNode = Neighborhood['nodes'][number];
type LeftOff = Neighborhood['left_off'][number];

/** The stock-day at which a walk begins, and what its viewer may see. */
export interface WalkRoot {
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** See `WalkRules`. */
  readonly visible: number | null;
  /** Whether the viewer may see the close of the date, at which peers are compared. */
  readonly closeIsSeen: boolean;
  /** False while the peers of the date are still to be measured. */
  readonly peersAreMeasured: boolean;
  readonly source: Viewer['source'];
  readonly simulated: boolean;
  /** Symbols of the grant that are of this market; null for all. */
  readonly symbols: ReadonlySet<string> | null;
}

/** The facts of `LEAF_BLOCKS` of stock-days, by symbol. */
export type LeafFacts = (
  days: readonly StockDayName[],
) => Promise<ReadonlyMap<string, Pick<StoredFacts, 'asOf' | 'values'>>>;

/** A new node at the end of an edge, before the walk chooses it. */
interface Candidate {
  readonly nodeId: string;
  readonly label: string;
  readonly key: string;
  readonly props: Props;
}

type ShownNode = Candidate & NeighborNode;

interface GraphEdge {
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
  readonly props: Props;
}

interface Step {
  /** By type the new nodes, best first. */
  readonly candidates: ReadonlyMap<EdgeType, readonly Candidate[]>;
  /** New nodes by type, also beyond the candidates. */
  readonly counts: ReadonlyMap<EdgeType, number>;
  readonly cut: ReadonlySet<EdgeType>;
  readonly edges: readonly GraphEdge[];
}

/** Nodes of a ring from which the walk continues; a stock-day leads to some fifty nodes. */
const WALKED_FROM_MAX = 100;

/** Walks the rings around a stock on a date: one statement per ring, and one for the peers of its stocks. */
export async function walkNeighborhood(
  database: Queryable,
  { symbol, depth, limit, types }: NeighborhoodRequest,
  root: WalkRoot,
  leafFacts: LeafFacts,
  signal: AbortSignal,
): Promise<Neighborhood> {
  const walk = { database, types, root, leafFacts, signal };
  const { tradeDate } = root;
  const nodes = new Map<string, ShownNode>();
  const edges = new Map<string, GraphEdge>();
  const leftOff = new Map<EdgeType, LeftOff>();
  const notes: string[] = [];
  const add = (candidate: Candidate, at: number): void => {
    const { nodeId, label, key, props } = candidate;
    nodes.set(nodeId, { ...candidate, id: `${label}:${key}`, depth: at, props: lastingProps(label, props) });
  };
  for (const candidate of rootNodes(symbol, tradeDate).slice(0, limit)) add(candidate, 0);
  let ring = [...nodes.values()];
  let walked = 0;
  let isNarrowed = false;
  while (walked < depth && ring.length > 0 && nodes.size < limit) {
    const at = ++walked;
    if (ring.length > WALKED_FROM_MAX) {
      notes.push(`Ring ${at} goes on from the first ${WALKED_FROM_MAX} of ${ring.length} nodes.`);
      ring = ring.slice(0, WALKED_FROM_MAX);
      isNarrowed = true;
    }
    const left = limit - nodes.size;
    const step = await stepFrom(walk, ring, [...nodes.keys()], left);
    if (at === 1 && lacksPeers(types, step)) notes.push(peersUnknown(symbol, root));
    const chosen = chooseInTurn(step.candidates, left);
    for (const candidate of chosen) add(candidate, at);
    const shown = step.edges.filter(({ source, target }) => nodes.has(source) && nodes.has(target));
    for (const edge of shown) edges.getOrInsert(edgeKey(edge), edge);
    noteLeftOff(leftOff, step, nodes);
    ring = chosen.map(({ nodeId }) => nodes.get(nodeId)!);
  }
  const isCutShort = walked < depth && ring.length > 0;
  if (isCutShort) notes.push(`The limit of ${limit} nodes was reached in ring ${walked} of ${depth}.`);
  return {
    symbol,
    trade_date: tradeDate,
    as_of: new Date(root.asOf).toISOString(),
    source: root.source,
    simulated: root.simulated,
    depth,
    limit,
    types: [...types],
    nodes: Array.from(nodes.values(), ({ nodeId: _, ...node }) => node),
    edges: Array.from(edges.values(), ({ source, type, target, props }) => ({
      source: nodes.get(source)!.id,
      type,
      target: nodes.get(target)!.id,
      props,
    })),
    truncated: isCutShort || isNarrowed || leftOff.size > 0,
    left_off: EDGE_TYPES.flatMap((type) => leftOff.get(type) ?? []),
    notes,
  };
}

const lacksPeers = (types: readonly EdgeType[], { peersKnown }: { readonly peersKnown: boolean }): boolean =>
  types.includes('PEER_OF') && !peersKnown;

const peersUnknown = (symbol: string, { tradeDate, peersAreMeasured }: WalkRoot): string =>
  peersAreMeasured
    ? absence('absent.peers', { symbol, date: tradeDate })
    : absence('absent.peers_pending', { date: tradeDate });

const rootNodes = (symbol: string, tradeDate: string): Candidate[] => [
  { nodeId: stockId(symbol), label: 'Stock', key: symbol, props: { symbol } },
  {
    nodeId: stockDayId(symbol, tradeDate),
    label: 'StockDay',
    key: `${symbol}|${tradeDate}`,
    props: { symbol, trade_date: tradeDate },
  },
];

/** A pair of peers appears once, from the side that the walk met first. */
function edgeKey({ type, source, target }: GraphEdge): string {
  const ends = type === 'PEER_OF' && source > target ? [target, source] : [source, target];
  return `${type} ${ends.join(' ')}`;
}

/** Properties of shared nodes that a later day may have changed: an event's price is on its day's share basis. */
const CHANGING_PROPS: Readonly<Record<string, string>> = { PriceEvent: 'price', Theme: 'name' };

function lastingProps(label: string, { ...props }: Record<string, unknown>): Props {
  const changing = CHANGING_PROPS[label];
  if (changing !== undefined) delete props[changing];
  return props;
}

const isStored = (type: EdgeType): type is StoredEdge =>
  type !== 'PEER_OF' && !LEAF_TYPES.some((leaf) => leaf === type);

interface Walk {
  readonly database: Queryable;
  readonly types: readonly EdgeType[];
  readonly root: WalkRoot;
  readonly leafFacts: LeafFacts;
  readonly signal: AbortSignal;
}

async function stepFrom(
  walk: Walk,
  ring: readonly ShownNode[],
  met: readonly string[],
  limit: number,
): Promise<Step & { readonly peersKnown: boolean }> {
  const { database, types, root, signal } = walk;
  const { tradeDate, visible, closeIsSeen, symbols } = root;
  const rules = { date: tradeDate, types: types.filter(isStored), visible, symbols };
  const nodeIds = ring.map(({ nodeId }) => nodeId);
  const walked = await walkRing(database, nodeIds, met, rules, limit, { signal });
  const leaves = await readLeaves(walk, ring);
  const stocks = ring.filter(({ label }) => label === 'Stock').map(({ key }) => key);
  const withPeers = types.includes('PEER_OF') && closeIsSeen && stocks.length > 0;
  const peers = withPeers ? await readPeers(walk, stocks) : null;
  const granted = (peers ?? []).filter(({ peer }) => mayName({ symbols }, peer));
  return { ...merged(walked, leaves, granted, new Set(met), limit), peersKnown: peers !== null };
}

interface PeerEdge {
  readonly symbol: string;
  readonly peer: string;
  readonly props: Pick<PeerReturn, 'weight' | 'correlation' | 'reasons'>;
}

/**
 * The peers of stocks on a date, stock by stock, heaviest first; null if no stock has any. They follow from the sessions
 * before its month, unlike the stored `PEER_OF` edges, which are of the newest topology.
 */
async function readPeers(
  { database, root: { tradeDate }, signal }: Walk,
  symbols: readonly string[],
): Promise<PeerEdge[] | null> {
  const names = symbols.map((symbol) => ({ symbol, tradeDate }));
  const days = await readPeerDays(database, names, { signal });
  const texts = new Map(days.map(({ symbol, value }) => [symbol, value]));
  const known = symbols.filter((symbol) => (texts.get(symbol) ?? null) !== null);
  if (known.length === 0) return null;
  return known.flatMap((symbol) =>
    (JSON.parse(texts.get(symbol)!) as PeerDay).peers.map(
      ({ symbol: peer, weight, correlation, reasons }) => ({
        symbol,
        peer,
        props: { weight: rounded(weight), correlation: rounded(correlation), reasons },
      }),
    ),
  );
}

/** An edge to a node of one stock-day, and that node. */
interface LeafEdge extends GraphEdge {
  readonly far: Candidate;
}

async function readLeaves(
  { leafFacts, types, root: { tradeDate, visible } }: Walk,
  ring: readonly ShownNode[],
): Promise<LeafEdge[]> {
  const wanted = LEAF_TYPES.filter((type) => types.includes(type));
  const days = ring.flatMap(({ label, key }) => {
    const [symbol, date] = key.split('|') as [string, string?];
    return label === 'StockDay' && date === tradeDate ? [{ symbol, tradeDate }] : [];
  });
  if (wanted.length === 0 || days.length === 0) return [];
  const facts = await leafFacts(days);
  return days.flatMap((day) => {
    const stored = facts.get(day.symbol);
    if (stored === undefined || (visible !== null && stored.asOf > visible)) return [];
    const source = stockDayId(day.symbol, tradeDate);
    const own = leavesOf(stored.values, day).filter(({ type }) => wanted.some((each) => each === type));
    return own.map(({ type, label, key, props, edgeProps = {} }): LeafEdge => {
      const far = { nodeId: nodeId(label, key), label, key, props };
      return { source, type: type as EdgeType, target: far.nodeId, props: edgeProps, far };
    });
  });
}

/** The strongest levels, the patterns that fit best, the newest events first; then in the order of the ring. */
function byImportance(one: LeafEdge, other: LeafEdge): number {
  const weight = ({ props }: LeafEdge): number => Number(props.strength ?? props.confidence ?? 0);
  const date = ({ far }: LeafEdge): string => String(far.props.date ?? '');
  if (weight(one) !== weight(other)) return weight(other) - weight(one);
  if (date(one) !== date(other)) return date(one) < date(other) ? 1 : -1;
  if (one.source !== other.source) return 0;
  return one.far.key < other.far.key ? -1 : 1;
}

function merged(
  walked: Ring,
  leaves: readonly LeafEdge[],
  peers: readonly PeerEdge[],
  met: ReadonlySet<string>,
  limit: number,
): Step {
  const candidates = new Map<EdgeType, Candidate[]>();
  const seen = new Set<string>();
  const ranked = walked.edges.flatMap(({ far }) => far ?? []).sort((one, other) => one.rank - other.rank);
  for (const { id, label, key, props, type } of ranked) {
    if (seen.has(id)) continue;
    seen.add(id);
    candidates.getOrInsertComputed(type, () => []).push({ nodeId: id, label, key, props });
  }
  const counts = new Map<EdgeType, number>(walked.found);
  const shown: LeafEdge[] = [];
  for (const leaf of leaves.toSorted(byImportance)) {
    const { type, target, far } = leaf;
    if (seen.has(target) || met.has(target)) continue;
    seen.add(target);
    const best = candidates.getOrInsertComputed(type, () => []);
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if (best.length === limit) continue;
    best.push(far);
    shown.push(leaf);
  }
  const heaviest = peers.toSorted(
    (one, other) => other.props.weight - one.props.weight || (one.peer < other.peer ? -1 : 1),
  );
  for (const { peer } of heaviest) {
    const nodeId = stockId(peer);
    if (seen.has(nodeId) || met.has(nodeId)) continue;
    seen.add(nodeId);
    const candidate = { nodeId, label: 'Stock', key: peer, props: { symbol: peer } };
    candidates.getOrInsertComputed('PEER_OF', () => []).push(candidate);
  }
  const peerCount = candidates.get('PEER_OF')?.length ?? 0;
  if (peerCount > 0) counts.set('PEER_OF', peerCount);
  const steps = [...walked.edges, ...shown]
    .map(({ source, type, target, props }) => ({ source, type, target, props: props ?? {} }))
    .sort(inOrder);
  const peerSteps = peers.map(
    ({ symbol, peer, props }) =>
      ({ source: stockId(symbol), type: 'PEER_OF', target: stockId(peer), props }) as const,
  );
  return { candidates, counts, cut: walked.cut, edges: [...steps, ...peerSteps] };
}

/** By type, then by ids, so that the order does not depend on the query plan. */
function inOrder(one: GraphEdge, other: GraphEdge): number {
  const [first, second] = [EDGE_TYPES.indexOf(one.type), EDGE_TYPES.indexOf(other.type)];
  if (first !== second) return first - second;
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return one.target < other.target ? -1 : 1;
}

/** The best of each type, then the second best of each, and so on, so that no type crowds out the others. */
function chooseInTurn(candidates: Step['candidates'], limit: number): Candidate[] {
  const lists = EDGE_TYPES.map((type) => candidates.get(type) ?? []);
  const turns = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
    .flat()
    .slice(0, limit);
}

/** Counts the new nodes of a ring that are not shown. */
function noteLeftOff(
  leftOff: Map<EdgeType, LeftOff>,
  step: Step,
  nodes: ReadonlyMap<string, ShownNode>,
): void {
  for (const type of EDGE_TYPES) {
    const shown = (step.candidates.get(type) ?? []).filter(({ nodeId }) => nodes.has(nodeId)).length;
    const count = (step.counts.get(type) ?? 0) - shown + Number(step.cut.has(type));
    if (count <= 0) continue;
    const earlier = leftOff.get(type);
    leftOff.set(type, {
      type,
      count: (earlier?.count ?? 0) + count,
      at_least: step.cut.has(type) || (earlier?.at_least ?? false),
    });
  }
}
