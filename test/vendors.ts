/**
 * The official clients of Alpaca and Massive against the doubles that the live vendors are tested with: programs that nobody
 * here wrote connect, page, subscribe and decode them. They come from the npm registry into a folder that is thrown away,
 * and from PyPI into one that stays; without a registry, or without Python, it says so and skips.
 *
 *   npm run test:vendors
 */
import { deepStrictEqual as equal, match, rejects } from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { AlpacaDouble } from './support/vendors/alpaca.ts';
import { contractsOf } from './support/vendors/contracts.ts';
import { marketOfDouble } from './support/vendors/market.ts';
import { MassiveDouble } from './support/vendors/massive.ts';
import { ticksOf } from './support/vendors/ticks.ts';

const CLIENTS = ['@alpacahq/alpaca-trade-api@4.0.2', '@massive.com/client-js@10.8.0'];
const PYTHON_CLIENTS = ['alpaca-py==0.44.0', 'massive==2.9.1'];
const DATE = '2024-03-05';

// biome-ignore lint/suspicious/noExplicitAny: their types are not here, and what they answer is compared whole.
type Theirs = any;

const folder = mkdtempSync(join(tmpdir(), 'tigraph-clients-'));
writeFileSync(join(folder, 'package.json'), '{"private":true}');
const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
const { status } = spawnSync('npm', ['install', ...options, ...CLIENTS], { cwd: folder, stdio: 'ignore' });
if (status !== 0) console.log('skipped: the npm registry has not given the official clients');
else await checkAll();
rmSync(folder, { recursive: true, force: true });
const python = pythonWithClients();
if (python === null)
  console.log('skipped: there is no Python here, or PyPI has not given the official clients');
else await checkPython(python);

async function checkAll(): Promise<void> {
  const load = createRequire(join(folder, 'package.json'));
  const market = await marketOfDouble(DATE, 5, 1);
  const session = newYorkCalendar().session(DATE)!;
  const now = (): number => session.end;
  const symbols = [...market.minutes.keys()].sort();
  const [symbol] = symbols as [string];
  const at = market.minutes.get(symbol)!.find(({ time }) => time >= session.open)!.time + 60_000;
  const ofSession = market.minutes.get(symbol)!.filter(({ time }) => time >= session.preOpen);

  const { Alpaca } = load('@alpacahq/alpaca-trade-api') as { Alpaca: new (settings: object) => Theirs };
  const double = new AlpacaDouble(market, now, { pageRows: Math.ceil(ofSession.length / 3) });
  await double.listen();
  const { keyId, secretKey } = double;
  const fetchApi = (url: string, init: RequestInit) =>
    fetch(url.replace(/^https:\/\/[^/]+/, double.url), init);
  const alpaca = new Alpaca({ keyId, secret: secretKey, fetchApi });
  const question = {
    symbols: symbol,
    timeframe: '1Min',
    start: new Date(session.preOpen),
    end: new Date(session.postClose),
  };
  double.faults.push({ status: 429, headers: { 'retry-after': '0' } });
  const bySymbol = await alpaca.marketData.collectStockBarsBySymbol(question);
  const bars = (bySymbol[symbol] ?? bySymbol.get(symbol)) as Record<string, Theirs>[];
  const rowOf = (bar: Theirs) => [
    Date.parse(bar.timestamp ?? bar.t),
    bar.open ?? bar.o,
    bar.high ?? bar.h,
    bar.low ?? bar.l,
    bar.close ?? bar.c,
    bar.volume ?? bar.v,
  ];
  const row = ({ time, open, high, low, close, volume }: (typeof ofSession)[number]) => [
    time,
    open,
    high,
    low,
    close,
    volume,
  ];
  equal(bars.map(rowOf), ofSession.map(row));
  equal(double.calls.length, 4);
  console.log(`Alpaca's client reads ${bars.length} bars on three pages after a 429`);

  const wrong = new Alpaca({ keyId, secret: 'wrong', fetchApi, retry: false });
  await rejects(wrong.marketData.collectStockBarsBySymbol(question));
  console.log("Alpaca's client is refused with a wrong secret");

  const streamed: Theirs[] = [];
  const errors: string[] = [];
  const url = `${double.access.streamUrl}/v2/iex`;
  const stream = alpaca.marketData.stockStream({ feed: 'iex', url });
  stream.onBar((bar: Theirs) => streamed.push(bar));
  stream.onError((error: unknown) => errors.push(String(error)));
  stream.onConnect(() => stream.subscribeForBars(symbols));
  const subscribed = double.subscribed();
  stream.connect();
  await subscribed;
  double.push(double.barsOf(at));
  await double.taken();
  const again = double.subscribed();
  double.sockets[0]!.cut();
  await again;
  double.push(double.barsOf(at + 60_000));
  await double.taken();
  await new Promise((resolve) => void setImmediate(resolve));
  equal(streamed.length, double.barsOf(at).length + double.barsOf(at + 60_000).length);
  const first = streamed.find((bar) => bar.symbol === symbol);
  equal(
    [first.open, first.close, first.volume],
    ((bar) => [bar.open, bar.close, bar.volume])(ofSession.find(({ time }) => time + 60_000 === at)!),
  );
  const isGone = double.gone();
  stream.disconnect();
  await isGone;
  console.log(
    `Alpaca's client decodes ${streamed.length} bars in MessagePack, and subscribes again after a cut`,
  );

  double.settings = { symbolsMax: 1, limitsBars: true };
  const limited = alpaca.marketData.stockStream({ feed: 'iex', url });
  const limit = new Promise<string>((resolve) =>
    limited.onError((error: Theirs) => resolve(JSON.stringify([String(error), error]))),
  );
  limited.onConnect(() => limited.subscribeForBars(symbols));
  limited.connect();
  match(await limit, /405|symbol limit/);
  const isLimitedGone = double.gone();
  limited.disconnect();
  await isLimitedGone;
  double.settings = { connectionsMax: 0 };
  const second = alpaca.marketData.stockStream({ feed: 'iex', url });
  const held = new Promise<string>((resolve) =>
    second.onError((error: Theirs) => resolve(JSON.stringify([String(error), error]))),
  );
  second.connect();
  match(await held, /406|connection limit/);
  second.disconnect();
  await double.close();
  console.log("Alpaca's client reports 405 and 406");

  const { restClient, websocketClient } = (await import(
    pathToFileURL(join(folder, 'node_modules/@massive.com/client-js/dist/main.js')).href
  )) as {
    restClient: Theirs;
    websocketClient: Theirs;
  };
  const massive = new MassiveDouble(market, now, { pageRows: ofSession.length + 1 });
  await massive.listen();
  const rest = restClient(massive.apiKey, massive.url);
  const range = {
    stocksTicker: symbol,
    multiplier: 1,
    timespan: 'minute',
    from: String(session.preOpen),
    to: String(session.postClose),
  };
  const answer = await rest.getStocksAggregates(range);
  const { results } = answer.data ?? answer;
  equal(
    results.map(({ t, o, h, l, c, v }: Theirs) => [t, o, h, l, c, v]),
    ofSession.map(row),
  );
  await rejects(restClient('wrong', massive.url).getStocksAggregates(range));
  console.log(`Massive's client reads ${results.length} bars, and is refused with a wrong key`);

  const socket = websocketClient(massive.apiKey, massive.access.streamUrl).stocks();
  const heard: Theirs[] = [];
  const asked = massive.subscribed();
  const isHeard = new Promise<void>((resolve) => {
    socket.onmessage = ({ data }: Theirs) => {
      heard.push(...JSON.parse(data));
      const { ev, status: said } = heard.at(-1);
      if (said === 'auth_success') {
        socket.send(JSON.stringify({ action: 'subscribe', params: `AM.${symbol}` }));
      }
      if (ev === 'AM') resolve();
    };
  });
  await asked;
  massive.push(massive.barsOf(at));
  await isHeard;
  equal(
    heard.find(({ ev }) => ev === 'AM'),
    massive.barsOf(at).find((bar) => (bar as { sym: string }).sym === symbol),
  );
  socket.close();
  await massive.close();
  console.log("Massive's client authenticates, subscribes and decodes a minute");
}

/** A Python that has the clients, from the second run on without a registry; null where there can be none. */
function pythonWithClients(): string | null {
  const venv = join(tmpdir(), `tigraph-${PYTHON_CLIENTS.join('-')}`);
  const [python, mark] = [join(venv, 'bin/python'), join(venv, 'complete')];
  if (existsSync(mark)) return python;
  const done = (words: readonly [string, ...string[]]): boolean =>
    spawnSync(words[0], words.slice(1), { stdio: 'ignore' }).status === 0;
  const isHere =
    done(['python3', '-m', 'venv', '--clear', venv]) &&
    done([python, '-m', 'pip', 'install', '--quiet', ...PYTHON_CLIENTS]);
  if (!isHere) return null;
  writeFileSync(mark, '');
  return python;
}

async function checkPython(python: string): Promise<void> {
  const simulated = await marketOfDouble(DATE, 5, 1);
  const session = newYorkCalendar().session(DATE)!;
  const now = (): number => session.end;
  const [symbol] = [...simulated.minutes.keys()].sort() as [string];
  const [from, to] = [session.open, session.open + 30 * 60_000];
  const bars = simulated.minutes.get(symbol)!.filter(({ time }) => time >= from && time < to);
  const ticks = new Map([[symbol, ticksOf(bars, 1)]]);
  const market = { ...simulated, ticks, options: (of: string) => contractsOf(of, 100, 600) };
  const { trades, quotes } = ticks.get(symbol)!;
  const contracts = contractsOf(symbol, 100, 600);
  const row = ({ time, open, high, low, close, volume }: (typeof bars)[number]) => [
    time,
    open,
    high,
    low,
    close,
    volume,
  ];
  const minute = { from: from + 60_000, to: from + 120_000 };
  const isIn = ({ time }: { readonly time: number }): boolean => time >= minute.from && time < minute.to;
  const doubles = {
    alpaca: new AlpacaDouble(market, now, { pageRows: 11 }),
    massive: new MassiveDouble(market, now, { pageRows: 11 }),
  };
  for (const [name, double] of Object.entries(doubles)) {
    await double.listen();
    const messages = [...double.ticksOf(minute.from, minute.to), ...double.barsOf(minute.to)].filter(
      (message) => Object.values(message).includes(symbol),
    );
    const stream = double.access.streamUrl + (name === 'alpaca' ? '/v2/sip' : '');
    const key = double instanceof AlpacaDouble ? double.keyId : double.apiKey;
    const about = {
      ...{ url: double.url, stream, key, secret: 'double-secret', symbol },
      ...{ from, to: to - 1, rows: messages.length },
    };
    const script = fileURLToPath(new URL('support/vendors/clients.py', import.meta.url));
    const subscribed = double.subscribed();
    const reading = promisify(execFile)(python, [script, name, JSON.stringify(about)], { timeout: 120_000 });
    await Promise.race([subscribed, reading]);
    // Massive's subscription is one message; of Alpaca's channels each has its own answer.
    double.push(messages);
    const read = JSON.parse((await reading).stdout) as Record<string, Theirs>;
    equal(read.bars, bars.map(row));
    equal(
      read.trades,
      trades.map(({ id, time, price, size }) => [id, time, price, size]),
    );
    equal(read.refused, true);
    const prefix = name === 'massive' ? 'O:' : '';
    equal(
      Object.keys(read.chain as object).sort(),
      contracts.map((contract) => prefix + contract.name).sort(),
    );
    const streamed = (kind: string): Theirs[] =>
      read.streamed.filter(([of]: [string]) => of === kind).map(([, values]: [string, Theirs]) => values);
    equal(streamed('bar'), bars.filter(isIn).map(row));
    equal(
      streamed('trade').map((values) => values.slice(0, 4)),
      trades.filter(isIn).map(({ id, time, price, size }) => [id, time, price, size]),
    );
    equal(
      streamed('quote'),
      quotes.filter(isIn).map(({ time, bid, ask }) => [time, bid, ask]),
    );
    await double.close();
    console.log(
      `${name === 'alpaca' ? 'alpaca-py' : 'massive (PyPI)'} reads ${bars.length} bars, ${trades.length} trades with ids beyond 2^53 and ${contracts.length} contracts in pages, decodes ${messages.length} streamed messages, and is refused with a wrong key`,
    );
  }
}
