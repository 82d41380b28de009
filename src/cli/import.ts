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
import { chainsFeed } from '../files/chains/feed.ts';
import { CHOICE_NAMES, type ChoiceName, choiceOf, type FileKind, optionOf } from '../files/choices.ts';
import { factsFeed } from '../files/facts/feed.ts';
import { leanFeed } from '../files/lean/feed.ts';
import { profilesFeed } from '../files/profiles.ts';
import { ChoiceFault, type Stated, statedBy, statedValue } from '../files/stated.ts';
import { taqFeed } from '../files/taq.ts';
import type { Feed } from '../market/feed.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { INFORMATIONAL } from '../tape/ingest.ts';
import { knownOnTape } from '../tape/known-bars.ts';
import { type Define, EXIT_REFUSED } from './command.ts';
import { runImport } from './import-feed.ts';
import { LEAVE_OFFER, leaveDemoOf } from './leave-demo.ts';
import { LEAVE_DEMO } from './options.ts';
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
  const format = (
    name: string,
    args: string,
    description: string,
    open: (paths: string[], stated: Stated, context: Store['context']) => Feed,
    kind?: FileKind,
  ): Command => {
    const own = command
      .command(name)
      .argument(args)
      .description(description)
      .option('--wait', 'until every process that answers callers has it')
      .option(...LEAVE_DEMO);
    if (kind !== undefined && kind !== 'companies')
      own
        .option('--dry-run', 'shows how each file is read, and writes nothing')
        .option('--json', 'shows it as JSON');
    const values: Partial<Record<ChoiceName, unknown>> = {};
    for (const choice of CHOICE_NAMES)
      if (choiceOf(choice).kinds.some((one) => one === kind)) addOption(own, choice, values);
    return own.action((words: string | string[], options: Waits & Looks) =>
      call((config) => {
        const paths = existing([words].flat());
        const title = `${name} ${paths.length === 1 ? printable(basename(paths[0]!)) : `${paths.length} files`}`;
        const feeds = async (context: Store['context']) => {
          const feed = open(paths, statedBy(values), context);
          return { ...feed, feeds: [feed] };
        };
        return bring(title, feeds, options, config);
      }),
    );
  };
  format('lean', '<folder>', 'a Lean data folder', ([directory], _, { calendar }) =>
    leanFeed(directory!, calendar),
  );
  format(
    'csv',
    '<files...>',
    'bars as tables or JSON',
    (paths, stated, { calendar, clock, tape }) =>
      csvFeed({ ...stated, paths, calendar, now: clock.now(), known: knownOnTape(tape) }),
    'bars',
  );
  format(
    'profiles',
    '<file>',
    'a table of companies',
    ([path], { knownAt }) => profilesFeed({ path: path!, knownAt }),
    'companies',
  );
  format('taq', '<files...>', 'TAQ trades and quotes', (paths, _, { calendar }) =>
    taqFeed({ paths, calendar }),
  );
  format(
    'facts',
    '<files...>',
    'reported facts',
    (paths, { kind, knownAt }, { calendar }) => factsFeed({ paths, calendar, kind, knownAt }),
    'facts',
  );
  format(
    'chains',
    '<files...>',
    'option chains or daily volatility',
    (paths, { asOf }, { calendar }) => chainsFeed({ paths, calendar, asOf }),
    'chains',
  );
};

/** A choice as an option, which puts what it states among the values. */
function addOption(command: Command, name: ChoiceName, values: Partial<Record<ChoiceName, unknown>>): void {
  const { argument, help, values: words, example, optionOf: ofValues = {} } = choiceOf(name);
  const shown =
    words === undefined ? (example === undefined ? '' : `, e.g. ${example}`) : `: ${words.join(', ')}`;
  command.option(`${optionOf(name)} ${argument}`, `${help}${shown}`, (text) => {
    const value = readOption(name, text);
    const earlier = values[name];
    // Columns may be named one by one.
    values[name] =
      typeof earlier === 'object' && !Array.isArray(earlier) ? { ...earlier, ...(value as object) } : value;
    return text;
  });
  for (const [value, option] of Object.entries(ofValues))
    command
      .option(option, `${optionOf(name)} ${value}`)
      .on(`option:${option.slice(2)}`, () => Object.assign(values, { [name]: value }));
}

function readOption(name: ChoiceName, text: string) {
  try {
    return statedValue(name, text) as object | string | number;
  } catch (error) {
    throw error instanceof ChoiceFault ? new InvalidArgumentError(error.message) : error;
  }
}

async function bring(
  title: string,
  open: (context: Store['context']) => Promise<Pick<AnyFiles, 'feeds'> & Partial<AnyFiles>>,
  { wait, leaveDemo, dryRun, json }: Waits & Looks,
  config: Config,
): Promise<number> {
  return withStore(config, async (app) => {
    // Beside the simulated market a file of one of its stocks is refused by its reading.
    if (leaveDemo === true && dryRun !== true) await leaveDemoOf(app);
    const { feeds, readings } = await open(app.context);
    const refused = readings === undefined ? [] : await showReadings(readings(), json === true);
    if (dryRun) {
      if (!json) showRefused(refused);
      return refused.every(({ reason }) => INFORMATIONAL.has(reason)) ? 0 : EXIT_REFUSED;
    }
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
