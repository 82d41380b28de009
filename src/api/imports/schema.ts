import type { Static } from 'typebox';
import { wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { CHOICE_NAMES, type Choice, choiceOf } from '../../files/choices.ts';
import { REFUSALS, type RefusalReason } from '../../market/refusals.ts';
import { optional, parameters } from '../answers/parameters.ts';
import { IMPORTABLE } from '../stocks/import-next.ts';

/** Of a part of a file, before it is written in base64: three milliseconds of the event loop. */
export const PART_BYTES = 200_000;
const FILE_BYTES_MAX = 4 * 2 ** 30;
/** Names of the columns of a table. */
const TEXT_MAX = 2_000;

export const ImportPath = parameters({
  id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Identifier of an import.' }),
});

export const ImportBody = parameters({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the file, which may name its symbol. Folders before it are left out.',
    examples: ['AAPL_daily.csv'],
  }),
  bytes: Type.Integer({ minimum: 0, maximum: FILE_BYTES_MAX, description: 'Length of the file.' }),
});
export type ImportBody = Static<typeof ImportBody>;

export const PartBody = parameters({
  offset: Type.Integer({
    minimum: 0,
    maximum: FILE_BYTES_MAX,
    description: 'Where in the file the part begins.',
  }),
  base64: Type.String({
    maxLength: 4 * Math.ceil(PART_BYTES / 3),
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
    description: `At most ${PART_BYTES} bytes of the file in base64.`,
    examples: ['ZGF0ZSxvcGVu'],
  }),
});
export type PartBody = Static<typeof PartBody>;

function schemaOf({ form, values, help, example }: Choice) {
  return Type.Unsafe<string>({
    type: 'string',
    ...(values === undefined ? { minLength: 1, maxLength: TEXT_MAX } : { enum: [...values] }),
    ...(form === 'date' && { pattern: '^\\d{4}-\\d{2}-\\d{2}$', existingDateOrInstant: true }),
    description: `${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    ...(example !== undefined && { examples: [example] }),
  });
}

/** What the person decides of the reading. */
export const Choices = parameters(
  optional(Object.fromEntries(CHOICE_NAMES.map((name) => [name, schemaOf(choiceOf(name))]))),
);

const ImportChoice = wire.record(
  'ImportChoice',
  'What may be decided of a file, as a field of its reading.',
  {
    name: wire.oneOf(CHOICE_NAMES, 'The field.'),
    label: wire.string('What a form calls it.'),
    help: wire.string('What it decides.'),
    form: wire.oneOf(
      ['word', 'date', 'zone', 'text'],
      'How it is typed: one of `values`, a date, a time zone, or a text.',
    ),
    values: wire.listOf(Type.String(), 'Of the form `word`.'),
    placeholder: wire.nullableString('A text of the form `text`.'),
  },
);
export type ImportChoice = Static<typeof ImportChoice>;

const Finding = wire.record('Finding', 'What was worked out of a file.', {
  part: wire.string('What it is about.'),
  value: wire.string('What was found.'),
  evidence: wire.string('From what; a field of the reading in backticks.'),
  sure: wire.oneOf(
    ['stated', 'seen', 'assumed'],
    '`stated` by the file or the caller, `seen` in its rows, `assumed` where no row can tell and nothing depends on it.',
  ),
});

const reason = (description: string) => wire.oneOf(Object.keys(REFUSALS) as RefusalReason[], description);

const FirstBar = wire.record('FirstBar', 'A bar as it will be on the tape.', {
  symbol: wire.string('Ticker symbol.'),
  at: wire.string('Date of a daily bar, YYYY-MM-DD; of any other the instant of its start.'),
  open: wire.number('First price.'),
  high: wire.number('Highest price.'),
  low: wire.number('Lowest price.'),
  close: wire.number('Last price.'),
  volume: wire.nullableNumber('Shares; null where the file states none.'),
});

const FileReading = wire.record('FileReading', 'How a file, or one of an archive, is read.', {
  file: wire.string('Its name.'),
  findings: wire.listOf(Finding, 'Empty for a file that is refused.'),
  first: wire.listOf(
    FirstBar,
    'The first bars as they will be read; empty of other kinds, and where prices follow from the whole file.',
  ),
  refused: wire.nullable(
    wire.record('RefusedFile', 'Why a file is not read.', {
      reason: reason('Reason.'),
      message: wire.string('What was seen, and what decides, with its fields in backticks.'),
      asks: wire.listOf(wire.oneOf(CHOICE_NAMES, 'Field.'), 'The fields that the message names.'),
      question: wire.nullableString('What only the caller can answer; null of most.'),
    }),
  ),
});

const RefusedRows = wire.record('RefusedRows', 'Rows or files of one reason.', {
  reason: reason('Reason.'),
  meaning: wire.string('The reason in words.'),
  rows: wire.integer('How many.'),
  where: wire.string('File and line of the first.'),
  first: wire.string('The first, as it stood.'),
});

const SymbolRows = wire.record('SymbolRows', 'What of a symbol was taken.', {
  symbol: wire.string('Ticker symbol.'),
  rows: wire.integer('Rows and facts.'),
});

const STATES = ['uploading', 'reading', 'read', 'importing', 'imported', 'cancelled', 'failed'] as const;
export type ImportState = (typeof STATES)[number];

const Report = wire.record('ImportReport', 'What an import brought.', {
  rows_kept: wire.integer('Rows that are on the tape now.'),
  rows_known: wire.integer('Of those, rows that were there before.'),
  facts_kept: wire.integer('Splits, dividends and reported facts.'),
  daily_bars_summed: wire.integer('Daily bars that were summed from intraday ones.'),
  symbols: wire.listOf(SymbolRows, 'By symbol.'),
  refused: wire.listOf(RefusedRows, 'What was not taken.'),
});

export const ImportAnswer = wire.record('Import', 'A file that is brought.', {
  id: wire.string('Identifier.'),
  file: wire.string('Name of the file.'),
  bytes: wire.integer('Length of the file.'),
  received: wire.integer('Bytes of it that are here.'),
  part_bytes: wire.integer('Most bytes of a part.'),
  state: wire.oneOf(STATES, '`reading` is to be asked after again; `read` waits for its start.'),
  files: wire.integer('Files in it that were read so far: of an archive each, else one.'),
  files_refused: wire.integer('Of those, files that cannot be imported as they are.'),
  readings: wire.listOf(
    FileReading,
    'How the file is going to be read; of an archive each of its files, of many the first 200 and the first refused.',
  ),
  choices: wire.listOf(ImportChoice, 'What may be decided of its files; empty where nothing may.'),
  share_done: wire.nullableNumber('Share of the import that is done; null before it.', wire.FRACTION),
  rows_read: wire.integer('Rows that were read so far.'),
  report: wire.nullable(Report),
  message: wire.nullableString('Why it failed, or what its end means.'),
});
export type ImportAnswer = Static<typeof ImportAnswer>;

export const ImportsAnswer = wire.record('Imports', 'Files that were brought.', {
  imports: wire.listOf(ImportAnswer, 'Newest first.'),
});

export const LIMIT = { minimum: 1, maximum: 100, byDefault: 25 };

export const LoadedQuery = parameters(
  optional({
    q: Type.String({
      maxLength: 20,
      description: 'The beginning of a ticker. Default: every symbol.',
      examples: ['A'],
    }),
    limit: wholeNumber('Symbols at most', LIMIT),
    cursor: Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' }),
  }),
);

const KINDS = ['days', 'minutes', 'prints', 'quotes', 'chains', 'volatility', 'facts'] as const;
export type LoadedKind = (typeof KINDS)[number];

const Hole = wire.record('Hole', 'Sessions in a row without data.', {
  from: wire.date('The first.'),
  to: wire.date('The last.'),
  sessions: wire.integer('How many.'),
});

const LoadedSeries = wire.record('LoadedSeries', 'What is loaded of a kind of data of a symbol.', {
  kind: wire.oneOf(KINDS, 'Kind of data.'),
  first: wire.date('The first date.'),
  last: wire.date('The last date.'),
  sessions: wire.integer('Sessions with data, of facts how many there are.'),
  holes: wire.listOf(Hole, 'Between the first and the last date, the newest 50; ascending. Facts have none.'),
  missing: wire.integer('Sessions in all holes.'),
});

const LoadedSymbol = wire.record('LoadedSymbol', 'What is loaded of a symbol.', {
  symbol: wire.string('Ticker symbol.'),
  name: wire.nullableString('Company name.'),
  simulated: wire.flag('Whether rows were made by the simulated feed.'),
  series: wire.listOf(LoadedSeries, 'By kind.'),
  next: wire.listOf(
    wire.record('LoadedNext', 'A kind of data that the symbol lacks.', {
      data: wire.oneOf(IMPORTABLE, 'Kind of data.'),
      says: wire.string('What of it to import.'),
    }),
    'What to import so that more of it is known.',
  ),
});

const Delivered = wire.record('Delivered', 'A file or other source that was imported.', {
  feed: wire.string('Format.'),
  source: wire.string('Its name.'),
  imported_at: wire.dateTime('When.'),
  rows: wire.integer('Rows and facts that were kept.'),
  refused: wire.listOf(RefusedRows, 'What was not taken.'),
});

export const LoadedAnswer = wire.record('Loaded', 'What is loaded.', {
  newest: wire.nullableDateTime('End of the newest row of what matches; null where nothing is loaded.'),
  symbols: wire.integer('How many match.'),
  loaded: wire.listOf(LoadedSymbol, 'By ticker.'),
  deliveries: wire.listOf(Delivered, 'The newest 50 sources, on the first page.'),
  next_cursor: wire.nullableString('Leads to the next symbols; null on the last page.'),
});
export type LoadedAnswer = Static<typeof LoadedAnswer>;
