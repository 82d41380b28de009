import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/restore-backup.ts';
import { stopwatch } from '../base/timers.ts';
import { contentOf } from './backup.ts';
import type { Run } from './command.ts';
import { placeOption, storeOf } from './place-option.ts';
import { secondsSince } from './print.ts';
import { showProgress } from './progress.ts';

export const run: Run = async (words, config) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'same-installation': { type: 'boolean', default: false } },
  });
  const place = placeOption(positionals, config);
  const sameInstallation = values['same-installation'];
  const started = stopwatch();
  const progress = showProgress('restore');
  const record = await restoreBackup(storeOf(config), place, {
    sameInstallation,
    onStep: ({ done, total, detail }) => progress.update(done, total, detail),
  }).finally(() => progress.end());
  console.log(`restore: ${contentOf(record)}, ${secondsSince(started)}`);
  console.log(`  the store holds the state of ${record.taken_at}, read back and compared`);
  console.log(
    sameInstallation
      ? '  it takes the place of the store that was backed up'
      : '  it is a new installation, which may run beside the one that was backed up',
  );
  return 0;
};
