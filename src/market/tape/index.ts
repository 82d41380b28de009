import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Calendar } from '../../base/calendar.ts';
import type { Database } from '../../base/database.ts';
import type { Feed } from '../feed.ts';
import { missingDailyBars } from './daily-from-intraday.ts';
import {
  clearTouched,
  type FinishedUnit,
  listSymbols,
  readDeliveredUnits,
  readSymbolTapes,
  readTouched,
  type Touched,
} from './manifest.ts';
import { removeOrphans } from './orphans.ts';
import { SegmentReader } from './segment-reader.ts';
import type { SymbolTape } from './symbol-tape.ts';
import { TapeWriter } from './tape-writer.ts';

export type { FinishedUnit, Touched } from './manifest.ts';
export { readStockView } from './read-view.ts';
export { SegmentReader } from './segment-reader.ts';
export { newestDay, oldestDay, type SymbolTape } from './symbol-tape.ts';
export type { TapeWriter, UnitResult } from './tape-writer.ts';

/** Keeps what the world said and replays it: columns in files, their manifest and the facts beside them in the database. */
export interface Tape {
  /** Where the segment files lie; a worker thread opens its own `SegmentReader` on it. */
  readonly directory: string;
  /** The tapes of the named symbols, in no particular order; unknown symbols are left out. */
  symbolTapes(symbols: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<SymbolTape[]>;
  /** Every symbol with at least one bar. */
  symbols(): Promise<string[]>;
  /** What a feed has delivered before, by unit key. */
  delivered(feed: string): Promise<Map<string, FinishedUnit>>;
  writer(feed: Pick<Feed, 'name' | 'simulated'>): TapeWriter;
  /** Fills in daily bars of sessions known only by intraday bars; returns how many. */
  completeDailyBars(calendar: Calendar): Promise<number>;
  /** What new data touched since the last derivation; all symbols, or the named ones. */
  touched(symbols?: readonly string[]): Promise<Touched[]>;
  clearTouched(touched: readonly Touched[]): Promise<void>;
}

/** Symbols whose manifest is held at once while the whole tape is walked. */
const SYMBOLS_AT_ONCE = 200;

/** Where the segment files of a data directory lie. */
export const tapeDirectory = (dataDirectory: string): string => join(dataDirectory, 'tape');

export async function openTape(database: Database, dataDirectory: string, now: number): Promise<Tape> {
  const directory = tapeDirectory(dataDirectory);
  mkdirSync(directory, { recursive: true });
  await removeOrphans(database, directory, now);
  const writer = (feed: Pick<Feed, 'name' | 'simulated'>) => new TapeWriter(database, directory, feed);
  return {
    directory,
    symbolTapes: (symbols, options) => readSymbolTapes(database, symbols, options),
    symbols: () => listSymbols(database),
    delivered: (feed) => readDeliveredUnits(database, feed),
    writer,
    completeDailyBars: (calendar) => completeDailyBars(database, directory, calendar),
    touched: (symbols) => readTouched(database, symbols),
    clearTouched: (touched) => clearTouched(database, touched),
  };
}

async function completeDailyBars(database: Database, directory: string, calendar: Calendar): Promise<number> {
  const symbols = await listSymbols(database);
  const reader = new SegmentReader(directory);
  let added = 0;
  for (const simulated of [false, true]) {
    const writer = new TapeWriter(database, directory, { name: 'from-intraday', simulated });
    for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) {
      for (const tape of await readSymbolTapes(database, symbols.slice(at, at + SYMBOLS_AT_ONCE))) {
        if (tape.slices.some((slice) => slice.simulated) !== simulated) continue;
        const columns = missingDailyBars(reader, tape, calendar);
        added += columns.time.length;
        writer.add('bars-1d', tape.symbol, columns);
      }
    }
    await writer.flush();
    writer.close();
  }
  reader.close();
  return added;
}
