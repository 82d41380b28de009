import { describe, expect, it } from 'vitest';
import { divergenceTable } from '../../../src/cli/diffuse.ts';
import type { PeerDay } from '../../../src/market/peer-day.ts';
import { peerDayWith } from '../../support/reported.ts';

const dayOf = (composite: number): PeerDay =>
  peerDayWith({
    local: composite,
    medium: null,
    broad: null,
    composite,
    signal: 'neutral',
    peersLocal: 4,
    peersMedium: 0,
    peersBroad: 0,
    weightConfig: 'local',
    contamination: composite > 2 ? 'one_peer' : 'none',
    returnPct: composite,
    impliedLocalPct: 0,
    impliedMediumPct: null,
    impliedBroadPct: null,
    deviationMediumPct: null,
    deviationBroadPct: null,
  });

describe('tigraph diffuse', () => {
  it('prints the strongest either way, strongest first', () => {
    const scores: Record<string, number> = { A: 0.5, B: 3, C: -1, D: -4, E: 1, F: 0 };
    const days = Object.entries(scores).map(([symbol, score]) => ({ symbol, day: dayOf(score) }));
    const lines = divergenceTable('2024-03-13', days, 2).split('\n');
    expect(lines[0]).toContain('2024-03-13: 6 stocks, peers of 2023-03-13 to 2024-03-12');
    const named = lines.filter((line) => /^[A-F] /.test(line));
    expect(named.map((line) => line[0])).toEqual(['B', 'E', 'D', 'C']);
    expect(named[0]).toMatch(/3\.00 .* - .* one_peer$/);
  });
});
