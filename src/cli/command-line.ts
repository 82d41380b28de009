import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, CommanderError, Help, type Option } from 'commander';
import { CodedError, isDiskFull } from '../base/errors.ts';
import { loadConfig, settingWarnings } from '../config.ts';
import { EXIT_FAILED, EXIT_USAGE, type Work } from './command.ts';
import { COMMANDS } from './commands.ts';

/**
 * Runs one command and says on standard error what went wrong.
 *
 * @param words the command's name and what follows it
 * @returns exit code: 0 done; 1 failed; 2 wrong usage; 3 done with refused input
 */
export async function commandLine(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await runCommand(words, { ...settingsOfFile(), ...environment });
  } catch (error) {
    return explain(error);
  }
}

/** `.env` of the working directory; what the environment sets counts over it. */
function settingsOfFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch {
    return {};
  }
}

async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  let exitCode = 0;
  const call = async (work: Work): Promise<void> => {
    for (const warning of settingWarnings(environment)) console.error(`warning: ${warning}`);
    const config = loadConfig(environment);
    exitCode = await work(config);
  };
  const program = new Command('tigraph')
    .description('A self-hosted trading intelligence graph.')
    .addHelpText(
      'after',
      '\nSettings come from the environment; docs/operating.md lists them.\nExit codes: 0 done, 1 failed, 2 the call is wrong, 3 done but some of the input was refused.',
    )
    .configureHelp({ optionDescription: (option) => withNeed(option, new Help().optionDescription(option)) })
    .exitOverride()
    // Options behind the name of a command are that command's.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'tigraph: ')),
    });
  const [first, second] = words;
  const named = first === 'help' ? second : first;
  for (const { name, summary, greeting, load } of COMMANDS) {
    const command = program.command(name).summary(summary.split('. ', 1)[0]!).description(summary);
    command.showHelpAfterError(`See npm run tigraph -- ${name} --help.`);
    // The options of the others need not be known.
    if (name !== named) continue;
    const isHelp = first === 'help' || words.includes('--help') || words.includes('-h');
    if (greeting !== undefined && !isHelp) console.log(greeting(loadConfig(environment)));
    (await load()).define(command, call);
  }
  await program.parseAsync(words, { from: 'user' });
  return exitCode;
}

const withNeed = ({ mandatory }: Option, description: string): string =>
  mandatory ? `${description} (required)` : description;

/** One sentence for an error that the user can fix, the stack for a defect. */
function explain(error: unknown): number {
  // It has said what was wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (isDiskFull(error)) {
    console.error(
      'tigraph: the disk is full; what was acknowledged is safe. Make room and run the same command again.',
    );
    return EXIT_FAILED;
  }
  if (error instanceof CodedError) {
    const isCall = error.kind === 'refused';
    console.error(`tigraph: ${error.message}${isCall ? '' : ` (${error.code})`}`);
    return isCall ? EXIT_USAGE : EXIT_FAILED;
  }
  console.error(error);
  return EXIT_FAILED;
}
