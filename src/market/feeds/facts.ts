import { stat } from 'node:fs/promises';
import type { AnyFact, FactKind } from '../facts.ts';
import type { Delivery, Feed, Refused, SourceUnit } from '../feed.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { type RefusalTally, refusalTally } from './refusal-tally.ts';
import { fileFingerprint } from './source-file.ts';
import { filesAt, shortKeys } from './source-paths.ts';
import { delimitedRows } from './facts-delimited.ts';
import { jsonLines } from './facts-json-lines.ts';
import type { SymbolFacts } from './facts-row.ts';

/** Goes up when the reader changes what it makes of the same bytes; files read before are then read again. */
const READER_VERSION = 1;
/** Facts that are handed out together. */
const DELIVERY_FACTS = 5_000;

interface FactsOptions {
  /** Files, or folders of files: delimited tables or JSON Lines; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  /** The kind of rows that do not name theirs. */
  readonly kind?: FactKind | undefined;
}

/** Reported facts from files, one unit a file; see `docs/data-formats.md`. A path that does not exist rejects when the units are listed. */
export function factsFeed({ paths, kind }: FactsOptions): Feed {
  return {
    name: 'facts',
    simulated: false,
    async units() {
      const files = await filesAt(paths);
      return Promise.all(shortKeys(files).map((key, index) => unitOf(files[index]!, key, kind)));
    },
  };
}

async function unitOf(path: string, key: string, kind: FactKind | undefined): Promise<SourceUnit> {
  return {
    key,
    weight: (await stat(path)).size,
    fingerprint: () => fileFingerprint(path, { reader: 'facts', version: READER_VERSION, kind }),
    async *read() {
      const tally = refusalTally();
      for await (const file of textFiles(path, key)) {
        if (isTextFile(file)) yield* deliveriesOf(file, kind, tally);
        else yield file;
      }
      yield* tally.refusals();
    },
  };
}

async function* deliveriesOf(
  file: TextFile,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  let pending: SymbolFacts[] = [];
  for await (const read of rowsOf(file, kind, tally)) {
    if ('reason' in read) yield read;
    else pending.push(read);
    if (pending.length < DELIVERY_FACTS) continue;
    yield* bySymbol(pending);
    pending = [];
  }
  yield* bySymbol(pending);
}

async function* rowsOf(
  file: TextFile,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts | Refused> {
  const beginning = await beginningOf(file);
  // No header begins with a brace, and no line of JSON without one.
  if (beginning.startsWith('{')) yield* jsonLines(file, kind, tally);
  else yield* delimitedRows(file, beginning, kind, tally);
}

async function beginningOf(file: TextFile): Promise<string> {
  for await (const chunk of file.chunks()) return new TextDecoder().decode(chunk).trimStart();
  return '';
}

function* bySymbol(rows: readonly SymbolFacts[]): Generator<Delivery> {
  for (const [symbol, own] of Map.groupBy(rows, (row) => row.symbol)) {
    const facts: AnyFact[] = own.flatMap((row) => row.facts);
    yield { kind: 'facts', symbol, facts };
  }
}
