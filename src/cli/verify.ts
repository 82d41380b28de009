import { parseArgs } from 'node:util';
import { stopwatch } from '../base/timers.ts';
import { verifyBackup } from '../pipeline/verify-backup.ts';
import { contentOf } from './backup.ts';
import type { Run } from './command.ts';
import { placeOption } from './place-option.ts';
import { secondsSince } from './print.ts';
import { showProgress } from './progress.ts';

export const run: Run = async (words, config) => {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const place = placeOption(positionals, config);
  const started = stopwatch();
  const progress = showProgress('verify');
  const record = await verifyBackup(place, ({ done, total, detail }) =>
    progress.update(done, total, detail),
  ).finally(() => progress.end());
  console.log(`verify: ${contentOf(record)} as of ${record.taken_at}, whole, ${secondsSince(started)}`);
  return 0;
};
