import type { Session } from '../../base/calendar.ts';
import type { Database, Queryable } from '../../database/database.ts';
import type { RunningBatch } from './commit.ts';
import { columnsOfRows, type RunningRow } from './manifest.ts';
import { RunningCache } from './running-cache.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** What a minute changed in a part of a running session. Instants are epoch milliseconds. */
export interface PartMinute {
  /** Names the part. */
  readonly part: number;
  /** The newest minute on the tape, and the one before it; null before the first. */
  readonly at: number;
  readonly before: number | null;
  readonly symbols: readonly string[];
  /** Begin of the oldest row that came with the minute. */
  readonly since: number;
  /** Symbols of whom more than their rows has changed. */
  readonly changed: readonly string[];
}

/** The newest minute of a part, and the symbols that it has had. */
interface Part {
  readonly at: number;
  readonly symbols: ReadonlySet<string>;
}

/**
 * The tapes of a running session in a process that derives parts of it for the owner of the live feed. Rows of the day
 * stay in memory that threads share; a part that has missed a minute is read again.
 */
export class RunningParts {
  readonly #database: Database;
  readonly #cache: RunningCache;
  readonly #parts = new Map<number, Part>();

  constructor(database: Database, session: Session) {
    this.#database = database;
    this.#cache = RunningCache.of(database, session);
  }

  async withTapes<T>(minute: PartMinute, derive: (tapes: SymbolTape[]) => Promise<T>): Promise<T> {
    const { part, at, before, symbols, since, changed } = minute;
    const own = this.#parts.get(part);
    this.#parts.delete(part);
    if (own !== undefined && own.at === before) {
      this.#cache.forget(changed);
      const { batches, simulated } = await readRunningSince(this.#database, symbols, since);
      this.#cache.put(batches, simulated);
    } else {
      this.#cache.forget([...(own?.symbols ?? []), ...symbols]);
    }
    const result = await derive(await this.#cache.tapes(symbols));
    this.#parts.set(part, { at, symbols: new Set([...(own?.symbols ?? []), ...symbols]) });
    return result;
  }
}

/** Rows of a running session from a time on, by symbol and series. */
async function readRunningSince(
  database: Queryable,
  symbols: readonly string[],
  since: number,
): Promise<{ readonly batches: RunningBatch[]; readonly simulated: boolean }> {
  const rows = await database.query<RunningRow & { readonly symbol: string }>(
    `select symbol, kind, simulated, array_prepend(time::double precision, columns) as row from running_row
     where symbol = any($1::text[]) and time >= $2::bigint order by symbol, kind, time`,
    [symbols, since],
  );
  const batches = Map.groupBy(rows, ({ symbol, kind }) => `${symbol} ${kind}`);
  return {
    batches: Array.from(batches.values(), (own) => {
      const { symbol, kind } = own[0]!;
      return { symbol, kind, columns: columnsOfRows(kind, own) };
    }),
    simulated: rows.some((row) => row.simulated),
  };
}
