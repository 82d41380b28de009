import { threadEntry } from '../workers/thread-answers.ts';
import { findWinkPackage, readWinkWords, winkModel } from '../graph/wink-package.ts';
import { sentenceVector, type WordTable } from '../graph/word-table.ts';
import { readTableFile, writeTableFile } from '../graph/word-table-file.ts';

export interface EmbedWorkerData {
  /** Where the words in use are kept between starts. */
  readonly tableFile: string;
}

/** Texts in, vectors out. */
export function open({ tableFile }: EmbedWorkerData): (texts: readonly string[]) => Float32Array[] {
  const table = openTable(tableFile);
  return (texts) => texts.map((text) => sentenceVector(table, text));
}

export default threadEntry(open);

function openTable(tableFile: string): WordTable {
  const found = findWinkPackage();
  if (found === null) throw new Error('The package of word vectors has been taken away.');
  const source = `${winkModel(found)} ${found.bytes}`;
  const kept = readTableFile(tableFile, source);
  if (kept !== null) return kept;
  const made = readWinkWords(found);
  try {
    writeTableFile(tableFile, source, made);
  } catch {
    // A full or read-only disk costs the next start half a second, and no more.
  }
  return made;
}
