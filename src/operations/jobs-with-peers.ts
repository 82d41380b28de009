import type { DeriveJob } from '../blocks/deriver.ts';
import { daysWithPeers, withPeers } from '../blocks/with-peers.ts';
import { readPeerDays } from '../graph/peer-days.ts';
import type { World } from './world.ts';

/** The jobs with what a pass has found of their stocks' peers: the same for an answer made on the spot as for a stored one. */
export async function jobsWithPeers(
  { database, calendar }: Pick<World, 'database' | 'calendar'>,
  jobs: readonly DeriveJob[],
  signal: AbortSignal,
): Promise<readonly DeriveJob[]> {
  return withPeers(jobs, await readPeerDays(database, daysWithPeers(jobs, calendar), { signal }));
}
