import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Delivery, Feed, SourceUnit } from '../feed.ts';
import { refusalTally, refusedFile } from './refusal-tally.ts';
import { fileFingerprint } from './source-file.ts';
import { readCompanyArchive } from './reference-company-archive.ts';
import {
  EARNINGS_FILES,
  type EarningsBook,
  earningsFileOf,
  readEarningsBook,
} from './reference-earnings-book.ts';
import {
  countSentiment,
  readForm4Archive,
  readForm4Table,
  readInsiderChanges,
} from './reference-insiders.ts';
import { readConsensusTargets, readEstimates, readRecommendationCounts } from './reference-opinions.ts';
import type { ReadSource, SourceFile } from './reference-source.ts';
import { readSplits, type SplitSource, splitUnits } from './reference-splits.ts';
import { readConstituents, readSnapshot, readVendorRatios } from './reference-stated.ts';

const READER_VERSION = 2;
const EARNINGS = 'earnings';
/** Read by `profilesFeed`. */
const NOT_OURS = /^reference\/constituents\.csv(\.gz)?$/;

/**
 * Files by folder and name, in the order in which they are to be imported: of two words about the same subject at the
 * same instant the later import stands, hence the weaker and older first. The results lie where their folder does.
 */
const READERS: readonly { readonly files: RegExp; readonly read: ReadSource }[] = [
  { files: /^fundamentals_analyst\/finnhub_basic_company_financials.*\.csv(\.gz)?$/, read: readVendorRatios },
  { files: /^analyst\/finnhub_recommendation_trends.*\.csv(\.gz)?$/, read: readRecommendationCounts },
  { files: /^insider\/finnhub_insider_sentiment.*\.csv(\.gz)?$/, read: countSentiment },
  { files: /^insider\/finnhub_insider_transactions.*\.csv(\.gz)?$/, read: readInsiderChanges },
  { files: /^insider\/sec_form4_json\.zip$/, read: readForm4Archive },
  { files: /^insider\/form4_transactions.*\.csv(\.gz)?$/, read: readForm4Table },
  { files: /^fundamentals_analyst\/profiles_.*\.zip$/, read: readCompanyArchive },
  { files: /^reference\/sp500_snapshot_.*\.json(\.gz)?$/, read: readSnapshot },
  { files: /^reference\/estimates_.*\.json(\.gz)?$/, read: readEstimates },
  { files: /^analyst\/consensus_target_.*\.csv(\.gz)?$/, read: readConsensusTargets },
  { files: /^reference\/constituents-financials(_\d{4}-\d{2}-\d{2})?\.csv(\.gz)?$/, read: readConstituents },
];

export interface ReferenceOptions {
  /** Paths of the folders `reference`, `fundamentals_analyst`, `analyst`, `earnings` and `insider`, any of them. */
  readonly folders: readonly string[];
  /** Where splits are told by which old results are brought back to the shares of their day. Default: nowhere. */
  readonly splitSources?: (() => Promise<readonly SplitSource[]>) | undefined;
}

/**
 * What the recorded data folder reports of companies: each file of the folders is a unit, keyed by folder and name.
 * A file that no reader knows refuses itself.
 */
export function referenceFeed({ folders, splitSources = noSplits }: ReferenceOptions): Feed {
  return {
    name: 'reference',
    simulated: false,
    async units() {
      const files = (await Promise.all(folders.map(filesIn))).flat();
      const results = resultsOf(files.filter(isResults), await splitUnits(await splitSources()));
      const units = files
        .sort(inOrderOfImport)
        .map((file) => (isResults(file) ? results(file) : unitOf(file)));
      return Promise.all(units);
    },
  };
}

const noSplits = async (): Promise<readonly SplitSource[]> => [];

/** Files of a folder that this feed answers for, in the order of their names. */
async function filesIn(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ path: join(folder, name), key: `${basename(folder)}/${name}` }))
    .filter(({ key }) => !NOT_OURS.test(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

const readerOf = ({ key }: SourceFile): ReadSource | undefined =>
  READERS.find(({ files }) => files.test(key))?.read;

function isResults({ key }: SourceFile): boolean {
  const [folder, name] = key.split('/');
  return folder === EARNINGS && earningsFileOf(name!) !== null;
}

/** Results first, from the least trusted on; then the readers in their order; at the end what nobody reads. */
function inOrderOfImport(a: SourceFile, b: SourceFile): number {
  return placeOf(a) - placeOf(b) || (a.key < b.key ? -1 : 1);
}

function placeOf(file: SourceFile): number {
  if (isResults(file)) {
    return (
      EARNINGS_FILES.indexOf(earningsFileOf(file.key.slice(EARNINGS.length + 1))!) - EARNINGS_FILES.length
    );
  }
  const place = READERS.findIndex(({ files }) => files.test(file.key));
  return place < 0 ? READERS.length : place;
}

async function unitOf(file: SourceFile): Promise<SourceUnit> {
  const read = readerOf(file);
  return {
    key: file.key,
    weight: (await stat(file.path)).size,
    fingerprint: () => fingerprintOf(file),
    read: () => (read === undefined ? unknownFile(file) : readUnit(file, read)),
  };
}

async function* readUnit(file: SourceFile, read: ReadSource): AsyncGenerator<Delivery> {
  const tally = refusalTally();
  yield* read(file, tally);
  yield* tally.refusals();
}

async function* unknownFile({ key }: SourceFile): AsyncGenerator<Delivery> {
  yield refusedFile('unknown_format', key, key);
}

const fingerprintOf = ({ path, key }: SourceFile): Promise<string> =>
  fileFingerprint(path, { reader: 'reference', version: READER_VERSION, key });

/**
 * Units of the files of results. They share one book, read when the first of them is, and one fingerprint of all: what
 * a file delivers depends on what the others say, and on the splits.
 */
function resultsOf(
  files: readonly SourceFile[],
  splits: readonly SourceUnit[],
): (file: SourceFile) => Promise<SourceUnit> {
  let book: Promise<EarningsBook> | undefined;
  let fingerprints: Promise<string[]> | undefined;
  return async (file) => ({
    key: file.key,
    weight: (await stat(file.path)).size,
    async fingerprint() {
      fingerprints ??= Promise.all([
        ...files.map(fingerprintOf),
        ...splits.map((unit) => unit.fingerprint()),
      ]);
      return createHash('sha256')
        .update(JSON.stringify([file.key, await fingerprints]))
        .digest('hex');
    },
    async *read() {
      book ??= readSplits(splits).then((splitFactor) => readEarningsBook(files, splitFactor));
      yield* (await book).deliveries(file.key);
    },
  });
}
