import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  dateTime,
  flag,
  integer,
  listOf,
  nullableNumber,
  number,
  oneOf,
  record,
  string,
} from '../base/schema.ts';

import type { Examples } from '../operations/choose-examples.ts';
import type { RouteExample } from './route-entry.ts';

/** What goes over the wire when returns are measured against peers. */

/** 20,000 symbols with all the digits of their returns, and some blanks between them. */
export const DIFFUSION_BODY_BYTES = 1_048_576;

const SIGNALS = ['bullish_divergence', 'bearish_divergence', 'neutral'] as const;
const REASONS = ['correlation', 'sector', 'industry', 'theme'] as const;

export const DiffusionBody = Type.Object(
  {
    returns: Type.Record(
      Type.String(),
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        // No stock loses more than all; beyond a thousandfold somebody has mistaken the unit.
        minimum: -1,
        maximum: 1_000,
        description: 'Simple return as a fraction (0.012 is +1.2 %); null is skipped.',
      }),
      {
        description: 'Returns by symbol. Symbols that the topology does not know are skipped and counted.',
      },
    ),
    schema_version: Type.Optional(Type.Integer({ default: 1, description: 'Version of this request; 1.' })),
  },
  { title: 'DiffusionRequest', additionalProperties: false },
);

export type DiffusionBody = Static<typeof DiffusionBody>;

/** Answered to callers of this machine alone, so its answer is made up. */
export const exampleOfDiffusion = ({ symbols }: Examples): RouteExample => ({
  body: {
    returns: Object.fromEntries(
      symbols.map((symbol, place) => [symbol, (place % 2 === 0 ? 12 : -4) / 1_000]),
    ),
    schema_version: 1,
  },
  answer: {
    schema_version: 1,
    computed_at: '2026-01-02T15:00:00.000Z',
    symbols_computed: 1,
    symbols_skipped: 0,
    topology_built_at: '2026-01-02T01:00:00.000Z',
    scores: [
      {
        symbol: symbols[0],
        signal: 'bullish_divergence',
        peers_local: 6,
        peers_medium: 14,
        peers_broad: 40,
        weight_config: 'local_medium_broad',
        local: 2.4,
        medium: 2.1,
        broad: 1.8,
        composite: 2.2,
        contaminated: false,
      },
    ],
  },
});

/** The version of a body that may be of any version, before its fields are held against those of ours. */
export const schemaVersionOf = ({ body }: FastifyRequest): unknown =>
  (body as { schema_version?: unknown } | null | undefined)?.schema_version;

const DiffusionScore = record('DiffusionScore', 'How far a return is from those of its peers.', {
  symbol: string('Ticker symbol.'),
  signal: oneOf(SIGNALS, 'Bullish from a composite of 2 on, bearish from -2 on.'),
  peers_local: integer('Direct peers with a return.', { minimum: 0 }),
  peers_medium: integer('Peers with a return within three steps.', { minimum: 0 }),
  peers_broad: integer('Peers with a return within eight steps.', { minimum: 0 }),
  weight_config: string('The scales that had peers, e.g. local_medium_broad.'),
  local: nullableNumber('Divergence from the direct peers, in deviations of its own history.'),
  medium: nullableNumber('The same within three steps.'),
  broad: nullableNumber('The same within eight steps.'),
  composite: number('Weighted divergence over the scales that had peers.'),
  contaminated: flag('True when one peer, or peers with their own event, dominate the mean.'),
});

export const DiffusionAnswer = record('DiffusionResponse', 'Divergences of the supplied returns.', {
  schema_version: integer('Version of this answer.', { minimum: 1 }),
  computed_at: dateTime('When the computation was completed.'),
  symbols_computed: integer('Symbols with a score.', { minimum: 0 }),
  symbols_skipped: integer(
    'Symbols of the topology without a return or without peers, and supplied ones that it does not know.',
    { minimum: 0 },
  ),
  topology_built_at: dateTime(
    'When the topology in use was built: of the newest month, from the sessions before it.',
  ),
  scores: listOf(DiffusionScore, 'By symbol.'),
});

const Peer = record('Peer', 'A direct peer of a stock.', {
  symbol: string('Ticker symbol of the peer.'),
  weight: number('Share of the weight of all direct peers.', { minimum: 0, maximum: 1 }),
  correlation: number('Shrunk correlation of daily returns beyond the market.', { minimum: -1, maximum: 1 }),
  reasons: listOf(oneOf(REASONS, 'Why the two are peers.'), 'Why the two are peers.'),
  return_pct: nullableNumber('Return of the peer on the trade date, percent.'),
  contribution_pct: nullableNumber('Its part of the locally implied return, percent.'),
});

export const PeersAnswer = record(
  'Peers',
  'The peers of a stock and how its return compared with theirs on a completed session.',
  {
    symbol: string('Ticker symbol.'),
    trade_date: string('The session whose returns are compared.'),
    window_from: string('First session that the peers follow from.'),
    window_to: string(
      'Last session that the peers follow from; the last before the month of the trade date.',
    ),
    local: nullableNumber('Divergence from the direct peers, in deviations of its own history.'),
    medium: nullableNumber('The same within three steps.'),
    broad: nullableNumber('The same within eight steps.'),
    composite: number('Weighted divergence over the scales that had peers.'),
    signal: oneOf(SIGNALS, 'Bullish from a composite of 2 on, bearish from -2 on.'),
    weight_config: string('The scales that had peers.'),
    contaminated: flag('True when one peer, or peers with their own event, dominate the mean.'),
    contamination: oneOf(['none', 'one_peer', 'peer_events'], 'Who dominates the mean of the direct peers.'),
    return_pct: number('Own return on the trade date, percent.'),
    implied_local_pct: nullableNumber('Return that the direct peers imply, percent.'),
    implied_medium_pct: nullableNumber('The same within three steps.'),
    implied_broad_pct: nullableNumber('The same within eight steps.'),
    deviation_local_pct: nullableNumber("One deviation of the stock's ordinary local divergence, percent."),
    deviation_medium_pct: nullableNumber('The same within three steps.'),
    deviation_broad_pct: nullableNumber('The same within eight steps.'),
    peers_local: integer('Direct peers with a return.', { minimum: 0 }),
    peers_medium: integer('Peers with a return within three steps.', { minimum: 0 }),
    peers_broad: integer('Peers with a return within eight steps.', { minimum: 0 }),
    peers: listOf(Peer, 'Direct peers, heaviest first, at most 20.'),
  },
);
