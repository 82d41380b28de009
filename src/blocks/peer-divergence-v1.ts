import { say } from '../analysis/sentences.ts';
import * as wire from '../base/schema.ts';
import { instantOrNull } from '../base/wire.ts';
import type { PeerDay, PeerReturn } from '../market/peer-day.ts';
import { defineBlock } from './block.ts';

const REASONS = ['correlation', 'sector', 'industry', 'theme'] as const;
/** Peers in a stock's answer; `GET …/peers` lists more. */
const CONTRIBUTORS_MAX = 5;

export const PEER_CONTRIBUTION = {
  symbol: wire.string('Ticker symbol of the peer.'),
  weight: wire.number('Share of the weight of all direct peers.', wire.FRACTION),
  correlation: wire.number('Shrunk correlation of daily returns beyond the market.', wire.SIGNED_UNIT),
  reasons: wire.listOf(wire.oneOf(REASONS, 'Why the two are peers.'), 'Why the two are peers.'),
  return_pct: wire.nullableNumber('Return of the peer on the trade date, percent.'),
  contribution_pct: wire.nullableNumber('Part of the locally implied return, percent.'),
};

const PeerContribution = wire.record(
  'PeerContribution',
  'A direct peer and its part of the implied return.',
  PEER_CONTRIBUTION,
);

/** Divergence from peers at three scales, in the block and in the answer about peers. */
export const PEER_FIGURES = {
  local: wire.nullableNumber('Divergence from the direct peers, in deviations of its own history.'),
  medium: wire.nullableNumber('Divergence from the peers within three steps, in deviations.'),
  broad: wire.nullableNumber('Divergence from the neighbourhood within eight steps, in deviations.'),
  composite: wire.nullableNumber('Weighted divergence over the scales that have peers, in deviations.'),
  signal: wire.nullableOneOf(
    ['bullish_divergence', 'bearish_divergence', 'neutral'],
    'Bullish from a composite of 2 on: stronger than its peers; bearish from -2 on: weaker.',
  ),
  peers_local: wire.integer('Direct peers with a return.', wire.NOT_NEGATIVE),
  peers_medium: wire.integer(
    'Peers with a return and a thousandth of the walk or more within three steps.',
    wire.NOT_NEGATIVE,
  ),
  peers_broad: wire.integer(
    'Peers with a return and a thousandth of the walk or more within eight steps.',
    wire.NOT_NEGATIVE,
  ),
  weight_config: wire.nullableString('The scales that had peers, e.g. local_medium_broad.'),
  contaminated: wire.flag('True when one peer, or peers with their own event, dominate the mean.'),
  contamination: wire.oneOf(
    ['none', 'one_peer', 'peer_events'],
    'Who dominates the mean of the direct peers.',
  ),
  return_pct: wire.number('Own return on the trade date, percent.'),
  implied_local_pct: wire.nullableNumber('Return that the direct peers imply, percent.'),
  implied_medium_pct: wire.nullableNumber('The same within three steps, percent.'),
  implied_broad_pct: wire.nullableNumber('The same within eight steps, percent.'),
  deviation_local_pct: wire.nullableNumber(
    "One deviation of the stock's ordinary local divergence, percent.",
  ),
  deviation_medium_pct: wire.nullableNumber('The same within three steps, percent.'),
  deviation_broad_pct: wire.nullableNumber('The same within eight steps, percent.'),
};

export const PEER_WINDOW = {
  window_from: wire.string('First session that the peers follow from.'),
  window_to: wire.string(
    'Last session that the peers follow from; the last before the month of the trade date.',
  ),
};

const PeerDivergenceV1 = wire.record(
  'PeerDivergenceV1',
  'Return of the stock against the diffused return of its peers at three scales, in deviations of its own history. Of completed sessions; null while a session runs.',
  {
    ...PEER_FIGURES,
    contributors: wire.listOf(PeerContribution, 'The direct peers that contributed most, largest first.'),
    ...PEER_WINDOW,
    formula_version: wire.string('Version of the formulas.'),
    computed_at: wire.dateTime('The close of the trade date, which the divergence speaks for.'),
    topology_built_at: wire.nullableDateTime(
      'The instant that the peer topology speaks for: the close of its last session.',
    ),
  },
);

export const peerFigures = (day: PeerDay) => ({
  local: day.local,
  medium: day.medium,
  broad: day.broad,
  composite: day.composite,
  signal: day.signal,
  peers_local: day.peersLocal,
  peers_medium: day.peersMedium,
  peers_broad: day.peersBroad,
  weight_config: day.weightConfig,
  contaminated: day.contamination !== 'none',
  contamination: day.contamination,
  return_pct: day.returnPct,
  implied_local_pct: day.impliedLocalPct,
  implied_medium_pct: day.impliedMediumPct,
  implied_broad_pct: day.impliedBroadPct,
  deviation_local_pct: day.deviationLocalPct,
  deviation_medium_pct: day.deviationMediumPct,
  deviation_broad_pct: day.deviationBroadPct,
});

export const peerContribution = (peer: PeerReturn) => ({
  symbol: peer.symbol,
  weight: peer.weight,
  correlation: peer.correlation,
  reasons: peer.reasons as (typeof REASONS)[number][],
  return_pct: peer.returnPct,
  contribution_pct: peer.contributionPct,
});

const without = (reason: string) => ({ nested: null, flat: { peer_divergence_reason: reason } });

const RUNNING = without(say('peers.running'));

/** The reason of an answer that is not final: a later one has a divergence, or another reason. */
export const PEERS_UNMEASURED = say('peers.unmeasured');

/** Divergence from peers, as the topology pass measured it from the sessions before the month of the trade date. */
export const peerDivergenceV1 = defineBlock({
  name: 'peer_divergence_v1',
  schema: PeerDivergenceV1,
  flat: {
    peer_divergence_reason: wire.nullableString('Why `peer_divergence_v1` is null; null where it is not.'),
  },
  reads: [],
  derive({ peers, session, sessionOn, asOf }) {
    if (asOf < session.close) return RUNNING;
    if (peers === undefined) return without(PEERS_UNMEASURED);
    if (peers === null) return without(say('peers.none'));
    const contributors = peers.peers
      .filter((peer) => peer.contributionPct !== null)
      .sort((a, b) => Math.abs(b.contributionPct!) - Math.abs(a.contributionPct!))
      .slice(0, CONTRIBUTORS_MAX);
    const windowEnd = sessionOn(Date.parse(peers.windowTo));
    return {
      nested: {
        ...peerFigures(peers),
        contributors: contributors.map(peerContribution),
        window_from: peers.windowFrom,
        window_to: peers.windowTo,
        formula_version: 'peer-divergence-v1',
        computed_at: new Date(session.close).toISOString(),
        topology_built_at: instantOrNull(windowEnd?.close),
      },
      flat: { peer_divergence_reason: null },
    };
  },
});
