import { parseArgs } from 'node:util';
import { CodedError } from '../base/errors.ts';
import type { Run } from './command.ts';
import { withApp } from './with-app.ts';

/** Characters of a piece of work on one line. */
const SHOWN_MAX = 120;

/** Control characters, which a message of somebody else may hold, as their codes. */
const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: { json: { type: 'boolean' }, clear: { type: 'boolean' } },
  });
  if (config.natsUrl === undefined) {
    throw new CodedError('bad_setting', 'Only work over NATS can become a dead letter: set NATS_URL.');
  }
  return withApp(config, async ({ context }) => {
    const bus = context.bus!;
    const letters = await bus.deadLetters();
    if (values.json) console.log(JSON.stringify(letters, null, 2));
    else if (letters.length === 0) console.log('no dead letters');
    else {
      for (const { queue, work, error, tries, failedAt } of letters) {
        console.log(
          `${new Date(failedAt).toISOString()} ${printable(queue)}, ${tries} tries: ${printable(error ?? 'its process ended each time')}`,
        );
        console.log(`  ${printable(work.length > SHOWN_MAX ? `${work.slice(0, SHOWN_MAX)}…` : work)}`);
      }
    }
    if (values.clear) await bus.clearDeadLetters();
    return 0;
  });
};
