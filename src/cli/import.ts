import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Calendar } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import { FACT_KINDS } from '../market/facts.ts';
import type { Feed } from '../market/feed.ts';
import { chainsFeed } from '../market/feeds/chains.ts';
import { instantOf } from '../market/feeds/chains-contracts.ts';
import { CSV_FIELDS, type CsvField, csvFeed, DATE_FORMATS } from '../market/feeds/csv.ts';
import { factsFeed } from '../market/feeds/facts.ts';
import { leanFeed } from '../market/feeds/lean.ts';
import { profilesFeed } from '../market/feeds/profiles.ts';
import { taqFeed } from '../market/feeds/taq.ts';
import { INTERVAL_MS, type Interval } from '../market/observations.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import type { Run } from './command.ts';
import { runImport } from './import-feed.ts';
import { wrongCall } from './options.ts';
import { waitUntilServed } from './wait-until-served.ts';
import { withApp } from './with-app.ts';

/** A feed to open and its title. */
interface Source {
  readonly title: string;
  open(calendar: Calendar): Feed;
}

const FORMATS: ReadonlyMap<string, (words: readonly string[]) => Source> = new Map([
  ['lean', leanSource],
  ['csv', csvSource],
  ['profiles', profilesSource],
  ['facts', factsSource],
  ['chains', chainsSource],
  ['taq', taqSource],
]);

export const run: Run = async ([format, ...all], config) => {
  const words = all.filter((word) => word !== '--wait');
  const source = FORMATS.get(format ?? '');
  if (source === undefined) {
    const known = [...FORMATS.keys()].join(', ');
    throw wrongCall(`import needs a format: ${known}. See tigraph import --help.`);
  }
  const { title, open } = source(words);
  return withApp(config, async (app) => {
    const exit = await atLowerPriority(app.context, () => runImport(app, title, open(app.context.calendar)));
    if (words.length < all.length) await waitUntilServed(app);
    console.log(
      'Derive what was touched with: npm run tigraph -- sync (a running service does so by itself)',
    );
    return exit;
  });
};

function leanSource(words: readonly string[]): Source {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const [directory] = existing(positionals, 'a Lean data folder');
  return { title: titleOf('lean', [directory!]), open: (calendar) => leanFeed(directory!, calendar) };
}

function csvSource(words: readonly string[]): Source {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      symbol: { type: 'string' },
      interval: { type: 'string' },
      'time-zone': { type: 'string' },
      map: { type: 'string', multiple: true },
      'file-name': { type: 'string' },
      'date-format': { type: 'string' },
      delimiter: { type: 'string' },
      columns: { type: 'string' },
      'no-volume': { type: 'boolean' },
    },
  });
  const paths = existing(positionals, 'one or more files');
  const options = {
    paths,
    symbol: values.symbol?.toUpperCase(),
    interval: oneOf('--interval', values.interval, Object.keys(INTERVAL_MS) as Interval[]),
    timeZone: timeZone(values['time-zone']),
    mapping: columnMapping(values.map ?? []),
    fileNamePattern: values['file-name'],
    dateFormat: oneOf('--date-format', values['date-format'], DATE_FORMATS),
    delimiter: values.delimiter === '\\t' ? '\t' : values.delimiter,
    columns: values.columns?.split(',').map((name) => name.trim()),
    noVolume: values['no-volume'],
  };
  return { title: titleOf('csv', paths), open: (calendar) => csvFeed({ ...options, calendar }) };
}

function taqSource(words: readonly string[]): Source {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const paths = existing(positionals, 'files of TAQ trades and quotes');
  return { title: titleOf('taq', paths), open: (calendar) => taqFeed({ paths, calendar }) };
}

function profilesSource(words: readonly string[]): Source {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'known-at': { type: 'string' } },
  });
  const [path] = existing(positionals, 'a table of companies');
  return {
    title: titleOf('profiles', [path!]),
    open: () => profilesFeed({ path: path!, knownAt: values['known-at'] }),
  };
}

function chainsSource(words: readonly string[]): Source {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'as-of': { type: 'string' } },
  });
  const asOf = instant('--as-of', values['as-of']);
  const paths = existing(positionals, 'files of option chains or daily volatility');
  return { title: titleOf('chains', paths), open: (calendar) => chainsFeed({ paths, calendar, asOf }) };
}

function factsSource(words: readonly string[]): Source {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { kind: { type: 'string' } },
  });
  const paths = existing(positionals, 'one or more files of reported facts');
  const kind = oneOf('--kind', values.kind, FACT_KINDS);
  return { title: titleOf('facts', paths), open: () => factsFeed({ paths, kind }) };
}

const titleOf = (format: string, paths: readonly string[]): string =>
  `${format} ${paths.length === 1 ? basename(paths[0]!) : `${paths.length} files`}`;

function existing(paths: readonly string[], what: string): string[] {
  if (paths.length === 0) throw wrongCall(`import needs ${what}.`);
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
  return [...paths];
}

function oneOf<Word extends string>(
  option: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word === undefined) throw wrongCall(`${option} must be one of ${words.join(', ')}, not ${text}.`);
  return word;
}

function instant(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = instantOf(text);
  if (Number.isNaN(parsed)) {
    throw wrongCall(
      `${option} must be an instant with its zone such as 2023-09-14T16:31:00-04:00, not ${text}.`,
    );
  }
  return parsed;
}

function timeZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone && name;
  } catch {
    throw wrongCall(`--time-zone ${name} is not a zone such as America/New_York.`);
  }
}

/** `close=last,volume=vol` or several of them. */
function columnMapping(parts: readonly string[]): Partial<Record<CsvField, string>> {
  const mapping: Partial<Record<CsvField, string>> = {};
  for (const part of parts.flatMap((list) => list.split(','))) {
    const [name, column] = part.split('=').map((side) => side.trim());
    const field = oneOf('--map', name, CSV_FIELDS);
    if (field === undefined || column === undefined || column === '') {
      throw wrongCall(`--map ${part} must read field=column, e.g. close=adj_close.`);
    }
    mapping[field] = column;
  }
  return mapping;
}
