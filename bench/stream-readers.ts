/**
 * The process that reads streams: plain sockets that note when the last byte of each `change` has come and look at
 * nothing else, so that reading costs less than writing. `soak.ts` starts it.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What to read: one connection for each list of symbols. */
export interface Reading {
  readonly port: number;
  readonly lists: readonly (readonly string[])[];
}

/** When changes came, milliseconds since 1970-01-01 with fractions, and what besides. */
export interface Arrivals {
  readonly times: readonly number[];
  readonly bytes: number;
  /** Connections that are open. */
  readonly open: number;
  readonly snapshots: number;
  readonly gaps: number;
}

const NAMES = ['change', 'snapshot', 'gap'] as const;
const BLOCK_END = '\n\n';
const READ_BYTES = 262_144;
/** After this long without a change or a snapshot a burst is taken for over. */
const QUIET_MS = 1_000;

let times: number[] = [];
let bytes = 0;
let open = 0;
const seen = { change: 0, snapshot: 0, gap: 0 };
let lastBlockAt = 0;

const now = (): number => performance.timeOrigin + performance.now();

/** Follows the blocks of one stream by their ends; the beginning of a block says which event it is. */
function follower(): (chunk: Buffer, length: number) => void {
  let beginning = '';
  let lastByte = 0;
  const end = (at: number): void => {
    const name = /event: (\w+)/.exec(beginning)?.[1];
    beginning = '';
    if (name === 'change') times.push(at);
    if (name === 'change' || name === 'snapshot') lastBlockAt = at;
    for (const known of NAMES) if (known === name) seen[known]++;
  };
  return (chunk, length) => {
    const at = now();
    bytes += length;
    const text = chunk.subarray(0, length);
    let from = 0;
    if (lastByte === 10 && text[0] === 10) {
      end(at);
      from = 1;
    }
    for (;;) {
      // The length of each chunk of the transfer stands before a block; it is shorter than this.
      if (beginning.length < 40) beginning += text.toString('latin1', from, from + 40);
      const stop = text.indexOf(BLOCK_END, from);
      if (stop < 0) break;
      end(at);
      from = stop + BLOCK_END.length;
    }
    lastByte = text[length - 1]!;
  };
}

function read(port: number, symbols: readonly string[]): void {
  const take = follower();
  const path = `/api/graph/v1/stream?symbols=${symbols.map(encodeURIComponent).join()}`;
  const socket = connect(
    {
      port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.alloc(READ_BYTES),
        callback: (length, chunk) => {
          take(chunk as Buffer, length);
          return true;
        },
      },
    },
    () => {
      open++;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
    },
  );
  socket.on('close', () => open--);
  socket.on('error', () => {});
}

async function untilQuiet(): Promise<Arrivals> {
  while (lastBlockAt === 0 || now() - lastBlockAt < QUIET_MS) await delay(20);
  const arrivals = { times, bytes, open, snapshots: seen.snapshot, gaps: seen.gap };
  times = [];
  bytes = 0;
  lastBlockAt = 0;
  return arrivals;
}

if (import.meta.main) {
  process.on('message', async (message: Reading | 'arrivals') => {
    if (message === 'arrivals') process.send!(await untilQuiet());
    else for (const symbols of message.lists) read(message.port, symbols);
  });
  process.on('disconnect', () => process.exit(0));
}
