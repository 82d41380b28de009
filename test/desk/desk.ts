import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endsWithUs } from '../engines/ends-with-us.ts';
import { freePort } from '../engines/free-port.ts';
import { processStat } from '../engines/process-stat.ts';
import { hasEnded, until, untilEnd } from '../engines/until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/tigraph', import.meta.url));
const READY_WITHIN_MS = 120_000;
/** In order it drains first. */
const ENDS_WITHIN_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;
export type Role = 'all' | 'api' | 'live' | 'worker' | 'scheduler';

/** A process of the program that faults may strike; it keeps its port. */
export class Member {
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly #port: number;
  readonly #environment: Environment;
  readonly #program: string;
  readonly #log: string;
  #process: ChildProcess | null = null;

  /** @param program another version's, for an upgrade */
  private constructor(
    name: string,
    role: Role,
    port: number,
    environment: Environment,
    log: string,
    program: string,
  ) {
    this.name = name;
    this.role = role;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = environment;
    this.#log = log;
    this.#program = program;
  }

  static async of(name: string, role: Role, environment: Environment, program = PROGRAM): Promise<Member> {
    const directory = join(tmpdir(), 'tigraph-desk-logs');
    mkdirSync(directory, { recursive: true });
    return new Member(name, role, await freePort(), environment, join(directory, `${name}.log`), program);
  }

  get isRunning(): boolean {
    return this.#process !== null && !hasEnded(this.#process);
  }

  /** Processor time that it has used, milliseconds. */
  processorMs(): number {
    return processStat(this.#process!.pid!).processorMs;
  }

  /** Starts it, without waiting until it is ready. */
  start(): void {
    const words = this.role === 'all' ? [] : ['--role', this.role];
    const log = createWriteStream(this.#log, { flags: 'a' });
    const child = spawn(this.#program, ['serve', ...words], {
      env: {
        ...process.env,
        ...this.#environment,
        ...(this.#environment.TIGRAPH_TAPE !== '' && {
          // As on a machine of its own.
          TIGRAPH_DATA_DIR: join(this.#environment.TIGRAPH_DATA_DIR!, this.name),
        }),
        PORT: String(this.#port),
        HOST: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.#process = endsWithUs(child);
  }

  async untilReady(): Promise<void> {
    const what = `${this.name} is ready; see ${this.#log}`;
    await until({ what, withinMs: READY_WITHIN_MS, process: this.#process! }, async (signal) => {
      const answer = await fetch(`${this.url}/health/ready`, { signal });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    });
  }

  /** @returns its exit code; null where it did not run, or a signal ended it */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (!this.isRunning) return null;
    this.#process!.kill('SIGCONT');
    this.#process!.kill(signal);
    return untilEnd(this.#process!, this.name, ENDS_WITHIN_MS);
  }

  /** Stops its processor, as a partition or a long pause would. */
  async pause(forMs: number): Promise<void> {
    if (!this.isRunning) return;
    const paused = this.#process!;
    paused.kill('SIGSTOP');
    await delay(forMs);
    paused.kill('SIGCONT');
  }
}

/** What a version of the program consists of, besides its packages. */
export const PROGRAM_PARTS = ['bin', 'src', 'migrations', 'explorer', 'package.json', 'docs'] as const;

/** Makes the parts of a version in a directory a program, with the packages of this one. @returns its path */
export function programIn(directory: string): string {
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(directory, 'node_modules'));
  return join(directory, 'bin', 'tigraph');
}

/** Runs a command of the program, or of another version, to its end. @throws Error with its output when it fails */
export async function command(
  words: readonly string[],
  environment: Environment,
  program = PROGRAM,
): Promise<string> {
  const running = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(running, 'exit');
  if (code !== 0) throw new Error(`tigraph ${words.join(' ')} ended with ${code}: ${output}`);
  return output;
}
