import './base/code-cache.ts';
import { CodedError, isDiskFull } from './base/errors.ts';
import { COMMANDS, unknownCommand, usage } from './cli/commands.ts';
import { loadConfig, settingWarnings } from './config.ts';

/** The command line. Exit codes: 0 done; 1 failed; 2 wrong usage; 3 done with refused input. */
async function main(words: readonly string[]): Promise<number> {
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
  for (const warning of settingWarnings(process.env)) console.error(`warning: ${warning}`);
  const config = loadConfig(process.env);
  if (command.greeting !== undefined) console.log(command.greeting(config));
  const { run } = await command.load();
  return run(rest, config);
}

/** One sentence for an error that the user can fix, the stack for a defect. */
function explain(error: unknown): number {
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
    console.error(`tigraph: ${sentence}. See tigraph ${process.argv[2]} --help.`);
    return 2;
  }
  console.error(error);
  return 1;
}

const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code ?? '').startsWith('ERR_PARSE_ARGS');

process.exitCode = await main(process.argv.slice(2)).catch(explain);
