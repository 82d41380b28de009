import { programVersion } from '../app.ts';
import type { BackupRecord } from '../backup/backup-record.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { lowerPriority } from '../pipeline/at-lower-priority.ts';
import type { Define } from './command.ts';
import { placeOf, storeOf } from './place-option.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';

export const define: Define = (command, call) => {
  command
    .argument('<place>', 'directory or s3://bucket/prefix: empty, new, or of a backup that was interrupted')
    .action((place: string) => call((config) => backUp(place, config)));
};

async function backUp(word: string, config: Config): Promise<number> {
  const place = placeOf(word, config);
  // The service beside it has the processors first.
  lowerPriority();
  const started = stopwatch();
  const record = await withProgress('backup', ({ update }) =>
    takeBackup(storeOf(config), place, programVersion(), update),
  );
  console.log(`backup: ${contentOf(record)}, ${secondsSince(started)}`);
  console.log(`  ${place.name} holds the state of ${record.taken_at}`);
  return 0;
}

export function contentOf({ tables, segments }: BackupRecord): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = [...tables, ...segments].reduce((sum, file) => sum + file.bytes, 0);
  return `${count(rows)} rows of ${count(tables.length)} tables, ${count(segments.length)} files of the tape, ${megabytes(bytes)}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
