import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Recorded cases of files that were read wrongly once, beside the project; null, with a line on the console, without. */
export const casesDirectory: string | null = findCases();

function findCases(): string | null {
  const directory = resolve(import.meta.dirname, '../../../shared/cases');
  if (existsSync(directory)) return directory;
  console.warn(`Tests on recorded cases are skipped: there are none in ${directory}.`);
  return null;
}
