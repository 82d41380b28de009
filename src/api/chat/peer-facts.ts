import type { FactRegistry, Origin } from '../facts/fact-registry.ts';
import type { getPeers } from '../stocks/get-peers.ts';

export type PeersAnswer = Awaited<ReturnType<typeof getPeers>>;

/** Adds how a stock did against its peers, `peers`, and each of them, `peer.SYMBOL`. */
export function addPeers(registry: FactRegistry, answer: PeersAnswer, closedAt: string): void {
  const of: Origin = { instant: closedAt, source: 'peer_day' };
  const { signal, peers } = answer;
  registry.add('peers.trade_date', 'session of the comparison with peers', answer.trade_date, null, of);
  registry.add('peers.signal', 'divergence from peers', signal, null, of);
  registry.add('peers.composite', 'divergence from peers', answer.composite, 'deviations', of);
  registry.add('peers.return_pct', 'return of the session compared', answer.return_pct, 'percent', of);
  registry.add('peers.implied_pct', 'return that the peers imply', answer.implied_local_pct, 'percent', of);
  registry.add('peers.contaminated', 'whether one event dominates the peers', answer.contaminated, null, of);
  for (const { symbol, weight, correlation, return_pct, contribution_pct } of peers) {
    const id = `peer.${symbol}`;
    registry.add(`${id}.return_pct`, 'return of a peer', return_pct, 'percent', of);
    registry.add(`${id}.weight`, 'weight of a peer', weight, 'fraction', of);
    registry.add(`${id}.correlation`, 'correlation with a peer', correlation, 'fraction', of);
    registry.add(
      `${id}.contribution_pct`,
      'part of a peer in the implied return',
      contribution_pct,
      'percent',
      of,
    );
  }
}
