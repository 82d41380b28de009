/**
 * Promises: a call of a tool over HTTP adds less than 3 ms at the median to the route that it asks; 500 calls a second
 * over 50 connections are answered without a refusal, in memory that stays; `tigraph mcp` lists its tools within 1.5 s of
 * its start, on data of its own too.
 */
import { createInterface } from 'node:readline';
import { startLoader } from './load.ts';
import { type Service, startService, startSpoken } from './program.ts';
import { type BenchLine, median, ms } from './report.ts';
import { copyOfUniverse, FIVE_HUNDRED, removeFolder, symbolsOf } from './universe.ts';

const API = '/api/graph/v1';
const REVISION = '2026-07-28';
const ADDED_PROMISED_MS = 3;
const CALLS = 400;
const WARM_UP = 100;
const RATE = 500;
const CONNECTIONS = 50;
const WARM_SECONDS = 12;
const WATCHED_SECONDS = 5;
/** Share by which memory may grow under a steady load and still be flat. */
const GROWTH_ALLOWED = 0.05;
const STARTS = 5;
const LIST_PROMISED_S = 1.5;

interface Asked {
  readonly tool: string;
  readonly args: object;
  /** The route that the tool asks for it. */
  readonly path: string;
}

const callOf = ({ tool, args }: Pick<Asked, 'tool' | 'args'>) => ({
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const service = await startService(folder);
  try {
    const [symbol] = symbolsOf(folder) as [string];
    const added = await addedBy(service, symbol);
    const steady = await underLoad(service, symbol);
    await service.stop();
    return [...added, ...steady, await firstList(folder)];
  } finally {
    await service.stop();
    removeFolder(folder);
  }
}

/** Tool and route in turn, one at a time. */
async function addedBy({ port }: Service, symbol: string): Promise<BenchLine[]> {
  const stock = `${API}/stocks/${symbol}`;
  const fields = 'last_price,technical.rsi_14';
  const asked: readonly Asked[] = [
    { tool: 'find_symbols', args: { q: 'a' }, path: `${API}/symbols?q=a&limit=20` },
    {
      tool: 'get_stock',
      args: { symbol, fields: fields.split(',') },
      path: `${stock}?fields=${fields},source`,
    },
    { tool: 'get_series', args: { symbol }, path: `${stock}/bars?limit=60` },
    { tool: 'explain', args: { symbol }, path: `${stock}/explain?field=net_confluence` },
  ];
  const lines: BenchLine[] = [];
  for (const one of asked) {
    const call = callOf(one);
    const ways = [
      () => fetch(`http://127.0.0.1:${port}${one.path}`),
      () => fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: call.headers, body: call.body }),
    ];
    const times: [number[], number[]] = [[], []];
    for (let at = 0; at < WARM_UP + CALLS; at++) {
      for (const [way, send] of ways.entries()) {
        const start = performance.now();
        const response = await send();
        const text = await response.text();
        if (!response.ok || text.includes('"isError":true')) throw new Error(`${one.tool}: ${text}`);
        if (at >= WARM_UP) times[way]!.push(performance.now() - start);
      }
    }
    const [route, tool] = times.map(median) as [number, number];
    lines.push({
      promise: `${one.tool} over the route that it asks, median of one at a time`,
      figure: `${ms(tool - route)} more`,
      target: `under ${ADDED_PROMISED_MS} ms`,
      met: tool - route < ADDED_PROMISED_MS,
      note: `${ms(tool)} beside ${ms(route)}, ${CALLS} in turn`,
    });
  }
  return lines;
}

async function underLoad(service: Service, symbol: string): Promise<BenchLine[]> {
  const loader = startLoader();
  const post = callOf({ tool: 'get_stock', args: { symbol, fields: ['last_price', 'technical.rsi_14'] } });
  const load = { port: service.port, paths: ['/mcp'], post, connections: CONNECTIONS, ratePerSecond: RATE };
  const resident = () => service.metric('process_resident_memory_bytes');
  try {
    await loader.run({ ...load, seconds: WARM_SECONDS });
    const before = await resident();
    const { answers, refused, seconds, latencyMs } = await loader.run({ ...load, seconds: WATCHED_SECONDS });
    const growth = (await resident()) / before - 1;
    const rate = answers / seconds;
    return [
      {
        promise: `${RATE} calls a second over ${CONNECTIONS} connections`,
        figure: `${rate.toFixed(0)} answered, ${refused} refused`,
        target: 'all, none',
        met: refused === 0 && rate > 0.98 * RATE,
        note: `p50 ${ms(latencyMs.p50)}, p99 ${ms(latencyMs.p99)}`,
      },
      {
        promise: 'memory meanwhile',
        figure: `${(100 * growth).toFixed(1)} % more`,
        target: `at most ${100 * GROWTH_ALLOWED} %`,
        met: growth <= GROWTH_ALLOWED,
        note: `${(before / 1e6).toFixed(0)} MB after ${WARM_SECONDS} s of the same load, then ${WATCHED_SECONDS} s`,
      },
    ];
  } finally {
    loader.stop();
  }
}

/** From the start of `tigraph mcp` on data of its own to its list of tools. */
async function firstList(folder: string): Promise<BenchLine> {
  const seconds: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const { input, output, stop } = startSpoken(['mcp'], folder);
    const say = (message: object): void =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'bench', version: '1' };
    say({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    for await (const line of createInterface({ input: output })) {
      const { id } = JSON.parse(line) as { id?: number };
      if (id === 2) break;
      say({ method: 'notifications/initialized' });
      say({ id: 2, method: 'tools/list' });
    }
    seconds.push((performance.now() - began) / 1000);
    await stop();
  }
  const middle = median(seconds);
  return {
    promise: 'tigraph mcp on a data directory of 500 symbols, from its start to its list of tools',
    figure: `${middle.toFixed(2)} s`,
    target: `under ${LIST_PROMISED_S} s`,
    met: middle < LIST_PROMISED_S,
    note: `${STARTS} starts, ${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} s`,
  };
}
