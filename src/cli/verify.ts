import { parseArgs } from 'node:util';
import { CodedError } from '../base/errors.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { OnStep } from '../pipeline/take-backup.ts';
import { verifyBackup } from '../pipeline/verify-backup.ts';
import { type Checked, named, verifyPages, verifyRows, verifyTape } from '../pipeline/verify-store.ts';
import { contentOf } from './backup.ts';
import type { Run } from './command.ts';
import { placeOption } from './place-option.ts';
import { count, secondsSince } from './print.ts';
import { showProgress } from './progress.ts';
import { withApp } from './with-app.ts';

export const run: Run = async (words, config) => {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const started = stopwatch();
  const progress = showProgress('verify');
  const onStep: OnStep = ({ done, total, detail }) => progress.update(done, total, detail);
  if (positionals.length > 0) {
    const place = placeOption(positionals, config);
    const record = await verifyBackup(place, onStep).finally(() => progress.end());
    console.log(`verify: ${contentOf(record)} as of ${record.taken_at}, whole, ${secondsSince(started)}`);
    return 0;
  }
  const { damage, what } = await verifyStore(config, onStep).finally(() => progress.end());
  for (const sentence of damage) console.error(`verify: ${sentence}`);
  if (damage.length === 0) {
    console.log(`verify: ${what}, whole, ${secondsSince(started)}`);
    return 0;
  }
  console.error(
    'verify: the store is damaged. Stop the service and restore the newest backup into another data directory; files of the tape alone are mended by importing their sources again.',
  );
  return 1;
};

/** Checks the live store. Its pages are read first: a damaged database may not open. */
async function verifyStore(
  config: Config,
  onStep: OnStep,
): Promise<{ readonly damage: readonly string[]; readonly what: string }> {
  const { databaseUrl, dataDirectory } = config;
  const pages: Checked =
    databaseUrl === undefined ? await verifyPages(dataDirectory, onStep) : { read: 0, damage: [] };
  if (databaseUrl === undefined && pages.read === 0) {
    throw new CodedError(
      'data_directory_unusable',
      `There is no store in ${dataDirectory}: set TIGRAPH_DATA_DIR, or name a backup.`,
    );
  }
  try {
    return await withApp(config, async ({ context: { database, tape } }) => {
      const rows = await verifyRows(database, onStep);
      const files = await verifyTape(database, tape.location, onStep);
      const inPages = await Promise.all(pages.damage.map((sentence) => named(database, sentence)));
      return {
        damage: [...inPages, ...rows.damage, ...files.damage],
        what: `${pages.read > 0 ? `${count(pages.read)} pages, ` : ''}${count(rows.read)} rows and ${count(files.read)} files of the tape`,
      };
    });
  } catch (error) {
    if (pages.damage.length === 0) throw error;
    return { damage: [...pages.damage, `The database does not open: ${(error as Error).message}`], what: '' };
  }
}
