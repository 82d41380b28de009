import { chunks } from '../base/chunks.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Lease } from '../database/leases.ts';
import type { LiveStatus } from './feed.ts';

/** What the process that follows a live source says to the others, and they to it. */

/** How the source fares, by the process that follows it; null where this one follows none. */
export const saidOf = ({ source, refused, ...rest }: LiveStatus) =>
  source && { ...rest, title: source.title, standing: source.standing?.(), refused: [...refused.values()] };

export type Said = NonNullable<ReturnType<typeof saidOf>>;

/** So often the process says it, and without a word for the other it counts as silent. */
export const SAY_MS = 4_000;
export const SILENT_MS = 15_000;

/** Says it to whoever asks: as the note of a lease that ends at once, so that its end is when it was said. */
export async function say(database: Queryable, { token }: Lease, said: Said | null): Promise<void> {
  await database.write(
    `insert into lease (name, holder, token, expires_at, note) values ('feeds', '', $1, clock_timestamp(), $2)
     on conflict (name) do update set token = excluded.token, expires_at = excluded.expires_at, note = excluded.note
       where lease.token <= excluded.token`,
    [token ?? 0, said && JSON.stringify(said)],
  );
}

/** What any process has said last, and how long ago; null where none follows a source. */
export async function heardSaid(
  database: Queryable,
): Promise<{ readonly said: Said; readonly ageMs: number } | null> {
  const [row] = await database.query<{ note: string; ageMs: number }>(
    `select note, 1000 * extract(epoch from clock_timestamp() - expires_at)::float8 as "ageMs"
     from lease where name = 'feeds' and note is not null`,
  );
  return row === undefined ? null : { said: JSON.parse(row.note), ageMs: row.ageMs };
}

const VIEWED = 'tigraph_viewed';
/** Symbols of an announcement, which has less than 8,000 bytes. */
const SYMBOLS_MAX = 300;

/** Announces that somebody looks at stocks. */
export async function announceViewed(database: Queryable, symbols: readonly string[]): Promise<void> {
  for (const some of chunks(symbols, SYMBOLS_MAX)) await database.announce(VIEWED, some.join(' '));
}

/** Calls back with stocks that somebody looks at. Returns the function that stops it. */
export const onViewed = (database: Database, handler: (symbols: readonly string[]) => void) =>
  database.listen(VIEWED, (payload) => handler(payload.split(' ')));
