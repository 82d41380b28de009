import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '../pipeline/restore-backup.ts';
import { contentOf, refuseBucket } from './backup.ts';
import type { Run } from './command.ts';
import { onlyWord } from './options.ts';
import { secondsSince } from './print.ts';
import { showProgress } from './progress.ts';

export const run: Run = async (words, config) => {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const directory = resolve(onlyWord(positionals, 'the directory of a backup'));
  refuseBucket(config);
  const started = performance.now();
  const progress = showProgress('restore');
  const record = await restoreBackup(config, directory, ({ done, total, detail }) =>
    progress.update(done, total, detail),
  ).finally(() => progress.end());
  console.log(`restore: ${contentOf(record)}, ${secondsSince(started)}`);
  console.log(`  the store holds the state of ${record.taken_at}, read back and compared`);
  return 0;
};
