import type { Command } from './command.ts';
import { importData } from './import.ts';
import { realData } from './real-data.ts';
import { serve } from './serve.ts';
import { simulate } from './simulate.ts';
import { sync } from './sync.ts';

/** Every word of the command line, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [serve, importData, simulate, sync, realData].map((command) => [command.name, command]),
);

export function usage(): string {
  const lines = [...COMMANDS.values()].map(
    ({ usage, summary }) => `  ${usage.replaceAll('\n', '\n  ')}\n      ${summary}`,
  );
  return `tigraph: a self-hosted trading intelligence graph\n\n${lines.join('\n\n')}\n\nSettings come from the environment; the README lists them.`;
}
