import { commandLine } from './cli/command-line.ts';

process.exitCode = await commandLine(process.argv.slice(2), process.env);
