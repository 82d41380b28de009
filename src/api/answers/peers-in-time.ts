import { peerDivergenceV1 } from '../../blocks/peer-divergence-v1.ts';
import type { PeerDayText } from '../../derive/peer-topology.ts';
import type { StockDayName } from '../../derive/stock-day.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { AppContext } from '../context/app-context.ts';

type PeersContext = Pick<AppContext, 'database' | 'calendar' | 'clock' | 'measurePeers'>;

/**
 * Divergences of stocks on completed sessions, for every answer that shows them. A session that nobody has measured is
 * measured now, and the answer waits for it, for half of its time at most. What is left out here is still to be
 * measured: the answer says so, and nobody keeps it, so that a later reader gets no other figures than the first.
 */
export async function peersInTime(
  context: PeersContext,
  days: readonly StockDayName[],
  signal: AbortSignal,
): Promise<PeerDayText[]> {
  const { database, measurePeers } = context;
  const known = await readPeerDays(database, days, { signal });
  const measured = new Set(known.map(({ tradeDate }) => tradeDate));
  const due = new Set<string>();
  for (const { tradeDate } of days) {
    if (!measured.has(tradeDate) && maySoonBeMeasured(context, tradeDate)) due.add(tradeDate);
  }
  if (due.size === 0) return known;
  const found = await measurePeers([...due], signal);
  const fresh = days.flatMap(({ symbol, tradeDate }): PeerDayText[] => {
    const ofDate = found.get(tradeDate);
    return ofDate === undefined ? [] : [{ symbol, tradeDate, value: ofDate.get(symbol) ?? null }];
  });
  const stored = days.filter(({ tradeDate }) => due.has(tradeDate) && !found.has(tradeDate));
  return [...known, ...fresh, ...(await readPeerDays(database, stored, { signal }))];
}

/** Daily bars arrive after the end of a session: divergences from some of them would have to be corrected. */
export const maySoonBeMeasured = (
  { calendar, clock }: Pick<PeersContext, 'calendar' | 'clock'>,
  tradeDate: string,
): boolean => clock.now() >= calendar.session(tradeDate)!.postClose;

const PEER_FIELDS = [peerDivergenceV1.name, ...Object.keys(peerDivergenceV1.flat)];

/** Whether any of these paths of stock detail follows from peers; without paths the whole answer does. */
export const needsPeers = (paths: readonly string[] | undefined): boolean =>
  paths?.some((path) => PEER_FIELDS.includes(path.split('.')[0]!)) ?? true;
