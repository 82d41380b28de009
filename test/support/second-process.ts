import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Another process that has a data directory open; see `database-process.ts` for the orders it takes. */
export interface SecondProcess {
  readonly child: ChildProcess;
  tell(order: string): void;
  /** The next line it says; null when it has ended. */
  line(): Promise<string | null>;
  /** Waits until it has ended. */
  ended(): Promise<void>;
  /** Ends it as a power cut would, as far as a process can. */
  kill(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./database-process.ts', import.meta.url));

/** Starts the process; its first line is `open`. @param fault at which it kills itself: `TIGRAPH_FAULT` */
export function startProcess(dataDirectory: string, fault = ''): SecondProcess {
  const child = spawn(process.execPath, [SCRIPT, dataDirectory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TIGRAPH_FAULT: fault },
  });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.on('error', () => {});
  return {
    child,
    tell: (order) => void child.stdin.write(`${order}\n`),
    async line() {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    async ended() {
      await exit;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
