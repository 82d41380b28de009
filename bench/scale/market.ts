import { command } from '../../test/desk/desk.ts';
import type { Engines, Installation } from '../../test/desk/engines.ts';

export const SEED = 1;
/** Last trade date of the market. */
export const LAST_DATE = '2024-03-07';
/** Before the next pre-market. */
export const BEFORE = '2024-03-08T08:30:00Z';
const DAILY_SESSIONS = 504;

/** How much is measured. */
export interface Size {
  readonly symbols: number;
  /** Sessions with minutes, all of which a pass derives. */
  readonly sessions: number;
  /** Minutes of the session after them. */
  readonly minutes: number;
}

/** A simulated market on PostgreSQL with its newest session derived. */
export async function makeMarket(
  engines: Engines,
  name: string,
  { symbols, sessions }: Size,
): Promise<Installation> {
  const installation = await engines.environment(name);
  await command(
    [
      'simulate',
      ...['--symbols', `${symbols}`, '--days', `${DAILY_SESSIONS}`, '--minutes', `${sessions}`],
      ...['--ticks', '1', '--seed', `${SEED}`, '--end', LAST_DATE],
    ],
    { ...installation.settings, TIGRAPH_NOW: BEFORE },
  );
  return installation;
}
