import { stat } from 'node:fs/promises';
import type { Calendar } from '../../base/calendar.ts';
import type { Delivery, Feed, SourceUnit } from '../feed.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { type RefusalTally, refusalTally, refusedFile } from './refusal-tally.ts';
import { fileFingerprint, filesAt, shortKeys } from './source-file.ts';
import { cboeTable, isCboeHeader } from './chains-cboe-table.ts';
import { chainJson } from './chains-chain-json.ts';
import { headerNames } from './chains-contracts.ts';
import {
  contractTable,
  isContractHeader,
  isVolatilityHeader,
  isYfinanceHeader,
  volatilityTable,
  yfinanceTable,
} from './chains-tables.ts';

/** Goes up when a reader changes what it makes of the same bytes; files read before are then read again. */
const READER_VERSION = 2;
/** Lines in which the header must come; a Cboe table has three above it. */
const HEADER_WITHIN_LINES = 8;

export interface ChainsOptions {
  /** Files, or folders of files: JSON or delimited tables; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
  /** Epoch milliseconds at which files were taken that do not say it whole themselves. */
  readonly asOf?: number | undefined;
}

/**
 * Option chains and daily volatility from files, one unit a file, each told by its content; see `docs/data-formats.md`. A
 * path that does not exist rejects when the units are listed.
 */
export function chainsFeed({ paths, calendar, asOf }: ChainsOptions): Feed {
  return {
    name: 'chains',
    simulated: false,
    async units() {
      const files = await filesAt(paths);
      return Promise.all(shortKeys(files).map((key, index) => unitOf(files[index]!, key, calendar, asOf)));
    },
  };
}

async function unitOf(
  path: string,
  key: string,
  calendar: Calendar,
  asOf: number | undefined,
): Promise<SourceUnit> {
  return {
    key,
    weight: (await stat(path)).size,
    fingerprint: () => fileFingerprint(path, { reader: 'chains', version: READER_VERSION, asOf }),
    async *read() {
      const tally = refusalTally();
      for await (const file of textFiles(path, key)) {
        if (isTextFile(file)) yield* deliveriesOf(file, calendar, asOf, tally);
        else yield file;
      }
      yield* tally.refusals();
    },
  };
}

async function* deliveriesOf(
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const beginning = await beginningOf(file);
  if (beginning.startsWith('{')) return yield* chainJson(file, tally);
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  if (lines.some(isCboeHeader)) return yield* cboeTable(file, asOf, tally);
  const names = headerNames(lines[0]!);
  if (isYfinanceHeader(names)) yield* yfinanceTable(file, tally);
  else if (isContractHeader(names)) yield* contractTable(file, tally);
  else if (isVolatilityHeader(names)) yield* volatilityTable(file, calendar, tally);
  else yield refusedFile('unknown_format', file.where, lines[0]!);
}

async function beginningOf(file: TextFile): Promise<string> {
  for await (const chunk of file.chunks()) {
    return new TextDecoder()
      .decode(chunk)
      .replace(/^\uFEFF/, '')
      .trimStart();
  }
  return '';
}
