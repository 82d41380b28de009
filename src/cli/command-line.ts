import { CodedError, isDiskFull } from '../base/errors.ts';
import { loadConfig, settingWarnings } from '../config.ts';
import { COMMANDS, unknownCommand, usage } from './commands.ts';

/**
 * Runs one command and says on standard error what went wrong.
 *
 * @param words the command's name and what follows it
 * @returns exit code: 0 done; 1 failed; 2 wrong usage; 3 done with refused input
 */
export async function commandLine(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await runCommand(words, environment);
  } catch (error) {
    return explain(error, words);
  }
}

async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.get(name);
  if (command === undefined) {
    console.error(unknownCommand(name));
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(`${command.usage}\n\n${command.summary}`);
    return 0;
  }
  for (const warning of settingWarnings(environment)) console.error(`warning: ${warning}`);
  const config = loadConfig(environment);
  if (command.greeting !== undefined) console.log(command.greeting(config));
  const { run } = await command.load();
  return run(rest, config);
}

/** One sentence for an error that the user can fix, the stack for a defect. */
function explain(error: unknown, [name]: readonly string[]): number {
  if (isDiskFull(error)) {
    console.error(
      'tigraph: the disk is full; what was acknowledged is safe. Make room and run the same command again.',
    );
    return 1;
  }
  if (error instanceof CodedError) {
    console.error(`tigraph: ${error.message}`);
    return error.kind === 'refused' ? 2 : 1;
  }
  if (isArgumentError(error)) {
    // After its first sentence the parser explains how to pass a file of that name.
    const [sentence] = error.message.split('. ', 1);
    console.error(`tigraph: ${sentence}. See tigraph ${name} --help.`);
    return 2;
  }
  console.error(error);
  return 1;
}

const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code ?? '').startsWith('ERR_PARSE_ARGS');
