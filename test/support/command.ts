import { type ChildProcess, spawn } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { resolve } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { commandLine } from '../../src/cli/command-line.ts';

// Commands lower the priority of their process for good. Here that is the process of the tests, and what it starts inherits it.
os.setPriority = () => {};
syncBuiltinESMExports();

const PROGRAM = resolve(import.meta.dirname, '../../bin/tigraph');

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a separate process. */
export function startCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  cwd?: string,
): { process: ChildProcess; ended: Promise<CommandResult>; output: () => string } {
  const child = spawn(PROGRAM, words, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
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

/** The command line in this process, without a second to start one; for what needs no signal and no end of a process. */
export async function callCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const code = await commandLine(words, { ...process.env, ...settings });
    const text = ({ mock }: typeof out): string => mock.calls.map((parts) => `${parts.join(' ')}\n`).join('');
    return { code, stdout: text(out), stderr: text(error) };
  } finally {
    out.mockRestore();
    error.mockRestore();
  }
}
