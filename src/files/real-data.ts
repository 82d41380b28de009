import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Calendar } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import type { Feed } from '../market/feed.ts';
import { INTERVAL_MS, type Interval } from '../market/observations.ts';
import { csvFeed } from './bars/csv.ts';
import { chainsFeed } from './chains/feed.ts';
import { factsFeed } from './facts/feed.ts';
import { leanFeed } from './lean/feed.ts';
import { profilesFeed } from './profiles.ts';
import { taqFeed } from './taq.ts';

/** A source of the data folder. If the folder does not hold its paths, the title says so. */
interface RealDataPart {
  readonly title: string;
  readonly feed: Feed;
}

const Source = Type.Object(
  {
    format: Type.Enum(['csv', 'lean', 'taq', 'facts', 'chains', 'profiles']),
    title: Type.String({ minLength: 1 }),
    paths: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    interval: Type.Optional(Type.Enum(Object.keys(INTERVAL_MS) as Interval[])),
    symbol: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);
const SourceList = Type.Object({ title: Type.Optional(Type.String()), sources: Type.Array(Source) });

type Source = Static<typeof Source>;

/**
 * The sources of a data folder in the order of its `sources.json`, which is the order of import. A source without files
 * has a feed without units. Throws a CodedError for a `sources.json` that is absent or breaks its schema.
 */
export async function realDataPlan(directory: string, calendar: Calendar): Promise<RealDataPart[]> {
  const sources = await readSources(join(directory, 'sources.json'));
  return Promise.all(sources.map((source) => openSource(directory, source, calendar)));
}

async function readSources(file: string): Promise<readonly Source[]> {
  if (!existsSync(file)) throw unusable(file, 'does not exist');
  let list: unknown;
  try {
    list = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw unusable(file, `is not JSON (${error instanceof Error ? error.message : error})`);
  }
  if (Value.Check(SourceList, list)) return list.sources;
  const [fault] = Value.Errors(SourceList, list);
  throw unusable(file, `breaks its format at ${fault?.instancePath || '/'}: ${fault?.message}`);
}

function unusable(file: string, fault: string): CodedError {
  return new CodedError(
    'import_failed',
    `${file} ${fault}. It must read {"sources":[{"format":"csv","title":"…","paths":["…"]}]}; see docs/data-formats.md.`,
  );
}

async function openSource(directory: string, source: Source, calendar: Calendar): Promise<RealDataPart> {
  const { title } = source;
  const absent = source.paths.filter((path) => !existsSync(resolve(directory, path)));
  const present = source.paths
    .filter((path) => !absent.includes(path))
    .map((path) => resolve(directory, path));
  return {
    title: absent.length === 0 ? title : `${title}: not found: ${absent.join(', ')}`,
    feed: present.length === 0 ? ABSENT : await feedOf(source, present, calendar),
  };
}

async function feedOf(source: Source, present: readonly string[], calendar: Calendar): Promise<Feed> {
  const { format, interval, symbol } = source;
  if (format === 'lean') return leanFeed(onlyOf(source, present), calendar);
  if (format === 'profiles') return profilesFeed({ path: onlyOf(source, present) });
  const paths = (await Promise.all(present.map(withSubfolders))).flat();
  switch (format) {
    case 'csv':
      return csvFeed({ paths, calendar, interval, symbol });
    case 'taq':
      return taqFeed({ paths, calendar });
    case 'facts':
      return factsFeed({ paths, calendar });
    case 'chains':
      return chainsFeed({ paths, calendar });
  }
}

function onlyOf({ format, title, paths }: Source, [path]: readonly string[]): string {
  if (paths.length > 1) {
    throw new CodedError(
      'import_failed',
      `The source "${title}" of sources.json names ${paths.length} paths, but ${format} reads one. Make a source of each.`,
    );
  }
  return path!;
}

/** A file as it is; a folder with the folders in it, because feeds read the files of a folder without descending. */
async function withSubfolders(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const subfolders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  return [path, ...subfolders.sort()];
}

const ABSENT: Feed = { name: 'absent', simulated: false, units: async () => [] };
