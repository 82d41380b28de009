import type { components } from '@tigraph/client';
import { readTimeSearch } from '../shared/instant.ts';
import { textsOf } from '../shared/present.ts';

type Neighborhood = components['schemas']['Neighborhood'];
export type EdgeType = Neighborhood['types'][number];
export type GraphNode = Neighborhood['nodes'][number];
export type GraphEdge = Neighborhood['edges'][number];
export type { Neighborhood };

/** Types of edges in the words of the trade. */
export const EDGE_TYPES: Readonly<Record<EdgeType, string>> = {
  OF: 'days',
  IN_SECTOR: 'sector',
  IN_INDUSTRY: 'industry',
  PEER_OF: 'peers',
  EXPOSED_TO: 'themes',
  MATCHES: 'playbooks',
  EXHIBITS: 'patterns',
  HAS_EVENT: 'events',
  MENTIONED_IN: 'news',
  HAS_LEVEL: 'levels',
  ON: 'sessions',
};
const ALL = Object.keys(EDGE_TYPES) as EdgeType[];
/** What a first look shows: levels crowd a picture and the chart shows them better. */
const DEFAULT_TYPES = ALL.filter((type) => type !== 'HAS_LEVEL' && type !== 'ON');

/** The graph page as the address holds it. */
export interface GraphSearch {
  readonly as_of?: string;
  readonly depth?: number;
  /** Types of edges with commas between them. */
  readonly types?: string;
  /** Id of the node that is looked at. */
  readonly node?: string;
  /** Words that a node's name is to have. */
  readonly q?: string;
}

export const readGraphSearch = (search: Record<string, unknown>): GraphSearch => {
  const depth = Number(search.depth);
  return {
    ...readTimeSearch(search),
    ...([2, 3].includes(depth) ? { depth } : {}),
    ...textsOf(search, 'types', 'node', 'q'),
  };
};

export const typesOf = ({ types }: GraphSearch): readonly EdgeType[] =>
  types === undefined ? DEFAULT_TYPES : ALL.filter((type) => types.split(',').includes(type));

/** The list of an address with a type added or taken out; undefined for the default. */
export function withType(search: GraphSearch, type: EdgeType): string | undefined {
  const now = typesOf(search);
  const next = ALL.filter((one) => (one === type) !== now.includes(one));
  return next.join() === DEFAULT_TYPES.join() ? undefined : next.join();
}
