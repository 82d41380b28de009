import { basename } from 'node:path';
import type { Delivery, Feed } from '../market/feed.ts';
import type { RefusalTally } from '../market/refusals.ts';
import type { TextFile } from './archive.ts';
import { barReader, type FileReading, readingsOf } from './bars/csv.ts';
import type { CsvOptions } from './bars/csv-options.ts';
import { chainJoining, chainReading, isChains } from './chains/feed.ts';
import { contentReading } from './content-reading.ts';
import { factDeliveries, factReading, isFacts } from './facts/feed.ts';
import { delimiterOf } from './fields.ts';
import { type FoundFile, foundFiles, keyedFiles } from './found-files.ts';
import { isProfilesHeader, profilesIn } from './profiles.ts';
import { beginningOf, fileFeed } from './source-file.ts';
import { TICK_FILE, taqFeed } from './taq.ts';

/** Raise it when a reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 2;

type Kind = 'bars' | 'chains' | 'facts' | 'companies';

/** Files of any kind, by their content; prints and quotes, which come in pairs, by their names. */
export interface AnyFiles {
  readonly feeds: readonly Feed[];
  readings(): AsyncIterable<FileReading>;
}

/**
 * Every file of folders and the folders in them, each read by the reader of its kind; an archive may hold several.
 *
 * @param choices of files of bars
 */
export async function anyFiles(
  given: readonly string[],
  {
    calendar,
    now,
    known,
    knownAt,
    ...choices
  }: Omit<CsvOptions, 'paths'> & {
    /** Date on which tables of companies were known. */
    readonly knownAt?: string | undefined;
  },
): Promise<AnyFiles> {
  const found = await foundFiles(given, true);
  const isTicks = ({ path, leftOut }: FoundFile): boolean =>
    leftOut === undefined && TICK_FILE.test(basename(path));
  const ticks = found.filter(isTicks).map(({ path }) => path);
  const others = found.filter((one) => !isTicks(one));
  const bars = barReader({ ...choices, calendar, now, known });
  const joining = chainJoining(calendar);
  const rows = async function* (file: TextFile, tally: RefusalTally): AsyncGenerator<Delivery> {
    const kind = await kindOf(file);
    if (kind === 'chains') yield* joining.rows(file);
    else if (kind === 'facts') yield* factDeliveries(file, {}, tally);
    else if (kind === 'companies') yield* profilesIn(file, { knownAt }, tally);
    else yield* bars.rows(file, tally);
  };
  const feed = {
    ...fileFeed(
      'files',
      others,
      { version: READER_VERSION, ...choices, ...(knownAt === undefined ? {} : { knownAt }) },
      rows,
      joining,
    ),
    namedBy: bars.namedBy,
  };
  return {
    feeds: [
      ...(others.length > 0 ? [feed] : []),
      ...(ticks.length > 0 ? [taqFeed({ paths: ticks, calendar })] : []),
    ],
    async *readings() {
      const parts = await joining.parts((await keyedFiles(others)).files);
      yield* readingsOf(
        others,
        async (file) => {
          const kind = await kindOf(file);
          if (kind === 'bars') return bars.read(file);
          if (kind === 'chains') return chainReading(file, calendar, undefined, parts.has(file.where));
          if (kind === 'facts') return factReading(file, calendar);
          const reader = (sample: TextFile, tally: RefusalTally) => profilesIn(sample, { knownAt }, tally);
          const origin = { times: 'times of its rows', symbols: 'its column' };
          return contentReading('companies', file, reader, calendar, async () => origin);
        },
        bars.first,
      );
      for (const path of ticks)
        yield { where: basename(path), read: { what: 'prints and quotes', parts: {} } };
    },
  };
}

/** What a text holds; bars where it is nothing else, so that their reader says what it lacks. */
async function kindOf(file: TextFile): Promise<Kind> {
  try {
    if (await isChains(file)) return 'chains';
    if (await isFacts(file)) return 'facts';
    const [header = ''] = (await beginningOf(file)).split(/\r?\n/, 1);
    return isProfilesHeader(header.split(delimiterOf(header)).map((name) => name.replaceAll('"', '')))
      ? 'companies'
      : 'bars';
  } catch {
    // A damaged archive: the reader of its rows tells.
    return 'bars';
  }
}
