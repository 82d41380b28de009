import { restoreBackup } from '../backup/restore-backup.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { contentOf } from './backup.ts';
import type { Define } from './command.ts';
import { placeOf, storeOf } from './place-option.ts';
import { secondsSince } from './print.ts';
import { withProgress } from './progress.ts';

export const define: Define = (command, call) => {
  command
    .argument('<place>', 'directory or s3://bucket/prefix of the backup')
    .option('--same-installation', 'takes the place of the store that was backed up, not beside it')
    .action((place: string, { sameInstallation = false }: { readonly sameInstallation?: boolean }) =>
      call((config) => restore(place, sameInstallation, config)),
    );
};

async function restore(word: string, sameInstallation: boolean, config: Config): Promise<number> {
  const place = placeOf(word, config);
  const started = stopwatch();
  const record = await withProgress('restore', ({ update }) =>
    restoreBackup(storeOf(config), place, { sameInstallation, onStep: update }),
  );
  console.log(`restore: ${contentOf(record)}, ${secondsSince(started)}`);
  console.log(`  the store holds the state of ${record.taken_at}, read back and compared`);
  console.log(
    sameInstallation
      ? '  it takes the place of the store that was backed up'
      : '  it is a new installation, which may run beside the one that was backed up',
  );
  return 0;
}
