import type { getPeers } from '../stocks/get-peers.ts';
import type { FactBook, Origin } from './fact-book.ts';

export type PeersAnswer = Awaited<ReturnType<typeof getPeers>>;

/** Enters how a stock did against its peers, `peers`, and each of them, `peer.SYMBOL`. */
export function enterPeers(book: FactBook, answer: PeersAnswer, closedAt: string): void {
  const of: Origin = { instant: closedAt, source: 'peer_day' };
  const { signal, peers } = answer;
  book.enter('peers.trade_date', 'session of the comparison with peers', answer.trade_date, null, of);
  book.enter('peers.signal', 'divergence from peers', signal, null, of);
  book.enter('peers.composite', 'divergence from peers', answer.composite, 'deviations', of);
  book.enter('peers.return_pct', 'return of the session compared', answer.return_pct, 'percent', of);
  book.enter('peers.implied_pct', 'return that the peers imply', answer.implied_local_pct, 'percent', of);
  book.enter('peers.contaminated', 'whether one event dominates the peers', answer.contaminated, null, of);
  for (const { symbol, weight, correlation, return_pct, contribution_pct } of peers) {
    const id = `peer.${symbol}`;
    book.enter(`${id}.return_pct`, 'return of a peer', return_pct, 'percent', of);
    book.enter(`${id}.weight`, 'weight of a peer', weight, 'fraction', of);
    book.enter(`${id}.correlation`, 'correlation with a peer', correlation, 'fraction', of);
    book.enter(
      `${id}.contribution_pct`,
      'part of a peer in the implied return',
      contribution_pct,
      'percent',
      of,
    );
  }
}
