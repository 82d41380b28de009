import type { Database, Queryable, Statement } from './database.ts';

/**
 * Announces the symbols whose tape or graph changed to all processes, by database notifications within the transaction
 * that changed them.
 */
const CHANNEL = 'tigraph_changed';
/** PostgreSQL takes payloads under 8,000 bytes. */
const PAYLOAD_BYTES_MAX = 7_000;
/** Above this many symbols readers drop everything. */
const SYMBOLS_MAX = 2_000;
const EVERYTHING = '*';
/** Prefix of the origin; no ticker starts with it. */
const ORIGIN_MARK = '@';

/** @param origin identifies the announcements of one writer to itself */
export async function announceChange(
  database: Queryable,
  symbols: readonly string[],
  origin?: string,
): Promise<void> {
  if (symbols.length === 0) return;
  const { sql, parameters } = changeAnnouncement(symbols, origin);
  await database.query(sql, parameters);
}

/** The statement of `announceChange`. */
export function changeAnnouncement(symbols: readonly string[], origin?: string): Statement {
  const mark = origin === undefined ? '' : `${ORIGIN_MARK}${origin} `;
  return {
    sql: 'select pg_notify($1, $3 || payload) from unnest($2::text[]) as payload',
    parameters: [CHANNEL, payloads(symbols), mark],
  };
}

function payloads(symbols: readonly string[]): string[] {
  if (symbols.length > SYMBOLS_MAX) return [EVERYTHING];
  const payloads: string[] = [];
  let payload = '';
  for (const symbol of symbols) {
    if (payload.length + symbol.length + 1 > PAYLOAD_BYTES_MAX) {
      payloads.push(payload);
      payload = '';
    }
    payload += payload === '' ? symbol : ` ${symbol}`;
  }
  return [...payloads, payload];
}

/**
 * Calls back with the changed symbols, or null when any may have changed, and with the origin of the announcement or
 * null. Returns the function that stops it.
 */
export function onChange(
  database: Database,
  handler: (symbols: readonly string[] | null, origin: string | null) => void,
): Promise<() => void> {
  return database.listen(
    CHANNEL,
    (payload) => {
      const words = payload.split(' ');
      const origin = words[0]!.startsWith(ORIGIN_MARK) ? words.shift()!.slice(ORIGIN_MARK.length) : null;
      handler(words[0] === EVERYTHING ? null : words, origin);
    },
    () => handler(null, null),
  );
}
