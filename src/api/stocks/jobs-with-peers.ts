import type { DeriveJob } from '../../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../../derive/with-peers.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { AppContext } from '../app-context.ts';

/**
 * The jobs with what is known of their stocks' peers: the same for an answer made on the spot as for a stored one. Sessions
 * that nobody has measured are asked for, and answers are made anew once they are.
 */
export async function jobsWithPeers(
  {
    database,
    calendar,
    clock,
    peersOnDemand,
  }: Pick<AppContext, 'database' | 'calendar' | 'clock' | 'peersOnDemand'>,
  jobs: readonly DeriveJob[],
  signal: AbortSignal,
): Promise<readonly DeriveJob[]> {
  const days = daysWithPeers(jobs, calendar);
  const known = await readPeerDays(database, days, { signal });
  const measured = new Set(known.map(({ tradeDate }) => tradeDate));
  for (const { tradeDate } of days) {
    // The daily bars of a session come in after its end.
    const isOver = clock.now() >= calendar.session(tradeDate)!.postClose;
    if (isOver && !measured.has(tradeDate)) peersOnDemand.ask(tradeDate);
  }
  return withPeers(jobs, known);
}
