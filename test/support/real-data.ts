import { createWriteStream, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as yauzl from 'yauzl';

/** Recorded market data beside the project; null, with a line on the console, where there is none. */
export const realDataDirectory: string | null = findRealData();

function findRealData(): string | null {
  const directory = resolve(
    process.env.TIGRAPH_REAL_DATA ?? resolve(import.meta.dirname, '../../../shared/data'),
  );
  if (existsSync(resolve(directory, 'lean'))) return directory;
  console.warn(
    `Tests on recorded market data are skipped: there is none in ${directory} (set TIGRAPH_REAL_DATA).`,
  );
  return null;
}

/** A directory with those files of a recorded archive: reading all 442 companies takes ten seconds. */
export async function filesOfArchive(
  path: string,
  isTaken: (name: string, place: number) => boolean,
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tigraph-archive-'));
  const archive = await yauzl.openPromise(resolve(realDataDirectory!, path));
  let place = 0;
  for await (const entry of archive.eachEntry()) {
    if (!isTaken(entry.fileName, place++)) continue;
    await pipeline(
      await archive.openReadStreamPromise(entry),
      createWriteStream(join(directory, entry.fileName)),
    );
  }
  return directory;
}
