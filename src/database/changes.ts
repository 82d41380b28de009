import { CodedError } from '../base/errors.ts';
import { STORED_SYMBOL } from '../base/symbols.ts';
import type { Database, Queryable, Statement } from './database.ts';

/**
 * Announces the symbols whose tape or graph changed to all processes, within the transaction that changed them.
 */
const CHANNEL = 'tigraph_changed';
/** PostgreSQL takes payloads under 8,000 bytes. */
const PAYLOAD_BYTES_MAX = 7_000;
/** Above this many symbols readers drop everything. */
const SYMBOLS_MAX = 2_000;
const EVERYTHING = '*';
/** Prefixes of the origin and of the trade dates; no ticker starts with them. */
const ORIGIN_MARK = '@';
const DATES_MARK = '#';

export interface Change {
  /** Null when any symbol may have changed. */
  readonly symbols: readonly string[] | null;
  /** The trade dates whose facts changed, and nothing else did; null when the tape or anything may have changed. */
  readonly dates: readonly string[] | null;
  /** Identifies the announcements of one writer to itself; null for the others. */
  readonly origin: string | null;
}

/** Announces symbols of whom anything may have changed. */
export async function announceChange(
  database: Queryable,
  symbols: readonly string[],
  origin?: string,
): Promise<void> {
  if (symbols.length === 0) return;
  const { sql, parameters } = changeAnnouncement(symbols, origin);
  await database.write(sql, parameters, { announces: true });
}

export const changeAnnouncement = (symbols: readonly string[], origin?: string): Statement =>
  announcement(symbols, origin === undefined ? '' : `${ORIGIN_MARK}${origin} `);

/** Announces, as a statement, that anything of any symbol may have changed. */
export const everythingChanged = (): Statement => announcement(null, '');

/**
 * Announces, as a statement, symbols whose facts on some trade dates changed, and not their tape.
 *
 * @param symbols null for all
 */
export function factsAnnouncement(symbols: Iterable<string> | null, dates: Iterable<string>): Statement {
  return announcement(symbols && [...new Set(symbols)], `${DATES_MARK}${[...new Set(dates)].join()} `);
}

function announcement(symbols: readonly string[] | null, mark: string): Statement {
  return {
    sql: 'select announce($1, $3 || payload) from unnest($2::text[]) as payload',
    parameters: [CHANNEL, payloads(symbols), mark],
    announces: true,
  };
}

function payloads(symbols: readonly string[] | null): string[] {
  if (symbols === null || symbols.length > SYMBOLS_MAX) return [EVERYTHING];
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

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** @throws CodedError unreadable_message */
function readChange(payload: string): Change {
  const words = payload.split(' ');
  const marked = (mark: string): string | null =>
    words[0]?.startsWith(mark) ? words.shift()!.slice(mark.length) : null;
  const origin = marked(ORIGIN_MARK);
  const dates = marked(DATES_MARK)?.split(',') ?? null;
  const symbols = words.filter((word) => word !== '');
  if (
    !symbols.every((symbol) => STORED_SYMBOL.test(symbol)) ||
    dates?.every((date) => DATE.test(date)) === false
  )
    throw new CodedError('unreadable_message');
  return { symbols: symbols[0] === EVERYTHING ? null : symbols, dates, origin };
}

/** Calls back with each change, and with one of everything when some may have been missed. Returns the way to stop it. */
export function onChange(database: Database, handler: (change: Change) => void): Promise<() => void> {
  return database.listen(
    CHANNEL,
    (payload) => handler(readChange(payload)),
    () => handler({ symbols: null, dates: null, origin: null }),
  );
}
