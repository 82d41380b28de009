import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import type { GraphEdge, GraphNode } from './graph-search.ts';

export interface Placed extends SimulationNodeDatum {
  readonly id: string;
  readonly node: GraphNode;
  x: number;
  y: number;
}

const STEPS = 220;
/** Distance of a ring from the stock, pixels. */
const RING_PX = 150;

export const radiusOf = ({ depth, label }: GraphNode): number =>
  depth === 0 && label === 'Stock' ? 18 : label === 'Stock' || label === 'StockDay' ? 9 : 7;

/** Places of nodes about the stock at 0,0, wider than high or the other way about. The same nodes and edges have the same places. */
export function layOut(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  isTall: boolean,
): ReadonlyMap<string, Placed> {
  const placed = nodes.map((node, at): Placed => {
    const angle = (at / nodes.length) * Math.PI * 2;
    return {
      id: node.id,
      node,
      x: Math.cos(angle) * RING_PX * node.depth,
      y: Math.sin(angle) * RING_PX * node.depth,
      ...(at === 0 ? { fx: 0, fy: 0 } : {}),
    };
  });
  const links = edges.map(({ source, target }): SimulationLinkDatum<Placed> => ({ source, target }));
  forceSimulation(placed)
    .force(
      'link',
      forceLink<Placed, SimulationLinkDatum<Placed>>(links)
        .id(({ id }) => id)
        .distance(100),
    )
    .force('charge', forceManyBody().strength(-260))
    .force('x', forceX().strength(0.05))
    .force('y', forceY().strength(0.09))
    .force(
      'collide',
      forceCollide<Placed>(({ node }) => radiusOf(node) + 22),
    )
    .stop()
    .tick(STEPS);
  if (isTall) for (const one of placed) [one.x, one.y] = [one.y, one.x];
  return new Map(placed.map((one) => [one.id, one]));
}
