import type { Calendar } from '../../base/calendar.ts';
import type { Delivery, Feed } from '../feed.ts';
import { type RefusalTally, refusedFile } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { alpacaJson } from './chains-alpaca.ts';
import { cboeJson } from './chains-cboe.ts';
import { cboeTable, isCboeHeader } from './chains-cboe-table.ts';
import { chainsInJson, chainTable } from './chains-collector.ts';
import { headerNames } from './chains-contracts.ts';
import { documentedJson, documentedTable } from './chains-documented.ts';
import type { ChainJson, ChainTable } from './chains-layout.ts';
import { massiveJson } from './chains-massive.ts';
import { optionsDxTable } from './chains-optionsdx.ts';
import { oratsJson, oratsTable } from './chains-orats.ts';
import { schwabJson } from './chains-schwab.ts';
import { tradierJson } from './chains-tradier.ts';
import { isVolatilityHeader, volatilityTable } from './chains-volatility.ts';
import { yfinanceTable } from './chains-yfinance.ts';
import { isJson, isMembers, jsonIn, type Members, membersOf, strangeBeginning } from './json.ts';
import { beginningOf, fileFeed } from './source-file.ts';

/** Raise it when a reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 4;
/** Lines in which the header must come; a Cboe table has three above it. */
const HEADER_WITHIN_LINES = 8;

const TABLES: readonly ChainTable[] = [yfinanceTable, documentedTable, optionsDxTable, oratsTable];
const OBJECTS: readonly ChainJson[] = [
  documentedJson,
  cboeJson,
  schwabJson,
  tradierJson,
  massiveJson,
  alpacaJson,
  oratsJson,
];

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
    chainRows(file, calendar, asOf, tally),
  );

/** Whether a text is of a layout of chains or volatility. */
export async function isChains(file: TextFile): Promise<boolean> {
  const beginning = await beginningOf(file);
  if (isJson(beginning)) {
    const json = await jsonIn(file);
    return 'value' in json && isMembers(json.value) && layoutOf(json.value) !== undefined;
  }
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  const names = headerNames(lines[0]!);
  return lines.some(isCboeHeader) || tableOf(names) !== undefined || isVolatilityHeader(names);
}

const layoutOf = (value: Members): ChainJson | undefined =>
  OBJECTS.find(({ contractsIn }) => contractsIn(value) !== null);
const tableOf = (names: readonly string[]): ChainTable | undefined =>
  TABLES.find(({ columns }) => columns.every((name) => names.includes(name)));

export async function* chainRows(
  file: TextFile,
  calendar: Calendar,
  asOf: number | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const unknown = (fault: string) => refusedFile('unknown_format', file.where, fault);
  const beginning = await beginningOf(file);
  const strange = strangeBeginning(beginning);
  if (strange !== null) return yield unknown(strange);
  if (isJson(beginning)) {
    const json = await jsonIn(file);
    if ('fault' in json) return yield unknown(json.fault);
    const { value } = json;
    for (const layout of isMembers(value) ? OBJECTS : []) {
      const chain = chainsInJson(layout, value as Members, file.where, calendar, asOf, tally);
      if (chain !== null) return yield* chain;
    }
    return yield unknown(
      `no known source writes a chain so (${membersOf(value)}): docs/data-formats.md has the layouts`,
    );
  }
  const lines = beginning.split(/\r?\n/, HEADER_WITHIN_LINES);
  if (lines.some(isCboeHeader)) return yield* cboeTable(file, asOf, calendar, tally);
  const names = headerNames(lines[0]!);
  const table = tableOf(names);
  if (table !== undefined) yield* chainTable(table, file, calendar, asOf, tally);
  else if (isVolatilityHeader(names)) yield* volatilityTable(file, calendar, tally);
  else yield unknown(lines[0]!);
}
