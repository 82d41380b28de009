import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const MAIN = resolve(import.meta.dirname, '../../src/main.ts');

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a process of its own. */
export function startCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): { process: ChildProcess; ended: Promise<CommandResult>; output: () => string } {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, DATABASE_URL: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  const ended = new Promise<CommandResult>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { process: child, ended, output: () => stdout + stderr };
}

export const runCommand = (
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult> => startCommand(words, settings).ended;
