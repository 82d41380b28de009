import { verifyBackup } from '../backup/verify-backup.ts';
import { type StoreReport, verifyStore, wayOutFor } from '../backup/verify-store.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { lowerPriority } from '../pipeline/at-lower-priority.ts';
import { contentOf } from './backup.ts';
import { type Define, EXIT_FAILED } from './command.ts';
import { placeOf, storeOf } from './place-option.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';

export const define: Define = (command, call) => {
  command
    .argument('[place]', 'directory or s3://bucket/prefix of a backup; without one the store itself')
    .action((place: string | undefined) =>
      call((config) => (place === undefined ? verifyLive(config) : verifyPlace(place, config))),
    );
};

async function verifyPlace(word: string, config: Config): Promise<number> {
  const place = placeOf(word, config);
  const started = stopwatch();
  const record = await withProgress('verify', ({ update }) => verifyBackup(place, update));
  console.log(`verify: ${contentOf(record)} as of ${record.taken_at}, whole, ${secondsSince(started)}`);
  return 0;
}

async function verifyLive(config: Config): Promise<number> {
  // The service beside it has the processors first.
  lowerPriority();
  const started = stopwatch();
  const report = await withProgress('verify', ({ update }) => verifyStore(storeOf(config), update));
  const { damage } = report;
  const result = damage.length === 0 ? 'whole' : `${count(damage.length)} damaged`;
  console.log(`verify: ${readOf(report)}, ${result}, ${secondsSince(started)}`);
  if (report.pages === null) {
    console.log(
      config.databaseUrl === undefined
        ? '  its pages have no checksums, which a restored backup gets: see docs/operating.md'
        : '  the pages are for pg_checksums or pg_amcheck of the server: see docs/operating.md',
    );
  }
  if (damage.length === 0) return 0;
  for (const line of damage) console.error(`  damaged: ${line}`);
  console.error(`tigraph: the store is damaged. ${wayOutFor(config)}`);
  return EXIT_FAILED;
}

function readOf({ pages, tables, rows, indexes, files }: StoreReport): string {
  return [
    ...(pages === null ? [] : [`${count(pages)} pages`]),
    `${count(rows)} rows of ${count(tables)} tables`,
    `${count(indexes)} indexes`,
    files === null ? 'no file of the tape' : `${count(files)} files of the tape`,
  ].join(', ');
}
