import { basename } from 'node:path';
import type { Delivery, Feed } from '../market/feed.ts';
import type { RefusalTally } from '../market/refusals.ts';
import type { TextFile } from './archive.ts';
import { barReader, type FileReading, readingsOf } from './bars/csv.ts';
import type { CsvOptions } from './bars/csv-options.ts';
import { chainJoining, chainReading, isChains } from './chains/feed.ts';
import type { FileKind } from './choices.ts';
import { contentReading } from './content-reading.ts';
import { factDeliveries, factReading, isFacts } from './facts/feed.ts';
import { delimiterOf } from './fields.ts';
import { type FoundFile, foundFiles, keyedFiles } from './found-files.ts';
import { isProfilesHeader, profilesIn } from './profiles.ts';
import { beginningOf, fileFeed } from './source-file.ts';
import type { Stated } from './stated.ts';
import { TICK_FILE, taqFeed } from './taq.ts';

/** Raise it when a reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 2;

/** Files of any kind, by their content; prints and quotes, which come in pairs, by their names. */
export interface AnyFiles {
  readonly feeds: readonly Feed[];
  readings(): AsyncIterable<FileReading>;
}

/**
 * Every file of folders and the folders in them, each read by the reader of its kind; an archive may hold several.
 *
 * @param stated of files of each kind what a caller states
 */
export async function anyFiles(
  given: readonly string[],
  { calendar, now, known, ...stated }: Stated & Pick<CsvOptions, 'calendar' | 'now' | 'known'>,
): Promise<AnyFiles> {
  const found = await foundFiles(given, true);
  const isTicks = ({ path, leftOut }: FoundFile): boolean =>
    leftOut === undefined && TICK_FILE.test(basename(path));
  const ticks = found.filter(isTicks).map(({ path }) => path);
  const others = found.filter((one) => !isTicks(one));
  const { asOf, kind: kindOfFacts, knownAt, ...ofBars } = stated;
  const ofFacts = { kind: kindOfFacts, knownAt };
  const bars = barReader({ ...ofBars, calendar, now, known });
  const joining = chainJoining(calendar, asOf);
  const rows = async function* (file: TextFile, tally: RefusalTally): AsyncGenerator<Delivery> {
    const kind = await kindOf(file, kindOfFacts);
    if (kind === 'chains') yield* joining.rows(file);
    else if (kind === 'facts') yield* factDeliveries(file, ofFacts, tally);
    else if (kind === 'companies') yield* profilesIn(file, { knownAt }, tally);
    else yield* bars.rows(file, tally);
  };
  const readAs = async (
    kind: FileKind,
    file: TextFile,
    parts: ReadonlySet<string>,
  ): Promise<FileReading['read']> => {
    if (kind === 'bars') return bars.read(file);
    if (kind === 'chains') return chainReading(file, calendar, asOf, parts.has(file.where));
    if (kind === 'facts') return factReading(file, calendar, ofFacts);
    const reader = (sample: TextFile, tally: RefusalTally) => profilesIn(sample, { knownAt }, tally);
    const origin = { times: 'times of its rows', symbols: 'its column' };
    return contentReading('companies', file, reader, calendar, async () => origin);
  };
  const feed = {
    ...fileFeed('files', others, { version: READER_VERSION, ...stated }, rows, joining),
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
          const kind = await kindOf(file, kindOfFacts);
          return { kind, read: await readAs(kind, file, parts) };
        },
        bars.first,
      );
      for (const path of ticks)
        yield { where: basename(path), kind: 'prints', read: { what: 'prints and quotes', parts: {} } };
    },
  };
}

/** What a text holds; bars where it is nothing else, so that their reader says what it lacks. */
async function kindOf(file: TextFile, kindOfFacts: Stated['kind']): Promise<FileKind> {
  try {
    if (await isChains(file)) return 'chains';
    if (await isFacts(file, kindOfFacts)) return 'facts';
    const [header = ''] = (await beginningOf(file)).split(/\r?\n/, 1);
    return isProfilesHeader(header.split(delimiterOf(header)).map((name) => name.replaceAll('"', '')))
      ? 'companies'
      : 'bars';
  } catch {
    // A damaged archive: the reader of its rows tells.
    return 'bars';
  }
}
