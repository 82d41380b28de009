import { type Static, Type } from 'typebox';
import { stockSymbol, tradeDate, wholeNumber } from '../../base/parameters.ts';
import {
  date,
  dateTime,
  flag,
  integer,
  listOf,
  oneOf,
  record,
  string,
  withDefault,
} from '../../base/schema.ts';
import { EDGE_TYPES } from '../../graph/neighborhood.ts';

export const DEPTH = { minimum: 1, maximum: 3, byDefault: 1 };
export const LIMIT = { minimum: 1, maximum: 500, byDefault: 100 };

export const GraphPath = Type.Object({ symbol: stockSymbol }, { additionalProperties: false });

export const NeighborhoodQuery = Type.Object(
  {
    date: Type.Optional({
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest stock-day of the symbol in the graph.',
    }),
    depth: Type.Optional(wholeNumber('Rings around the stock', DEPTH)),
    types: Type.Optional(
      Type.String({
        maxLength: 200,
        wordList: [...EDGE_TYPES],
        description: `Comma-separated types of edges that are walked along; all unless said. Words: ${EDGE_TYPES.join(', ')}.`,
        examples: ['IN_SECTOR,PEER_OF'],
      }),
    ),
    limit: Type.Optional(wholeNumber('Nodes at most', LIMIT)),
  },
  { additionalProperties: false },
);

const openRecord = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description,
  });

const Node = record('GraphNode', 'A node of the graph.', {
  id: string('Label and key, e.g. `Stock:AAPL`.'),
  label: string('What it is: Stock, StockDay, Level, Pattern, Sector …'),
  key: string('Its name, unique within the label.'),
  depth: integer('Rings from the stock; 0 for it and its stock-day.', { minimum: 0, maximum: 3 }),
  props: openRecord('What is true of the node.'),
});

const Edge = record('GraphEdge', 'An edge between two nodes of this answer.', {
  source: string('`id` of a node.'),
  type: oneOf(EDGE_TYPES, 'What it says.'),
  target: string('`id` of a node.'),
  props: openRecord('What is true of the edge, e.g. the strength of a level.'),
});

const LeftOff = record('LeftOff', 'Nodes that are not shown.', {
  type: oneOf(EDGE_TYPES, 'Along which edges.'),
  count: integer('How many.', { minimum: 1 }),
  at_least: flag('True where there were more than are counted.'),
});

export const NeighborhoodAnswer = record(
  'Neighborhood',
  'The nodes around a stock on a trade date, ring by ring.',
  {
    symbol: string('Ticker symbol.'),
    trade_date: date('The date whose edges were walked along.'),
    as_of: dateTime('The instant that the edges of the stock-day speak for.'),
    source: oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
    depth: withDefault(integer('Requested rings.', { minimum: 1, maximum: 3 }), DEPTH.byDefault),
    limit: withDefault(integer('Nodes at most.', { minimum: 1, maximum: 500 }), LIMIT.byDefault),
    types: listOf(oneOf(EDGE_TYPES, 'Type of edge.'), 'Edges that were walked along.'),
    nodes: listOf(
      Node,
      'Ring by ring; within a ring the best of each type first, then the second best of each.',
    ),
    edges: listOf(Edge, 'Edges of every node that was walked on from.'),
    truncated: flag('True when nodes were left off, or rings not walked.'),
    left_off: listOf(LeftOff, 'How many, of the rings that were walked.'),
    notes: listOf(string('Note.'), 'What else is not in this answer, and why.'),
  },
);

export type Neighborhood = Static<typeof NeighborhoodAnswer>;
