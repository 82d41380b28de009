import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { demoStanding } from '../api/demo/leave-demo.ts';
import type { Store } from '../app.ts';
import { CodedError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { Config } from '../config.ts';
import { type AnyFiles, anyFiles } from '../files/any-file.ts';
import { csvFeed } from '../files/bars/csv.ts';
import {
  DATE_FORMATS,
  type DateFormat,
  DIVIDEND_BASES,
  type DividendBasis,
  PRICE_BASES,
  type PriceBasis,
  VOLUME_UNITS,
  type VolumeUnit,
} from '../files/bars/csv-options.ts';
import type { Stamps } from '../files/bars/session-edges.ts';
import { instantOf } from '../files/chains/contracts.ts';
import { chainsFeed } from '../files/chains/feed.ts';
import { factsFeed } from '../files/facts/feed.ts';
import { leanFeed } from '../files/lean/feed.ts';
import { profilesFeed } from '../files/profiles.ts';
import { CSV_FIELDS, type CsvField } from '../files/table-head.ts';
import { taqFeed } from '../files/taq.ts';
import { FACT_KINDS, type FactKind } from '../market/facts.ts';
import type { Feed } from '../market/feed.ts';
import { INTERVAL_MS, type Interval } from '../market/observations.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { INFORMATIONAL } from '../tape/ingest.ts';
import { knownOnTape } from '../tape/known-bars.ts';
import { type Define, EXIT_REFUSED } from './command.ts';
import { runImport } from './import-feed.ts';
import { LEAVE_DEMO, LEAVE_OFFER, leaveDemoOf } from './leave-demo.ts';
import { date, list, oneOf } from './options.ts';
import { showReadings, showRefused } from './show-readings.ts';
import { waitUntilServed, withStore } from './with-app.ts';

interface Waits {
  readonly wait?: boolean;
  readonly leaveDemo?: boolean;
}

interface Looks {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface CsvOptions extends Waits, Looks {
  readonly symbol?: string;
  readonly interval?: Interval;
  readonly stamps?: Stamps;
  readonly prices?: PriceBasis;
  readonly dividends?: DividendBasis;
  readonly finalThrough?: string;
  readonly decimalMark?: 'point' | 'comma';
  readonly timeZone?: string;
  readonly map?: Partial<Record<CsvField, string>>;
  readonly fileName?: string;
  readonly dateFormat?: DateFormat;
  readonly delimiter?: string;
  readonly columns?: string[];
  readonly volume: boolean;
}

export const define: Define = (command, call) => {
  command
    .argument('[paths...]', 'files and folders of any kinds of data')
    // Options behind a format are those of the format.
    .enablePositionalOptions()
    .option('--dry-run', 'shows how each file is read, and writes nothing')
    .option('--json', 'shows it as JSON')
    .option('--wait', 'until every process that answers callers has it')
    .option(...LEAVE_DEMO)
    .action((paths: string[], options: Waits & Looks) => {
      if (paths.length === 0) command.help({ error: true });
      const unknown = paths.find((path) => !existsSync(path));
      if (unknown !== undefined)
        command.error(`error: unknown command '${unknown}', and there is no file or folder of that name`);
      return call((config) =>
        bring(
          'files',
          ({ calendar, clock, tape }) =>
            anyFiles(existing(paths), { calendar, now: clock.now(), known: knownOnTape(tape) }),
          options,
          config,
        ),
      );
    });
  /** A format, whose feed is opened once its files are there. */
  const format = <Options extends Waits>(
    name: string,
    args: string,
    description: string,
    open: (paths: string[], options: Options, context: Store['context']) => Feed,
  ): Command =>
    command
      .command(name)
      .argument(args)
      .description(description)
      .option('--wait', 'until every process that answers callers has it')
      .option(...LEAVE_DEMO)
      .action((words: string | string[], options: Options) =>
        call((config) => {
          const paths = existing([words].flat());
          const title = `${name} ${paths.length === 1 ? printable(basename(paths[0]!)) : `${paths.length} files`}`;
          const feeds = async (context: Store['context']) => {
            const feed = open(paths, options, context);
            return { ...feed, feeds: [feed] };
          };
          return bring(title, feeds, options, config);
        }),
      );
  format('lean', '<folder>', 'a Lean data folder', ([directory], _, { calendar }) =>
    leanFeed(directory!, calendar),
  );
  format(
    'csv',
    '<files...>',
    'bars as tables or JSON',
    (paths, options: CsvOptions, { calendar, clock, tape }) => {
      const { map, fileName, volume, wait, dryRun, json, ...rest } = options;
      const named = { mapping: map, fileNamePattern: fileName, noVolume: !volume };
      return csvFeed({ ...rest, ...named, paths, calendar, now: clock.now(), known: knownOnTape(tape) });
    },
  )
    .option('--dry-run', 'shows how each file is read, and writes nothing')
    .option('--json', 'shows it as JSON')
    .option('--symbol <symbol>', 'of every file', (text) => text.toUpperCase())
    .option('--interval <interval>', 'of the bars', oneOf(Object.keys(INTERVAL_MS) as Interval[]))
    .option('--stamps <which>', 'what a time is of its bar: start, end', oneOf(['start', 'end'] as const))
    .option('--prices <basis>', `what past prices are: ${PRICE_BASES.join(', ')}`, oneOf(PRICE_BASES))
    .option('--dividends <basis>', 'before a split: paid, adjusted for it', oneOf(DIVIDEND_BASES))
    .option('--final-through <date>', 'the last day whose rows are final', date)
    .option('--time-zone <zone>', 'of the times, e.g. America/New_York', timeZone)
    .option('--map <field=column,...>', 'columns by field, e.g. close=adj_close', columnMapping)
    .option('--file-name <pattern>', 'where the symbol is, e.g. DA-{symbol}.csv')
    .option('--date-format <format>', DATE_FORMATS.join(', '), oneOf(DATE_FORMATS))
    .option('--decimal-mark <mark>', 'point, comma', oneOf(['point', 'comma'] as const))
    .option('--delimiter <character>', 'between columns', (text) => (text === '\\t' ? '\t' : text))
    .option('--columns <list>', 'of a table without a first line of names', (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .option(
      '--volumes <unit>',
      `what volumes count: ${Object.keys(VOLUME_UNITS).join(', ')}`,
      oneOf(Object.keys(VOLUME_UNITS) as VolumeUnit[]),
    )
    .option('--no-volume', 'the table has none, or none in shares: it is unknown');
  format('profiles', '<file>', 'a table of companies', ([path], options: Waits & { knownAt?: string }) =>
    profilesFeed({ path: path!, knownAt: options.knownAt }),
  ).option('--known-at <date>', 'when it was known');
  format('taq', '<files...>', 'TAQ trades and quotes', (paths, _, { calendar }) =>
    taqFeed({ paths, calendar }),
  );
  format(
    'facts',
    '<files...>',
    'reported facts',
    (paths, { kind, knownAt }: Waits & Looks & { kind?: FactKind; knownAt?: string }, { calendar }) =>
      factsFeed({ paths, calendar, kind, knownAt }),
  )
    .option('--dry-run', 'shows how each file is read, and writes nothing')
    .option('--json', 'shows it as JSON')
    .option('--kind <kind>', FACT_KINDS.join(', '), oneOf(FACT_KINDS))
    .option('--known-at <when>', 'date or instant from which facts without one may be quoted');
  format(
    'chains',
    '<files...>',
    'option chains or daily volatility',
    (paths, { asOf }: Waits & Looks & { asOf?: number }, { calendar }) =>
      chainsFeed({ paths, calendar, asOf }),
  )
    .option('--dry-run', 'shows how each file is read, and writes nothing')
    .option('--json', 'shows it as JSON')
    .option('--as-of <instant>', 'when they were taken, with its zone', instant);
};

async function bring(
  title: string,
  open: (context: Store['context']) => Promise<Pick<AnyFiles, 'feeds'> & Partial<AnyFiles>>,
  { wait, leaveDemo, dryRun, json }: Waits & Looks,
  config: Config,
): Promise<number> {
  return withStore(config, async (app) => {
    const { feeds, readings } = await open(app.context);
    const refused = readings === undefined ? [] : await showReadings(readings(), json === true);
    if (dryRun) {
      if (!json) showRefused(refused);
      return refused.every(({ reason }) => INFORMATIONAL.has(reason)) ? 0 : EXIT_REFUSED;
    }
    if (leaveDemo === true) await leaveDemoOf(app);
    let exit = 0;
    let hasTaken = false;
    for (const feed of feeds) {
      const done = await atLowerPriority(app.context, () => runImport(app, title, feed));
      exit ||= done.exit;
      hasTaken ||= done.hasTaken;
    }
    showRefused(refused);
    if (wait) await waitUntilServed(app);
    if (hasTaken) {
      if ((await demoStanding(app.context.database)).stocks > 0) console.log(LEAVE_OFFER);
      console.log(
        'Derive what was touched with: npm run tigraph -- sync (a running service does so by itself)',
      );
    }
    return exit;
  });
}

function existing(paths: string[]): string[] {
  const absent = paths.find((path) => !existsSync(path));
  if (absent !== undefined) throw new CodedError('import_failed', `There is no file or folder ${absent}.`);
  for (const path of paths) {
    const kind = statSync(path);
    if (!kind.isFile() && !kind.isDirectory()) {
      throw new CodedError(
        'import_failed',
        `${path} is neither a file nor a folder; save it to a file first.`,
      );
    }
    if (kind.isDirectory() && readdirSync(path).length === 0) {
      throw new CodedError('import_failed', `The folder ${path} is empty.`);
    }
  }
  return paths;
}

function instant(text: string): number {
  const parsed = instantOf(text);
  if (!Number.isNaN(parsed)) return parsed;
  throw new InvalidArgumentError('It must be an instant with its zone such as 2023-09-14T16:31:00-04:00.');
}

function timeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone && name;
  } catch {
    throw new InvalidArgumentError('It is not a zone such as America/New_York.');
  }
}

/** `close=last,volume=vol`, beside what an earlier option of the call says. */
function columnMapping(
  text: string,
  earlier: Partial<Record<CsvField, string>> = {},
): Partial<Record<CsvField, string>> {
  const pairs = list(CSV_FIELDS.length, (part) => {
    const [name = '', column = ''] = part.split('=').map((side) => side.trim());
    if (column === '') throw new InvalidArgumentError('It must read field=column, e.g. close=adj_close.');
    return [oneOf(CSV_FIELDS)(name), column] as const;
  })(text);
  return { ...earlier, ...Object.fromEntries(pairs) };
}
