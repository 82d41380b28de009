import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/tigraph', import.meta.url));
const EXIT_REPORT = new URL('./exit-report.ts', import.meta.url).href;
/** Whatever a command does here, after this long it hangs. */
const COMMAND_TIMEOUT_MS = 600_000;
const START_TIMEOUT_MS = 60_000;

/** Those of `bin/tigraph`, for a process that a bench forks in its place. */
export const PROGRAM_SETTINGS = {
  execArgv: [
    '--max-semi-space-size=16',
    `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() >> 1))}`,
  ],
  env: {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/code', import.meta.url)),
  },
};

/** A command of the program that has run to its end. */
export interface CommandRun {
  readonly seconds: number;
  /** Most memory that the process ever held. */
  readonly peakBytes: number;
  readonly cpuSeconds: number;
  readonly output: string;
}

/** Runs one command in a process of its own on a data directory. Throws when it fails. */
export async function runCommand(words: readonly string[], dataDirectory: string): Promise<CommandRun> {
  const start = performance.now();
  const child = startProgram(words, dataDirectory, { PORT: '0' }, ['ignore', 'pipe', 'pipe', 'pipe']);
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
  const texts = ['', '', ''];
  for (const [at, stream] of [child.stdout, child.stderr, child.stdio[3]].entries()) {
    stream!.on('data', (chunk) => {
      texts[at] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const [output, errors, report] = texts as [string, string, string];
  if (code !== 0) throw new Error(`tigraph ${words.join(' ')} ended with ${code}: ${errors}${output}`);
  return { seconds: (performance.now() - start) / 1000, output, ...JSON.parse(report) };
}

/** A command that goes on beside what is measured; what it says is thrown away. */
export interface Beside {
  /** The exit code; null when it was stopped. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

export function startBeside(words: readonly string[], dataDirectory: string): Beside {
  const child = startProgram(words, dataDirectory, { PORT: '0' }, ['ignore', 'ignore', 'ignore', 'ignore']);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { ended, stop: () => stopProgram(child) };
}

/** A service under measurement. */
export interface Service {
  readonly port: number;
  /** From the start of its process to the first good answer of its readiness probe. */
  readonly readySeconds: number;
  /** One figure of its metrics. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the service on any free port and waits until it is ready.
 *
 * @param words the command, which is to serve
 */
export async function startService(
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
  words: readonly string[] = ['serve'],
): Promise<Service> {
  const start = performance.now();
  const child = startProgram(
    words,
    dataDirectory,
    { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...settings },
    ['ignore', 'pipe', 2, 'ignore'],
  );
  try {
    const port = await announcedPort(child);
    await untilReady(port);
    return {
      port,
      readySeconds: (performance.now() - start) / 1000,
      metric: (name) => metricOf(port, name),
      stop: () => stopProgram(child),
    };
  } catch (error) {
    await stopProgram(child);
    throw error;
  }
}

const IDLE_LOOK_MS = 500;
const IDLE_LOOKS_MAX = 60;
/** Of a processor. */
const IDLE_SHARE = 0.1;

/** Waits until a service has done what it does ahead of callers after its start. */
export async function untilIdle({ metric }: Service): Promise<void> {
  const spent = () => metric('process_cpu_seconds_total');
  for (let look = 0, before = await spent(); look < IDLE_LOOKS_MAX; look++) {
    await delay(IDLE_LOOK_MS);
    const now = await spent();
    if ((now - before) * 1000 < IDLE_SHARE * IDLE_LOOK_MS) return;
    before = now;
  }
}

/** The value of a metric that a server on this machine tells at `/metrics`. */
export async function metricOf(port: number, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  if (line === undefined) throw new Error(`the server on port ${port} has no metric ${name}`);
  return Number(line.slice(name.length + 1));
}

/** Starts a command that is spoken to over standard input and output. */
export function startSpoken(words: readonly string[], dataDirectory: string) {
  const child = startProgram(words, dataDirectory, {}, ['pipe', 'pipe', 'ignore', 'ignore']);
  return { input: child.stdin!, output: child.stdout!, stop: () => stopProgram(child) };
}

/** Asks a child to end, waits for it, and insists when it does not. */
async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(timer);
}

/** A bare server that sends each of some texts from a constant Buffer, the first at `/0`. */
export async function startBare(texts: readonly string[]) {
  const child = fork(new URL('./bare-server.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  child.send(texts);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => stopProgram(child) };
}

function startProgram(
  words: readonly string[],
  dataDirectory: string,
  settings: Readonly<Record<string, string>>,
  stdio: StdioOptions,
): ChildProcess {
  // Of a command that reports, descriptor 3 is where.
  const preload =
    (stdio as readonly unknown[])[3] === 'pipe' ? { NODE_OPTIONS: `--import ${EXIT_REPORT}` } : {};
  // A desk's settings must not leak into a measurement.
  const { DATABASE_URL: _, TIGRAPH_PYTHON: __, ...environment } = process.env;
  // The markets of benches have no stored histories, and deriving them would be measured with all else.
  const settled = { TIGRAPH_HISTORY_SESSIONS: '0' };
  const env = { ...environment, ...preload, ...settled, ...settings, TIGRAPH_DATA_DIR: dataDirectory };
  return spawn(PROGRAM, words, { stdio, env });
}

async function announcedPort(child: ChildProcess): Promise<number> {
  let text = '';
  child.stdout!.setEncoding('utf8');
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const gone = once(child, 'exit', { signal: timeout }).then(() => {
    throw new Error('the service ended before it listened');
  });
  gone.catch(() => {});
  for (;;) {
    const [chunk] = await Promise.race([once(child.stdout!, 'data', { signal: timeout }), gone]);
    text += chunk;
    const announced = /serves at http:\/\/[^ ]*:(\d+)/.exec(text);
    if (announced === null) continue;
    child.stdout!.resume();
    return Number(announced[1]);
  }
}

async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    if (performance.now() > deadline) throw new Error('the service did not become ready');
  }
}
