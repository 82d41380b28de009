/**
 * The process that asks: plain sockets that are kept alive, one request under way on each, answers counted by
 * their content-length and otherwise left alone, so that asking costs less than answering. `load.ts` starts it.
 */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Load, LoadResult } from './load.ts';

/** Status line and headers of an answer fit in here. */
const HEAD_BYTES = 4_096;
const READ_BYTES = 65_536;
/** Latencies kept; a steady load that is longer keeps its first ones. */
const LATENCIES_MAX = 2_000_000;

interface Line {
  ask(request: Buffer): void;
  close(): void;
}

/** One connection; `onAnswer` is called when an answer has arrived to its last byte. */
function openLine(
  port: number,
  onAnswer: (line: Line, status: number, bytes: number) => void,
): Promise<Line> {
  let head = '';
  let bodyLeft = 0;
  let bytes = 0;
  let status = 0;
  const take = (length: number, chunk: Buffer): boolean => {
    bytes += length;
    let bodyRead = length;
    if (bodyLeft === 0) {
      const text = head + chunk.toString('latin1', 0, Math.min(length, HEAD_BYTES));
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) {
        head = text;
        return true;
      }
      status = Number(text.slice(9, 12));
      bodyLeft = Number(/content-length: (\d+)/i.exec(text.slice(0, end))![1]);
      bodyRead = length - (end + 4 - head.length);
      head = '';
    }
    bodyLeft -= bodyRead;
    if (bodyLeft === 0) {
      const whole = bytes;
      bytes = 0;
      onAnswer(line, status, whole);
    }
    return true;
  };
  let socket: Socket;
  const line: Line = { ask: (request) => void socket.write(request), close: () => socket.destroy() };
  return new Promise((resolve, reject) => {
    const options: TcpNetConnectOpts = {
      port,
      host: '127.0.0.1',
      noDelay: true,
      // The same memory for every chunk: a client that allocates is a client that collects garbage.
      onread: {
        buffer: Buffer.alloc(READ_BYTES),
        callback: (length, chunk) => take(length, chunk as Buffer),
      },
    };
    socket = connect(options, () => resolve(line));
    socket.once('error', reject);
  });
}

/** Which request is next; goes on from load to load, so that a list that is long is asked to its end. */
let at = 0;

const requestsOf = ({ paths, port, post }: Load): Buffer[] => {
  const body = post?.body ?? '';
  const sent = post && { ...post.headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(sent ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = post === undefined ? 'GET' : 'POST';
  return paths.map((path) =>
    Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n${body}`),
  );
};

class Tally {
  answers = 0;
  refused = 0;
  busy = 0;
  bytes = 0;
  #latencies = new Float64Array(1_024);
  #counted = 0;

  add(status: number, bytes: number, latencyMs: number): void {
    this.answers++;
    this.bytes += bytes;
    if (status !== 200) this.refused++;
    if (status === 503) this.busy++;
    if (this.#counted === LATENCIES_MAX) return;
    if (this.#counted === this.#latencies.length) {
      const longer = new Float64Array(this.#latencies.length * 2);
      longer.set(this.#latencies);
      this.#latencies = longer;
    }
    this.#latencies[this.#counted++] = latencyMs;
  }

  clear(): void {
    this.answers = this.refused = this.busy = this.bytes = this.#counted = 0;
  }

  result(seconds: number, cpuSeconds: number): LoadResult {
    const sorted = this.#latencies.subarray(0, this.#counted).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      answers: this.answers,
      refused: this.refused,
      busy: this.busy,
      bytes: this.bytes,
      seconds,
      clientCpuSeconds: cpuSeconds,
      latencyMs: { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: sorted.at(-1) ?? 0 },
    };
  }
}

/** Every connection asks again as soon as it has its answer: what the server can do at most. */
async function atFullSpeed(load: Load): Promise<LoadResult> {
  const requests = requestsOf(load);
  const asked = new Map<Line, number>();
  let over = false;
  const tally = new Tally();
  const ask = (line: Line): void => {
    asked.set(line, performance.now());
    line.ask(requests[at++ % requests.length]!);
  };
  const lines = await openLines(load, (line, status, bytes) => {
    tally.add(status, bytes, performance.now() - asked.get(line)!);
    if (!over) ask(line);
  });
  for (const line of lines) ask(line);
  const result = await measured(load.seconds, tally);
  over = true;
  for (const line of lines) line.close();
  return result;
}

/**
 * So many requests a second whatever the answers take: a request that finds every connection busy waits, and its
 * latency counts from when it should have been sent.
 */
async function atRate(load: Load, ratePerSecond: number): Promise<LoadResult> {
  const requests = requestsOf(load);
  const idle: Line[] = [];
  const waiting: number[] = [];
  const asked = new Map<Line, number>();
  const tally = new Tally();
  const ask = (line: Line, since: number): void => {
    asked.set(line, since);
    line.ask(requests[at++ % requests.length]!);
  };
  const lines = await openLines(load, (line, status, bytes) => {
    tally.add(status, bytes, performance.now() - asked.get(line)!);
    const since = waiting.shift();
    if (since === undefined) idle.push(line);
    else ask(line, since);
  });
  idle.push(...lines);
  const start = performance.now();
  let sent = 0;
  const tick = setInterval(() => {
    const now = performance.now();
    for (const due = ((now - start) / 1000) * ratePerSecond; sent < due; sent++) {
      // The one that has waited longest: a service closes connections that say nothing.
      const line = idle.shift();
      if (line === undefined) waiting.push(now);
      else ask(line, now);
    }
  }, 1);
  await delay((load.leadSeconds ?? 0) * 1000);
  tally.clear();
  const result = await measured(load.seconds, tally);
  clearInterval(tick);
  for (const line of lines) line.close();
  return result;
}

const openLines = (
  load: Load,
  onAnswer: (line: Line, status: number, bytes: number) => void,
): Promise<Line[]> =>
  Promise.all(Array.from({ length: load.connections }, () => openLine(load.port, onAnswer)));

async function measured(seconds: number, tally: Tally): Promise<LoadResult> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  await delay(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  return tally.result((performance.now() - start) / 1000, (user + system) / 1e6);
}

process.on('message', async (load: Load) => {
  const result = await (load.ratePerSecond === undefined
    ? atFullSpeed(load)
    : atRate(load, load.ratePerSecond));
  process.send!(result);
});
