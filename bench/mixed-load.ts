/**
 * The process that asks as a desk does: every read endpoint in turn, so many requests a second whatever the answers
 * take. A latency counts from when the request was due. `mixed.ts` starts it.
 */
import { Agent, request } from 'node:http';
import type { Asking, KindTally, Tally } from './mixed.ts';
import { EVERY_INCLUDE, STOCKS } from './stock-path.ts';

/** What hangs for longer counts as no answer. */
const PATIENCE_MS = 30_000;
const CONNECTIONS = 64;
/** Latencies kept of each kind. */
const LATENCIES_MAX = 200_000;
const API = '/api/graph/v1';

interface Asked {
  readonly path: string;
  readonly body?: object;
}

type Make = (symbol: string, date: string, call: number, asking: Asking) => Asked;

const KINDS: Readonly<Record<string, Make>> = {
  stock: (symbol) => ({ path: `${STOCKS}/${symbol}` }),
  'stock, every include': (symbol) => ({ path: `${STOCKS}/${symbol}?include=${EVERY_INCLUDE}` }),
  'stock, past date': (symbol, date) => ({ path: `${STOCKS}/${symbol}?date=${date}` }),
  peers: (symbol) => ({ path: `${STOCKS}/${symbol}/peers` }),
  neighbourhood: (symbol) => ({ path: `${API}/graph/${symbol}/neighborhood?depth=2` }),
  'dte scores': (symbol) => ({ path: `${API}/options/${symbol}/dte-scores` }),
  exposure: (symbol) => ({ path: `${API}/options/${symbol}/exposure` }),
  market: () => ({ path: `${API}/market/context` }),
  screen: (_symbol, _date, call) => ({
    path: `${API}/screener`,
    body: { filter: { field: 'last_price', op: '>=', value: call / 1_000 }, sort: [{ field: 'rel_volume' }] },
  }),
  'chat context': (symbol) => ({ path: `${API}/chat/context?page_type=stock_detail&symbol=${symbol}` }),
  verify: (symbol) => ({
    path: `${API}/chat/verify`,
    body: { symbol, text: `${symbol} trades at 101.5 with an RSI of 55 and a relative volume of 1.2.` },
  }),
  diffusion: (_symbol, _date, call, { symbols }) => ({
    path: '/api/internal/graph-diffusion/compute',
    body: { returns: Object.fromEntries(symbols.map((symbol, at) => [symbol, ((at + call) % 7) / 500])) },
  }),
  ready: () => ({ path: '/health/ready' }),
  /** Of the yardstick. */
  bare: () => ({ path: '/0' }),
};

/** The order in which they are asked where none is given, once a second at 25 requests a second. */
const DESK = [
  ...['stock', 'stock, past date', 'neighbourhood', 'screen', 'stock', 'chat context', 'dte scores'],
  ...['stock', 'stock, every include', 'stock, past date', 'peers', 'market', 'stock', 'verify'],
  ...['stock, past date', 'neighbourhood', 'exposure', 'stock', 'stock, every include', 'screen'],
  ...['chat context', 'stock, past date', 'diffusion', 'stock', 'ready'],
];

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let tallies = new Map<string, { statuses: Record<string, number>; latencies: number[] }>();

function note(kind: string, status: string, tookMs: number): void {
  const tally = tallies.getOrInsertComputed(kind, () => ({ statuses: {}, latencies: [] }));
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (tally.latencies.length < LATENCIES_MAX) tally.latencies.push(Math.round(tookMs * 10) / 10);
}

function ask(port: number, kind: string, { path, body }: Asked, dueAt: number): void {
  const options = {
    agent,
    port,
    host: '127.0.0.1',
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  const sent = request(options, (response) => {
    response.resume();
    response.on('end', () => note(kind, String(response.statusCode), performance.now() - dueAt));
  });
  sent.on('error', (error: NodeJS.ErrnoException) =>
    note(kind, error.code ?? error.name, performance.now() - dueAt),
  );
  sent.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Asks until the process is told to stop. */
function begin(asking: Asking): void {
  const { port, symbols, dates, ratePerSecond, round = DESK } = asking;
  const start = performance.now();
  let call = 0;
  setInterval(() => {
    const due = ((performance.now() - start) / 1000) * ratePerSecond;
    for (; call < due; call++) {
      const kind = round[call % round.length]!;
      // Steps without a common measure with the lists: every symbol meets every date in time.
      const symbol = symbols[(call * 7 + Math.floor(call / symbols.length)) % symbols.length]!;
      const date = dates[(call * 11) % dates.length]!;
      ask(port, kind, KINDS[kind]!(symbol, date, call, asking), start + (call / ratePerSecond) * 1000);
    }
  }, 2);
}

/** What has come since it was last told. */
function told(): Tally {
  const tally: [string, KindTally][] = [...tallies];
  tallies = new Map();
  return Object.fromEntries(tally);
}

process.on('message', (message: Asking | 'tell') => {
  if (message === 'tell') process.send!(told());
  else begin(message);
});
process.on('disconnect', () => process.exit(0));
