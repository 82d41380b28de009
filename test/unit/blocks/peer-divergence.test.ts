import { describe, expect, it } from 'vitest';
import { peerDivergenceV1 } from '../../../src/blocks/peer-divergence-v1.ts';
import type { PeerDay, PeerReturn } from '../../../src/market/peer-day.ts';
import { derived } from '../../support/derived.ts';
import { peerDayWith } from '../../support/reported.ts';
import { words } from '../../support/tables.ts';
import { dailyFromCloses, viewOf } from '../../support/views.ts';

const peer = (symbol: string, contributionPct: number | null): PeerReturn => ({
  symbol,
  weight: 0.1,
  correlation: 0.5,
  reasons: ['correlation', 'industry'],
  returnPct: contributionPct === null ? null : contributionPct * 10,
  contributionPct,
});

const day = (more: Partial<PeerDay> = {}): PeerDay =>
  peerDayWith({
    medium: 2,
    broad: null,
    composite: 2.3125,
    peersLocal: 7,
    peersBroad: 0,
    weightConfig: 'local_medium',
    impliedMediumPct: 1,
    impliedBroadPct: null,
    deviationMediumPct: 1,
    deviationBroadPct: null,
    ...more,
  });

const blockOf = (peers: PeerDay, at = '20:00') =>
  derived(peerDivergenceV1, viewOf({ at, peers, daily: dailyFromCloses([10, 11, 12]) })).nested;

describe('divergence from peers', () => {
  it('is what the pass found, spoken for by the closes', () => {
    expect(blockOf(day())).toMatchObject({
      local: 2.5,
      broad: null,
      composite: 2.3125,
      signal: 'bullish_divergence',
      peers_medium: 30,
      weight_config: 'local_medium',
      contaminated: false,
      implied_local_pct: 0.5,
      // 16:00 in New York, after the change of clocks of 2024-03-10.
      computed_at: '2024-03-13T20:00:00.000Z',
      topology_built_at: '2024-03-12T20:00:00.000Z',
    });
  });

  it('names the five that contributed most, either way, and none without a return', () => {
    const peers = [
      peer('A', 0.1),
      peer('B', -0.4),
      peer('C', null),
      peer('D', 0.3),
      peer('E', 0.02),
      peer('F', 0.2),
      peer('G', 0.01),
    ];
    expect(blockOf(day({ peers }))!.contributors.map(({ symbol }) => symbol)).toEqual(words`B D F A E`);
  });

  it.each(['one_peer', 'peer_events'] as const)('is contaminated by %s', (contamination) => {
    expect(blockOf(day({ contamination }))).toMatchObject({ contaminated: true, contamination });
  });

  it('is null before the close, and without a pass', () => {
    expect(blockOf(day(), '15:59')).toBeNull();
    expect(blockOf(day(), '16:00')).not.toBeNull();
    expect(derived(peerDivergenceV1, viewOf({ daily: dailyFromCloses([10, 11, 12]) })).nested).toBeNull();
  });
});
