import { CodedError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { Config } from '../config.ts';
import type { Define } from './command.ts';
import { withStore } from './with-app.ts';

/** Characters of a piece of work on one line. */
const SHOWN_MAX = 120;

interface Options {
  readonly json?: boolean;
  readonly clear?: boolean;
}

export const define: Define = (command, call) => {
  command
    .option('--json', 'as JSON')
    .option('--clear', 'forgets the letters')
    .action((options: Options) => call((config) => showLetters(options, config)));
};

async function showLetters({ json, clear }: Options, config: Config): Promise<number> {
  if (config.natsUrl === undefined) {
    throw new CodedError('bad_setting', 'Only work over NATS can become a dead letter: set NATS_URL.');
  }
  return withStore(config, async ({ context }) => {
    const bus = context.bus!;
    const letters = await bus.deadLetters();
    if (json) console.log(JSON.stringify(letters, null, 2));
    else if (letters.length === 0) console.log('no dead letters');
    else {
      for (const { queue, work, error, tries, failedAt } of letters) {
        console.log(
          `${new Date(failedAt).toISOString()} ${printable(queue)}, ${tries} tries: ${printable(error ?? 'its process ended each time')}`,
        );
        console.log(`  ${printable(work.length > SHOWN_MAX ? `${work.slice(0, SHOWN_MAX)}…` : work)}`);
      }
    }
    if (clear) await bus.clearDeadLetters();
    return 0;
  });
}
