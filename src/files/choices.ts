import { FACT_KINDS } from '../market/facts.ts';
import { INTERVAL_MS, type Interval } from '../market/observations.ts';

/** What a file may hold, by what is decided of it. */
export type FileKind = 'bars' | 'chains' | 'facts' | 'companies' | 'prints';

/** How the text of a choice is read (`stated.ts`) and typed. */
export type ChoiceForm =
  | 'word'
  | 'symbol'
  | 'zone'
  | 'date'
  | 'instant'
  | 'date_or_instant'
  | 'character'
  | 'names'
  | 'columns'
  | 'pattern';

export interface Choice {
  readonly kinds: readonly FileKind[];
  readonly form: ChoiceForm;
  /** Of the form `word`. */
  readonly values?: readonly string[];
  /** What the page calls it, and what it asks where nothing but the caller knows. */
  readonly label: string;
  readonly question?: string;
  /** What the command line calls it, where it is not the field's name, and of a value that has an option by itself. */
  readonly option?: string;
  readonly optionOf?: Readonly<Record<string, string>>;
  /** What the command line calls its value. */
  readonly argument: string;
  readonly help: string;
  readonly example?: string;
}

const BARS = ['bars'] as const;

/**
 * What a caller may decide of an import, by the name of its field in the API. The options and the help of the command
 * line, the body of the API and the form of the page are made of it.
 */
const CHOICES = {
  symbol: {
    kinds: BARS,
    form: 'symbol',
    label: 'Symbol',
    argument: '<symbol>',
    help: 'the symbol of every row',
    example: 'AAPL',
  },
  interval: {
    kinds: BARS,
    form: 'word',
    values: Object.keys(INTERVAL_MS) as Interval[],
    label: 'Length of a bar',
    argument: '<interval>',
    help: 'the length of a bar',
  },
  stamps: {
    kinds: BARS,
    form: 'word',
    values: ['start', 'end'],
    label: 'Times are the',
    question: "Do the times mark a bar's start or its end?",
    argument: '<which>',
    help: 'what a time is of its bar',
  },
  prices: {
    kinds: BARS,
    form: 'word',
    values: ['traded', 'split-adjusted', 'adjusted'],
    label: 'Prices are',
    argument: '<basis>',
    help: 'what past prices are: those that were traded, in the shares of a later day, or less the dividends since',
  },
  dividends: {
    kinds: BARS,
    form: 'word',
    values: ['paid', 'adjusted'],
    label: 'Dividends are',
    argument: '<basis>',
    help: 'what dividends before a split are: dollars a share of their own day, or of a later one',
  },
  final_through: {
    kinds: BARS,
    form: 'date',
    label: 'Final through',
    argument: '<date>',
    help: 'the last day whose rows are final',
  },
  time_zone: {
    kinds: BARS,
    form: 'zone',
    label: 'Time zone',
    question: 'Which time zone are these times in?',
    argument: '<zone>',
    help: 'the clock of the times, which counts in place of what they name',
    example: 'America/New_York',
  },
  mapping: {
    kinds: BARS,
    form: 'columns',
    label: 'Columns by field',
    option: '--map',
    argument: '<field=column,...>',
    help: 'columns by field, where they have other names',
    example: 'close=adj_close',
  },
  file_name_pattern: {
    kinds: BARS,
    form: 'pattern',
    label: 'File name pattern',
    option: '--file-name',
    argument: '<pattern>',
    help: 'where in the name of a file its symbol is',
    example: 'DA-{symbol}.csv',
  },
  date_format: {
    kinds: BARS,
    form: 'word',
    values: ['auto', 'month-first', 'day-first'],
    label: 'Dates begin with',
    argument: '<format>',
    help: 'how dates of numbers alone are written',
  },
  decimal_mark: {
    kinds: BARS,
    form: 'word',
    values: ['point', 'comma'],
    label: 'Decimals behind a',
    argument: '<mark>',
    help: 'what stands before decimals',
  },
  delimiter: {
    kinds: BARS,
    form: 'character',
    label: 'Between columns',
    argument: '<character>',
    help: 'what stands between columns',
    example: ';',
  },
  columns: {
    kinds: BARS,
    form: 'names',
    label: 'Names of the columns',
    argument: '<list>',
    help: 'names of the columns of a table without a first line of them',
    example: 'date,close,open,high,low,volume',
  },
  volumes: {
    kinds: BARS,
    form: 'word',
    values: ['shares', 'lots', 'thousands', 'millions', 'unknown'],
    label: 'Volumes are',
    optionOf: { unknown: '--no-volume' },
    argument: '<unit>',
    help: 'what volumes count; unknown where the file has none, or none in shares',
  },
  kind: {
    kinds: ['facts'],
    form: 'word',
    values: FACT_KINDS,
    label: 'Kind of facts',
    argument: '<kind>',
    help: 'the kind of rows without a column for it',
  },
  known_at: {
    kinds: ['facts', 'companies'],
    form: 'date_or_instant',
    label: 'Known at',
    question: 'What date is this table of?',
    argument: '<when>',
    help: 'the date, at whose end, or the instant with its zone from which what names none may be quoted',
    example: '2024-06-12',
  },
  as_of: {
    kinds: ['chains'],
    form: 'instant',
    label: 'Taken at',
    argument: '<instant>',
    help: 'when a chain was taken that does not say it, with the zone',
    example: '2023-09-14T16:31:00-04:00',
  },
} as const satisfies Record<string, Choice>;

export type ChoiceName = keyof typeof CHOICES;
export type ChoiceValue<Name extends ChoiceName> = (typeof CHOICES)[Name] extends {
  readonly values: readonly (infer Value)[];
}
  ? Value
  : string;

export const CHOICE_NAMES = Object.keys(CHOICES) as readonly ChoiceName[];
export const choiceOf = (name: ChoiceName): Choice => CHOICES[name];

/** A choice in a sentence, with a value or several where that helps; each face shows it by its own word. */
export const choice = (name: ChoiceName, value = ''): string => `⟨${name}${value && ` ${value}`}⟩`;

/** As long as the option of the same name: what is cut off for a manifest is cut off at the same place. */
const MARK = /⟨([a-z_]+)(?: ([^⟩]+))?⟩/g;

function inWords(sentence: string, wordOf: (name: ChoiceName, value: string) => string): string {
  return sentence.replace(MARK, (mark, name: string, value = '') =>
    Object.hasOwn(CHOICES, name) ? wordOf(name as ChoiceName, value) : mark,
  );
}

/** The option of a choice: `--time-zone`. */
export const optionOf = (name: ChoiceName): string =>
  choiceOf(name).option ?? `--${name.replaceAll('_', '-')}`;

/** A sentence as the command line says it. */
export const inOptions = (sentence: string): string =>
  inWords(
    sentence,
    (name, value) => choiceOf(name).optionOf?.[value] ?? `${optionOf(name)}${value && ` ${value}`}`,
  );

/** A sentence as the API says it, with its fields in backticks. */
export const inFields = (sentence: string): string =>
  inWords(sentence, (name, value) => `\`${name}\`${value && ` ${value}`}`);

/** The choices that a sentence names. */
export const choicesIn = (sentence: string): ChoiceName[] => {
  const named = new Set<ChoiceName>();
  inWords(sentence, (name) => {
    named.add(name);
    return '';
  });
  return [...named];
};
