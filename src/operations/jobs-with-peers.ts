import type { DeriveJob } from '../blocks/deriver.ts';
import { daysWithPeers, withPeers } from '../blocks/with-peers.ts';
import { readPeerDays } from '../graph/peer-days.ts';
import type { World } from './world.ts';

/**
 * The jobs with what is known of their stocks' peers: the same for an answer made on the spot as for a stored one. Sessions
 * that nobody has measured are asked for, and answers are made anew once they are.
 */
export async function jobsWithPeers(
  { database, calendar, peersOnDemand }: Pick<World, 'database' | 'calendar' | 'peersOnDemand'>,
  jobs: readonly DeriveJob[],
  signal: AbortSignal,
): Promise<readonly DeriveJob[]> {
  const days = daysWithPeers(jobs, calendar);
  const known = await readPeerDays(database, days, { signal });
  const measured = new Set(known.map(({ tradeDate }) => tradeDate));
  for (const { tradeDate } of days) if (!measured.has(tradeDate)) peersOnDemand.ask(tradeDate);
  return withPeers(jobs, known);
}
