import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Calendar } from '../../base/calendar.ts';
import type { Delivery, Feed, SourceUnit } from '../../market/feed.ts';
import { refusalTally, refusedFile } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { leftOutOf } from '../found-files.ts';
import { ofOneVersion, readUnchanged } from '../one-version.ts';
import { fileFingerprint, readUnit, refusedUnit, wholeText } from '../source-file.ts';
import { type LeanContext, longBars, minuteBars, minuteQuotes } from './bars.ts';
import { type OptionDay, optionDay, optionUnderlying } from './options.ts';
import { readFactorFile, readMapFile, type TickerHistory, tickerHistory } from './reference.ts';
import { tradeTicks } from './ticks.ts';

/** Goes up when a reader changes what it makes of the same bytes; files read before are then read again. */
const READER_VERSION = 2;
const READER_VERSION_OF: Readonly<Record<string, number>> = { 'map-file': 3, 'trade-ticks': 3 };
const OPTIONS_READER_VERSION = 2;

type OptionKind = Extract<LeanKind, { readonly ofIndex: boolean }>;

interface LeanFile {
  readonly path: string;
  readonly key: string;
  readonly bytes: number;
  readonly known: LeanKind;
  /** Of trade ticks: the quote ticks that are read with them. */
  readonly quotes?: LeanFile;
}

/**
 * A QuantConnect Lean data folder, read as it is; `docs/data-formats.md` names the files and what becomes of each.
 *
 * @param directory the folder that holds `equity/usa`
 */
export function leanFeed(directory: string, calendar: Calendar): Feed {
  return {
    name: 'lean',
    simulated: false,
    async units() {
      const files = await filesIn(directory);
      if (!files.some(({ key }) => key.startsWith('equity/usa/'))) {
        throw new Error(`${directory} holds no equity/usa: name the Lean data folder itself`);
      }
      const history = await readHistory(files);
      const { options = [], others = [] } = Object.groupBy(files, ({ known }) =>
        isOption(known) ? 'options' : 'others',
      );
      const units = [
        ...withQuotes(others).map((file) => unitOf(file, calendar, history)),
        ...optionUnits(options, files, calendar, history),
      ];
      return units.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
  };
}

/** Every file below the folder, in the order of their relative paths. */
async function filesIn(directory: string): Promise<LeanFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files: LeanFile[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(entry.parentPath, entry.name);
    const leftOut = leftOutOf(entry);
    const facts = leftOut === undefined ? await stat(path).catch(() => null) : await lstat(path);
    if (facts === null || facts.isDirectory()) continue;
    const key = relative(directory, path).split(sep).join('/');
    const known = leftOut === undefined ? leanKind(key) : ({ kind: 'not-read', what: leftOut } as const);
    files.push({ path, key, bytes: facts.size, known });
  }
  return files.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Quote ticks belong to the unit of their trades; without trades they are not read. */
function withQuotes(files: readonly LeanFile[]): LeanFile[] {
  const byKey = new Map(files.map((file) => [file.key, file]));
  const partner = (key: string, from: string, to: string): LeanFile | undefined =>
    byKey.get(key.replace(new RegExp(`_${from}\\.zip$`), `_${to}.zip`));
  return files.flatMap((file): LeanFile[] => {
    if (file.known.kind === 'quote-ticks') {
      if (partner(file.key, 'quote', 'trade') !== undefined) return [];
      return [{ ...file, known: { kind: 'not-read', what: 'quote ticks without their trades' } }];
    }
    const quotes = file.known.kind === 'trade-ticks' ? partner(file.key, 'trade', 'quote') : undefined;
    return [quotes === undefined ? file : { ...file, quotes }];
  });
}

async function readHistory(files: readonly LeanFile[]): Promise<TickerHistory> {
  const maps = files.filter(({ known }) => known.kind === 'map-file');
  return readUnchanged(maps, async () => {
    const texts: { symbol: string; text: string }[] = [];
    for (const { path, known } of maps) {
      if (known.kind === 'map-file') texts.push({ symbol: known.symbol, text: await readFile(path, 'utf8') });
    }
    return tickerHistory(texts);
  });
}

function unitOf(file: LeanFile, calendar: Calendar, history: TickerHistory): SourceUnit {
  const { path, key, bytes, known, quotes } = file;
  if (known.kind === 'not-read' || known.kind === 'unknown') return passedOver(file);
  // A change of the map files moves a ticker's rows to another symbol although the rows' own file is the same.
  const spans = 'ticker' in known ? (history.get(known.ticker.toLowerCase()) ?? null) : null;
  return ofOneVersion(quotes === undefined ? [file] : [file, quotes], {
    key,
    weight: bytes + (quotes?.bytes ?? 0),
    async fingerprint() {
      const version = READER_VERSION_OF[known.kind] ?? READER_VERSION;
      const reading = { reader: 'lean', version, kind: known.kind, spans };
      if (quotes === undefined) return fileFingerprint(path, reading);
      return fileFingerprint(path, { ...reading, quotes: await fileFingerprint(quotes.path, 'quotes') });
    },
    read: () => readUnit(path, key, (text, tally) => rowsOf(text, file, { calendar, history, tally })),
  });
}

const isOption = ({ kind }: LeanKind): boolean => kind === 'option-minutes' || kind === 'option-universe';

/** One unit an underlying and date, because quotes, trades, open interest and universe make one chain. */
function optionUnits(
  options: readonly LeanFile[],
  files: readonly LeanFile[],
  calendar: Calendar,
  history: TickerHistory,
): SourceUnit[] {
  const context = (): LeanContext => ({ calendar, history, tally: refusalTally() });
  const byKey = new Map(files.map((file) => [file.key, file]));
  const days = Map.groupBy(options, ({ known }) => {
    const { ticker, date, ofIndex } = known as OptionKind;
    return `${ofIndex} ${optionUnderlying(ticker, date, ofIndex, context()) ?? ticker} ${date}`;
  });
  return Array.from(days.values(), (own): SourceUnit => {
    const { ticker, date, ofIndex } = own[0]!.known as OptionKind;
    const dailyBars = ofIndex ? null : (byKey.get(`equity/usa/daily/${ticker}.zip`) ?? null);
    const day: OptionDay = {
      date,
      ofIndex,
      files: own.map(({ path, key, known }) => ({ path, key, ...(known as OptionKind) })),
      dailyBars,
    };
    const read = [...own, ...(dailyBars === null ? [] : [dailyBars])];
    return ofOneVersion(read, {
      key: own[0]!.key,
      weight: own.reduce((sum, { bytes }) => sum + bytes, 0),
      async fingerprint() {
        const spans = ofIndex ? null : (history.get(ticker.toLowerCase()) ?? null);
        const reading = { reader: 'lean options', version: OPTIONS_READER_VERSION, spans };
        const rest = await Promise.all(read.slice(1).map(({ path, key }) => fileFingerprint(path, key)));
        return fileFingerprint(own[0]!.path, { ...reading, rest });
      },
      async *read() {
        const own = context();
        yield* optionDay(day, own);
        yield* own.tally.refusals();
      },
    });
  });
}

/** Its size is its fingerprint. */
function passedOver({ key, bytes, known }: LeanFile): SourceUnit {
  const refusal =
    known.kind === 'not-read'
      ? refusedFile('not_read', key, known.what)
      : refusedFile('unknown_format', key, key);
  return refusedUnit(refusal, `${refusal.reason}:${READER_VERSION}:${bytes}`);
}

function rowsOf(text: TextFile, { known, quotes }: LeanFile, context: LeanContext): AsyncIterable<Delivery> {
  switch (known.kind) {
    case 'bars':
      return longBars(text, known.interval, known.ticker, context);
    case 'minute-bars':
      return minuteBars(text, known.ticker, known.date, context);
    case 'minute-quotes':
      return minuteQuotes(text, known.ticker, known.date, context);
    case 'trade-ticks':
      return tradeTicks(text, known.ticker, known.date, quotes ?? null, context);
    case 'map-file':
      return mapFile(text, known.symbol, context);
    case 'factor-file':
      return factorFile(text, known.symbol, context);
    default:
      throw new Error(`a ${known.kind} file has no rows`);
  }
}

/** The tickers of a security as reported facts. */
async function* mapFile(file: TextFile, symbol: string, { tally }: LeanContext): AsyncGenerator<Delivery> {
  const { listings, bad } = readMapFile(symbol, (await wholeText(file))!);
  if (listings.length > 0) yield { kind: 'facts', symbol, facts: listings };
  for (const { line, text } of bad) tally.note('wrong_columns', `${file.where}:${line}`, text);
}

async function* factorFile(
  file: TextFile,
  symbol: string,
  { calendar, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const actions = readFactorFile((await wholeText(file))!, calendar, (reason, line, row) =>
    tally.note(reason, `${file.where}:${line}`, row),
  );
  if (actions.length > 0) yield { kind: 'actions', symbol, actions };
}

/** The kind of a file of a Lean data folder, from its path. */
type LeanKind =
  | { readonly kind: 'bars'; readonly interval: '1d' | '1h'; readonly ticker: string }
  | {
      readonly kind: 'minute-bars' | 'minute-quotes' | 'trade-ticks' | 'quote-ticks';
      readonly ticker: string;
      readonly date: string;
    }
  | {
      readonly kind: 'option-minutes' | 'option-universe';
      /** The class of the options: the underlying's ticker or, of an index, one of its classes. */
      readonly ticker: string;
      readonly date: string;
      readonly ofIndex: boolean;
    }
  | { readonly kind: 'map-file' | 'factor-file'; readonly symbol: string }
  | { readonly kind: 'not-read'; readonly what: string }
  | { readonly kind: 'unknown' };

const LONG_BARS = /^equity\/usa\/(daily|hour)\/([^/]+)\.zip$/;
const SESSION_FILE = /^equity\/usa\/(minute|second|tick)\/([^/]+)\/(\d{4})(\d{2})(\d{2})_(trade|quote)\.zip$/;
const OPTION_MINUTES =
  /^(index)?option\/usa\/minute\/([^/]+)\/(\d{4})(\d{2})(\d{2})_(quote|trade|openinterest)_(american|european)(\.zip)+$/;
const OPTION_UNIVERSE = /^(index)?option\/usa\/universes\/([^/]+)\/(\d{4})(\d{2})(\d{2})\.csv$/;
const REFERENCE_FILE = /^equity\/usa\/(map|factor)_files\/([^/]+)\.csv$/;

/** Files of the layout that are not read, with their description in the refusal. */
const LATER: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)readme(\.md|\.txt)?$/i, 'a readme'],
  [/^equity\/usa\/(map|factor)_files\/.*\.zip$/, 'a packed map or factor file'],
  [/^equity\/usa\/fundamental\//, 'fundamental data'],
  [/^equity\/usa\/universes\//, 'a universe'],
  [/^equity\/usa\/shortable\//, 'shortable shares'],
  [/^equity\/(?!usa\/)[^/]+\//, 'equity of another market'],
  [/^(index)?option\/usa\/(daily|hour)\//, 'option bars of an hour or a day'],
  [/^(option|indexoption|futureoption)\//, 'options of another kind or market'],
  [/^index\//, 'index bars'],
  [/^(alternative|market-hours|symbol-properties)\//, 'reference data'],
  [/^(future|forex|crypto|cryptofuture|cfd|commodity)\//, 'another asset class'],
];

/** @param path relative to the root of the data folder, with forward slashes */
function leanKind(path: string): LeanKind {
  const long = LONG_BARS.exec(path);
  if (long !== null) return { kind: 'bars', interval: long[1] === 'daily' ? '1d' : '1h', ticker: long[2]! };
  const session = SESSION_FILE.exec(path);
  if (session !== null) return sessionKind(session);
  const minutes = OPTION_MINUTES.exec(path);
  if (minutes !== null) return optionKind('option-minutes', minutes);
  const universe = OPTION_UNIVERSE.exec(path);
  if (universe !== null) return optionKind('option-universe', universe);
  const reference = REFERENCE_FILE.exec(path);
  if (reference !== null) {
    return { kind: reference[1] === 'map' ? 'map-file' : 'factor-file', symbol: reference[2]!.toUpperCase() };
  }
  const later = LATER.find(([pattern]) => pattern.test(path));
  return later === undefined ? { kind: 'unknown' } : { kind: 'not-read', what: later[1] };
}

function optionKind(
  kind: 'option-minutes' | 'option-universe',
  [, index, ticker, year, month, day]: RegExpExecArray,
): LeanKind {
  return { kind, ticker: ticker!, date: `${year}-${month}-${day}`, ofIndex: index !== undefined };
}

function sessionKind([, resolution, ticker, year, month, day, side]: RegExpExecArray): LeanKind {
  const date = `${year}-${month}-${day}`;
  if (resolution === 'second') return { kind: 'not-read', what: `second ${side}s` };
  const of = { ticker: ticker!, date };
  if (resolution === 'tick') return { kind: side === 'trade' ? 'trade-ticks' : 'quote-ticks', ...of };
  return { kind: side === 'trade' ? 'minute-bars' : 'minute-quotes', ...of };
}
