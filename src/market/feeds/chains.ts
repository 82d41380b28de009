import type { Calendar } from '../../base/calendar.ts';
import type { Delivery, Feed } from '../feed.ts';
import { type RefusalTally, refusedFile } from '../refusals.ts';
import type { TextFile } from './archive.ts';
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
import { beginningOf, fileFeed } from './source-file.ts';

/** Raise it when a reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 3;
/** Lines in which the header must come; a Cboe table has three above it. */
const HEADER_WITHIN_LINES = 8;

export interface ChainsOptions {
  /** Files, or folders of files: JSON or delimited tables; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
  /** Epoch milliseconds of files without a complete instant. */
  readonly asOf?: number | undefined;
}

/** Option chains and daily volatility from files, recognised by their content; see `docs/data-formats.md`. */
export const chainsFeed = ({ paths, calendar, asOf }: ChainsOptions): Feed =>
  fileFeed('chains', paths, { version: READER_VERSION, asOf }, (file, tally) =>
    deliveriesOf(file, calendar, asOf, tally),
  );

async function* deliveriesOf(
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const beginning = await beginningOf(file);
  if (beginning.startsWith('{')) return yield* chainJson(file, calendar, tally);
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  if (lines.some(isCboeHeader)) return yield* cboeTable(file, asOf, calendar, tally);
  const names = headerNames(lines[0]!);
  if (isYfinanceHeader(names)) yield* yfinanceTable(file, calendar, tally);
  else if (isContractHeader(names)) yield* contractTable(file, calendar, tally);
  else if (isVolatilityHeader(names)) yield* volatilityTable(file, calendar, tally);
  else yield refusedFile('unknown_format', file.where, lines[0]!);
}
