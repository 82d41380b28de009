import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

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
