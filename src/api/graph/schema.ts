import type { Static } from 'typebox';
import { asOfParameter, tradeDate, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { EDGE_TYPES } from '../../graph/neighborhood.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const DEPTH = { minimum: 1, maximum: 3, byDefault: 1 };
export const LIMIT = { minimum: 1, maximum: 500, byDefault: 100 };

export const NeighborhoodQuery = parameters(
  optional({
    date: {
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest stock-day of the symbol in the graph.',
    },
    as_of: asOfParameter,
    depth: wholeNumber('Rings around the stock', DEPTH),
    types: Type.String({
      maxLength: 200,
      wordList: [...EDGE_TYPES],
      description: `Comma-separated types of edges that are walked along; all unless said. Words: ${EDGE_TYPES.join(', ')}.`,
      examples: ['IN_SECTOR,PEER_OF'],
    }),
    limit: wholeNumber('Nodes at most', LIMIT),
  }),
);

const openRecord = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description,
  });

const Node = wire.record('GraphNode', 'A node of the graph.', {
  id: wire.string('Label and key, e.g. `Stock:AAPL`.'),
  label: wire.string('What it is: Stock, StockDay, Level, Pattern, Sector …'),
  key: wire.string('Its name, unique within the label.'),
  depth: wire.integer('Rings from the stock; 0 for it and its stock-day.', { minimum: 0, maximum: 3 }),
  props: openRecord('What is true of the node.'),
});

const Edge = wire.record('GraphEdge', 'An edge between two nodes of this answer.', {
  source: wire.string('`id` of a node.'),
  type: wire.oneOf(EDGE_TYPES, 'What it says.'),
  target: wire.string('`id` of a node.'),
  props: openRecord('What is true of the edge, e.g. the strength of a level.'),
});

const LeftOff = wire.record('LeftOff', 'Nodes that are not shown.', {
  type: wire.oneOf(EDGE_TYPES, 'Along which edges.'),
  count: wire.integer('How many.', { minimum: 1 }),
  at_least: wire.flag('True where there were more than are counted.'),
});

export const NeighborhoodAnswer = wire.record(
  'Neighborhood',
  'The nodes around a stock on a trade date, ring by ring.',
  {
    symbol: wire.string('Ticker symbol.'),
    trade_date: wire.date('The date whose edges were walked along.'),
    as_of: wire.dateTime('The instant that the edges of the stock-day speak for.'),
    source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
    simulated: SIMULATED,
    depth: wire.withDefault(wire.integer('Requested rings.', { minimum: 1, maximum: 3 }), DEPTH.byDefault),
    limit: wire.withDefault(wire.integer('Nodes at most.', { minimum: 1, maximum: 500 }), LIMIT.byDefault),
    types: wire.listOf(wire.oneOf(EDGE_TYPES, 'Type of edge.'), 'Edges that were walked along.'),
    nodes: wire.listOf(
      Node,
      'Ring by ring; within a ring the best of each type first, then the second best of each.',
    ),
    edges: wire.listOf(Edge, 'Edges of every node that was walked on from.'),
    truncated: wire.flag('True when nodes were left off, or rings not walked.'),
    left_off: wire.listOf(LeftOff, 'How many, of the rings that were walked.'),
    notes: wire.listOf(wire.string('Note.'), 'What else is not in this answer, and why.'),
  },
);

export type Neighborhood = Static<typeof NeighborhoodAnswer>;
