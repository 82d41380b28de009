import {
  dateTime,
  flag,
  integer,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  nullableString,
  record,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const PeerDivergenceV1 = record(
  'PeerDivergenceV1',
  'Return of the stock against the diffused return of its peers at three scales, in deviations of its own history.',
  {
    local: nullableNumber('Divergence against the nearest peers.'),
    medium: nullableNumber('Divergence against the wider group.'),
    broad: nullableNumber('Divergence against the broad neighbourhood.'),
    composite: nullableNumber('Weighted divergence over the scales that have peers.'),
    signal: nullableOneOf(
      ['bullish_divergence', 'bearish_divergence', 'neutral'],
      'What the composite says.',
    ),
    peers_local: integer('Peers with a return at the local scale.', { minimum: 0 }),
    peers_medium: integer('Peers with a return at the medium scale.', { minimum: 0 }),
    peers_broad: integer('Peers with a return at the broad scale.', { minimum: 0 }),
    weight_config: nullableString('The scales that had peers, e.g. local_medium_broad.'),
    contaminated: flag('True when one peer, or peers with their own event, dominate the mean.'),
    computed_at: dateTime('When the divergence was computed.'),
    topology_built_at: nullableDateTime('When the peer topology was built.'),
  },
);

/** Divergence from peers. Needs the peer topology, which is not derived yet. */
export const peerDivergenceV1 = defineBlock({
  name: 'peer_divergence_v1',
  schema: PeerDivergenceV1,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
