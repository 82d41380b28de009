import { Type } from 'typebox';
import { flag, integer, listOf, nullableNumber, number, oneOf, record, string } from '../../base/schema.ts';
import { SIGNALS } from '../diffusion/schema.ts';
import { INCLUDE_FIELDS } from '../../derive/compose.ts';

const REASONS = ['correlation', 'sector', 'industry', 'theme'] as const;

const INCLUDE_WORDS = [...INCLUDE_FIELDS.keys()].sort();

export const includeList = Type.String({
  maxLength: 500,
  wordList: INCLUDE_WORDS,
  description: `Comma-separated list of blocks to add; the others are null. Words: ${INCLUDE_WORDS.join(', ')}.`,
  examples: ['levels,volume_profile'],
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
