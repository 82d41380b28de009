import { randomUUID } from 'node:crypto';
import { untilAborted } from '../base/abortable.ts';
import type { Scope } from '../base/scope.ts';
import { atMost } from '../base/timers.ts';
import type { Database, Queryable } from './database.ts';

const HEARTBEAT_MS = 5_000;
/** A process that has not been heard of for this long has ended. */
const GONE_MS = 20_000;
/** Asks what every serving process has heard: a number, which each answers once it has acted on all up to it. */
const QUESTIONS = 'tigraph_heard_question';
const ANSWERS = 'tigraph_heard_answer';
/** Looks again this often, for a process that ends meanwhile. */
const LOOK_AGAIN_MS = 1_000;

/** Lets writers know what this process has heard, until the scope closes. */
export async function tellWhatIsHeard(scope: Scope, database: Database): Promise<void> {
  const id = randomUUID();
  let heard = await database.announced();
  await database.heard(heard);
  const beat = (): Promise<void> => noteHeard(database, id, heard);
  await beat();
  const stopListening = await database.listen(QUESTIONS, (payload) => {
    if (scope.signal.aborted || !/^\d{1,15}$/.test(payload)) return;
    const asked = Number(payload);
    void scope.run('telling what is heard', async ({ signal, waits }) => {
      try {
        if (asked > (await database.announced())) return;
        await waits(database.heard(asked, signal));
        heard = Math.max(heard, asked);
        await beat();
        await database.announce(ANSWERS, '');
      } catch {
        // The writer looks again after the next heartbeat.
      }
    });
  });
  scope.every(HEARTBEAT_MS, 'telling that this process serves', () => beat().catch(() => {}));
  void scope.run('serving', async ({ signal, waits }) => {
    await waits(untilAborted(signal));
    stopListening();
    await database.write('delete from serving_process where id = $1', [id]).catch(() => {});
  });
}

async function noteHeard(database: Queryable, id: string, heard: number): Promise<void> {
  await database.write(
    `insert into serving_process (id, heard, expires_at) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
     on conflict (id) do update set
       heard = greatest(serving_process.heard, excluded.heard), expires_at = excluded.expires_at`,
    [id, heard, GONE_MS],
  );
}

/**
 * Waits until every process that answers callers has acted on the announcements up to a number.
 *
 * @returns how many processes answer callers
 */
export async function untilServed(scope: Scope, database: Database, sequence: number): Promise<number> {
  const answered = { next: Promise.withResolvers<void>() };
  const stopListening = await database.listen(ANSWERS, () => {
    answered.next.resolve();
  });
  try {
    await database.announce(QUESTIONS, String(sequence));
    for (;;) {
      answered.next = Promise.withResolvers();
      const { serving, behind } = await countServing(database, sequence);
      if (behind === 0) return serving;
      await atMost(scope.timers, LOOK_AGAIN_MS, answered.next.promise);
      scope.signal.throwIfAborted();
    }
  } finally {
    stopListening();
  }
}

async function countServing(database: Queryable, sequence: number) {
  const [row] = await database.query<{ serving: number; behind: number }>(
    `select count(*)::int as serving, (count(*) filter (where heard < $1))::int as behind
     from serving_process where expires_at > clock_timestamp()`,
    [sequence],
  );
  return row!;
}
