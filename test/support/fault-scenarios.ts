import { hash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { dropKeys } from '../../src/api/access/changes.ts';
import {
  createClient,
  createGrant,
  listClients,
  listGrants,
  revokeClient,
  revokeGrant,
} from '../../src/api/access/clients.ts';
import { type App, openApi } from '../../src/app.ts';
import { RunQueue } from '../../src/backtests/run-queue.ts';
import { onRunChange } from '../../src/backtests/run-rows.ts';
import { takeBacktestSlices } from '../../src/backtests/slices.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { steppingClock } from '../../src/base/clock.ts';
import type { FaultPoint } from '../../src/base/fault-points.ts';
import { commandLine } from '../../src/cli/command-line.ts';
import { LIVE_SOURCES } from '../../src/cli/live-sources.ts';
import { sessionOfDirectory } from '../../src/cli/taped-session.ts';
import { loadConfig } from '../../src/config.ts';
import { hasCluster, openDatabase } from '../../src/database/database.ts';
import { migrate, readMigrations } from '../../src/database/migrate.ts';
import { restoringFile } from '../../src/database/unfinished-restore.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { takeDayWork } from '../../src/pipeline/day-work.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { bringHistoriesUpToDate } from '../../src/pipeline/history-pass.ts';
import { keepLive } from '../../src/pipeline/keep-live.ts';
import { bringRecordsUpToDate } from '../../src/pipeline/record-pass.ts';
import { openRetention } from '../../src/pipeline/retention.ts';
import { bringStatesUpToDate } from '../../src/pipeline/state-pass.ts';
import { openTextPass } from '../../src/pipeline/text-pass.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import { WIDE } from './access.ts';
import { fireAndDeliver, keepRule } from './alert-deliveries.ts';
import { feedOf } from './app.ts';
import { RUNS } from './backtests.ts';
import { lettersAnswer, openProvider, providerSettings } from './embeddings-provider.ts';
import { dailyBars, minuteBars } from './market.ts';
import { manyNews, newsDelivery, syncNews } from './news-market.ts';
import { PEER_SYMBOLS, peerMarket } from './peer-market.ts';
import { inSteps, withMinutes } from './replayed.ts';

/**
 * Work that is killed at the fault points that it passes. It runs in a process of its own (`fault-process.ts`), and again
 * in another one: the second finishes what the first has left, by what an operator or a service would do.
 */
export interface FaultScenario {
  /** What it needs beside this program, and the points that no scenario without it passes. */
  readonly engine?: { readonly kind: Engine; readonly points: readonly FaultPoint[] };
  /** Makes what every run begins with: a copy, or with an engine the same made again. */
  prepare(place: Place): Promise<void>;
  /**
   * @param acknowledge takes a query that finds a row from now on: what a caller was told, as a question to the store
   */
  work(place: Place, acknowledge: (query: string) => void): Promise<void>;
  /** Does the same in another way, after which every answer must be the same. */
  otherwise?(place: Place): Promise<void>;
  /** Whether it is killed at each of its points, also at those that an earlier scenario passes. */
  readonly everyPoint?: true;
  /** Makes a store of what was done, where that is something else. */
  settle?(place: Place): Promise<void>;
}

/** `bucket` is an S3-compatible store, `desk` a PostgreSQL server with NATS. */
export type Engine = 'bucket' | 'desk';

/** The directory of one run. */
export interface Place {
  /** Data directory of the store whose answers are compared. */
  readonly data: string;
  /** Names what the run has outside of its directory. */
  readonly id: string;
  /** Another directory, for what goes beside it. */
  beside(name: string): string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Wednesday before the open: the clock of every scenario but that of the running session. */
const NOW = '2024-03-06T12:00:00Z';
const END = '2024-03-05';
const MARKET = ['--symbols', '3', '--days', '60', '--ticks', '1', '--seed', '7'];
const SYMBOLS = ['ACME', 'BETA', 'GAMA', 'DELT'];
/** Often enough for the tenth passage. */
const TIMES = 11;
const times = Array.from({ length: TIMES }, (_, index) => index);

export function placeIn(directory: string, engine?: Engine): Place {
  const data = join(directory, 'data');
  return {
    data,
    id: `fault-${hash('md5', directory)}`,
    beside: (name) => join(directory, name),
    get settings() {
      return {
        TIGRAPH_DATA_DIR: data,
        DATABASE_URL: '',
        LOG_LEVEL: 'silent',
        TIGRAPH_WORKERS: '1',
        TIGRAPH_NOW: NOW,
        QUERY_TIMEOUT_MS: '60000',
        TIGRAPH_LOOP_DELAY_MAX_MS: '0',
        ...(engine === 'bucket' && bucketSettings(this.id)),
        ...(engine === 'desk' && deskSettings(this.id)),
      };
    },
  };
}

const bucketSettings = (bucket: string) => ({
  TIGRAPH_TAPE: `s3://${bucket}/tape`,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'the-secret',
  AWS_ENDPOINT_URL_S3: process.env.TIGRAPH_TEST_S3!,
});

function deskSettings(database: string) {
  const address = new URL(process.env.TIGRAPH_TEST_DATABASE!);
  address.pathname = `/${database}`;
  return { DATABASE_URL: address.href, NATS_URL: process.env.TIGRAPH_TEST_NATS! };
}

/** Engines that this run of tests has. */
export const enginesHere = (): Engine[] => [
  ...(process.env.TIGRAPH_TEST_S3 === undefined ? [] : (['bucket'] as const)),
  ...(process.env.TIGRAPH_TEST_NATS === undefined ? [] : (['desk'] as const)),
];

async function command(settings: Place['settings'], ...words: string[]): Promise<void> {
  const code = await commandLine(words, { ...process.env, ...settings });
  if (code !== 0) throw new Error(`tigraph ${words.join(' ')} ended with ${code}`);
}

async function withAppOn<T>(
  { settings }: Place,
  work: (app: App) => Promise<T>,
  clock?: ReturnType<typeof steppingClock>,
): Promise<T> {
  const app = await openApi(loadConfig(settings), { clock });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** A store with its schema and nothing in it. */
async function emptyStore({ settings }: Place, migrations = readMigrations().length): Promise<void> {
  const database = await openDatabase(loadConfig(settings));
  await migrate(database, readMigrations().slice(0, migrations));
  await database.close();
}

const simulate = (place: Place, end = END): Promise<void> =>
  command(place.settings, 'simulate', ...MARKET, '--minutes', '2', '--end', end);

/** Feeds that come one after the other: bars, and a news item of each. */
const deliveries = () =>
  times.map((index) => {
    const symbol = SYMBOLS[index % SYMBOLS.length]!;
    const at = `2024-02-${String(index + 10).padStart(2, '0')}T15:00:00Z`;
    const news = { symbol, at, headline: `Item ${index} of ${symbol}` };
    const day = at.slice(0, 10);
    return feedOf(
      {
        bars: [dailyBars(symbol, '2023-12-01', day), minuteBars(symbol, day, day)],
        news: [newsDelivery(news)],
      },
      `feed-${index}`,
    );
  });

async function importDeliveries(app: App, acknowledge: (query: string) => void): Promise<void> {
  for (const feed of deliveries()) {
    await importFeed(app.context, feed);
    acknowledge(`select from tape_unit where feed = '${feed.name}' and key = 'news'`);
    acknowledge(`select from reported_fact where feed = '${feed.name}'`);
  }
}

export const FAULT_SCENARIOS: Readonly<Record<string, FaultScenario>> = {
  'a first start': {
    async prepare() {},
    work: ({ settings }) => command(settings, 'client', 'list'),
  },

  'a newer program on an older store': {
    async prepare(place) {
      await emptyStore(place, 12);
      const database = await openDatabase({ dataDirectory: place.data });
      await createClient(database, 'of the older program', 0);
      await database.close();
    },
    async work({ settings }, acknowledge) {
      acknowledge(`select from access_client where name = 'of the older program'`);
      await command(settings, 'client', 'list');
    },
  },

  'simulate and sync': {
    prepare: emptyStore,
    async work(place, acknowledge) {
      await simulate(place);
      acknowledge('select from tape_unit');
      acknowledge(`select from stock_day where trade_date = '${END}' and symbol = 'SIMX'`);
      await command(place.settings, 'sync', '--from', '2024-02-16', '--to', '2024-03-04');
      acknowledge(`select from stock_day where trade_date = '2024-02-16' and symbol = 'SIMX'`);
      acknowledge(`select from stock_state_source where symbol = 'SIMX'`);
    },
  },

  'passes over stocks with peers': {
    async prepare(place) {
      await emptyStore(place);
      const market = feedOf({ bars: peerMarket('2022-01-03', END) });
      await withAppOn(place, async ({ context: { tape } }) => {
        await importFeed({ tape }, market);
        await tape.clearDirtyRanges(await tape.touched());
      });
    },
    work: (place, acknowledge) =>
      withAppOn(place, async ({ context }) => {
        // Each in a month of its own.
        for (const date of newYorkCalendar()
          .sessionsBetween('2023-04-03', END)
          .filter((_, at) => at % 21 === 0)) {
          await syncGraph(context, { kind: 'range', from: date, to: date });
          acknowledge(`select from stock_day where trade_date = '${date}' having count(*) >= 12`);
          acknowledge(`select from peer_day where trade_date = '${date}'`);
          await bringRecordsUpToDate(context, { range: { from: date, to: date }, kinds: ['pattern'] });
          acknowledge(`select from claim_day where trade_date = '${date}'`);
        }
        for (const symbol of PEER_SYMBOLS) {
          await bringStatesUpToDate(context, { symbols: [symbol] });
          acknowledge(`select from stock_state_source where symbol = '${symbol}'`);
        }
        await bringHistoriesUpToDate({ ...context, historySessions: 20 });
        // Whose markets a pass settles.
        await syncGraph(context, { kind: 'touched' });
        acknowledge('select from scalar_history');
      }),
  },

  'screen rows of an older program': {
    async prepare(place) {
      await simulate(place);
      await command(place.settings, 'sync', '--from', '2024-01-22', '--to', END);
      const database = await openDatabase({ dataDirectory: place.data });
      await database.query(`update screen_row set catalogue = 'of an older program'`);
      await database.query('delete from screen_catalogue');
      await database.close();
    },
    work: ({ settings }) => command(settings, 'sync'),
  },

  imports: {
    prepare: emptyStore,
    async work(place, acknowledge) {
      await withAppOn(place, (app) => importDeliveries(app, acknowledge));
      await command(place.settings, 'sync');
    },
  },

  uploads: {
    everyPoint: true,
    async prepare(place) {
      await emptyStore(place);
      await mkdir(place.beside('brought'));
      for (const [name, text] of Object.entries(broughtFiles()))
        await writeFile(join(place.beside('brought'), name), text);
    },
    async work(place, acknowledge) {
      await withAppOn(place, async (app) => {
        const server = await app.server();
        for (const name of Object.keys(broughtFiles())) {
          await bringOver(app, server, join(place.beside('brought'), name));
          acknowledge(`select from tape_unit where feed = 'files' and key = '${name}'`);
        }
        await server.close();
      });
      await command(place.settings, 'sync');
    },
    async otherwise(place) {
      for (const name of Object.keys(broughtFiles()))
        await command(place.settings, 'import', join(place.beside('brought'), name));
      await command(place.settings, 'sync');
    },
  },

  'a running session': {
    async prepare(place) {
      const source = { ...place.settings, TIGRAPH_DATA_DIR: place.beside('source') };
      await command(source, 'simulate', ...MARKET, '--minutes', '2', '--end', END);
      await emptyStore(place);
    },
    async work(place, acknowledge) {
      const calendar = newYorkCalendar();
      const session = calendar.session(END)!;
      const what = { date: END, symbols: null };
      const taped = await sessionOfDirectory(place.beside('source'), what, loadConfig(place.settings));
      const liveFeed = taped.recording.liveFeed.bind(taped.recording);
      // Hour by hour, and without the daily bars: the tape sums them once the session has ended.
      Object.assign(taped.recording, {
        liveFeed: (...about: Parameters<typeof liveFeed>) =>
          withMinutes(
            inSteps(liveFeed(...about), (instant) => instant % 3_600_000 === 0),
            async function* (minutes) {
              for await (const minute of minutes) {
                const isDaily = (one: Delivery): boolean => one.kind === 'bars' && one.interval === '1d';
                yield { ...minute, deliveries: minute.deliveries.filter((one) => !isDaily(one)) };
              }
            },
          ),
      });
      const work = async ({ context, leases }: App): Promise<void> => {
        const { live } = context;
        let newest: number | null = null;
        Object.defineProperty(live, 'at', {
          get: () => newest,
          set(at: number | null) {
            newest = at;
            if (at === null) return;
            const instant = new Date(at).toISOString();
            // Its rows are in files, once the session has ended.
            acknowledge(
              `select where exists (select from running_minute where at >= '${instant}')
                 or exists (select from tape_slice where kind = 'bars-1m' and last_day >= date '${END}' - date '1970-01-01')`,
            );
          },
        });
        const scope = context.scope.child('live');
        await new Promise<void>((resolve, reject) => {
          const log = {
            info: (_: object, says: string) => void (/has ended|is on the tape/.test(says) && resolve()),
            warn() {},
            error: ({ err }: { readonly err?: unknown }) => reject(err as Error),
          };
          keepLive(scope, context, leases, LIVE_SOURCES.recording(taped), log).catch(reject);
        });
        await scope.close();
        // As the scheduler does after a session.
        await context.clock.until(session.postClose);
        await context.tape.finalizeEnded();
        await syncGraph({ ...context, delayMs: 0 }, { kind: 'touched' });
      };
      await withAppOn(place, work, steppingClock(session.preOpen));
      // What the next start does first.
      await command(place.settings, 'sync');
    },
  },

  alerts: {
    everyPoint: true,
    async prepare(place) {
      await emptyStore(place);
      const database = await openDatabase({ dataDirectory: place.data });
      await keepRule(database);
      await database.close();
    },
    async work(place, acknowledge) {
      const settings = { ...place.settings, TIGRAPH_ALERTS_PRIVATE: 'true' };
      await withAppOn({ ...place, settings }, (app) =>
        fireAndDeliver(app.context, place.beside('received'), acknowledge),
      );
    },
  },

  access: {
    prepare: emptyStore,
    work: (place, acknowledge) => withAppOn(place, (app) => giveAccess(app, acknowledge)),
  },

  backtests: {
    async prepare(place) {
      await emptyStore(place);
      const bars = ['ACME', 'BETA'].flatMap((symbol) => [
        dailyBars(symbol, '2023-06-01', END),
        minuteBars(symbol, '2024-02-20', END),
      ]);
      await withAppOn(place, ({ context }) => importFeed(context, feedOf({ bars })));
    },
    work: (place, acknowledge) => withAppOn(place, (app) => runBacktests(app, acknowledge)),
  },

  texts: {
    async prepare(place) {
      await emptyStore(place);
      await withAppOn(place, (app) => syncNews(app, manyNews(150)));
    },
    async work(place, acknowledge) {
      const provider = await openProvider((call) => lettersAnswer(call));
      for (const model of ['first', 'second', 'third', 'fourth']) {
        const settings = { ...place.settings, ...providerSettings(provider, model) };
        await withAppOn({ ...place, settings }, async ({ context }) => {
          const { failed } = await openTextPass(context)();
          if (failed > 0) throw new Error(`${failed} texts failed`);
        });
        acknowledge(`select from text_vector having count(*) > 150`);
      }
      provider.stop();
    },
  },

  retention: {
    async prepare(place) {
      await emptyStore(place);
      await withAppOn(place, (app) => syncNews(app, manyNews(4)));
      await command(place.settings, 'sync', '--from', '2024-01-02', '--to', '2024-01-19');
      // Days of many stocks, without an hour to derive them.
      const database = await openDatabase({ dataDirectory: place.data });
      await database.query(
        `insert into stock_day (symbol, trade_date, as_of, digest)
         select 'S' || n, '2024-01-03', '2024-01-03T21:00:00Z', 'd' from generate_series(1, 1000) n`,
      );
      await database.query(
        `insert into fact (symbol, trade_date, block, value)
         select 'S' || n, '2024-01-03', 'core', '{}' from generate_series(1, 1000) n`,
      );
      await database.close();
    },
    async work(place) {
      const settings = { ...place.settings, TIGRAPH_KEEP_MONTHS: '1' };
      await withAppOn({ ...place, settings }, ({ context }) =>
        openRetention(context)(new AbortController().signal),
      );
    },
  },

  backup: {
    async prepare(place) {
      await emptyStore(place);
      await withAppOn(place, (app) => importDeliveries(app, () => {}));
    },
    async work(place) {
      const backup = place.beside('backup');
      // With its record it is whole, and refuses another one.
      if (!existsSync(join(backup, 'backup.json'))) await command(place.settings, 'backup', backup);
    },
    async settle({ data, settings, beside }) {
      await command(settings, 'verify', beside('backup'));
      // The answers are those of the backup.
      await rm(data, { recursive: true });
      await command(settings, 'restore', beside('backup'));
    },
  },

  restore: {
    async prepare(place) {
      const source = { ...place.settings, TIGRAPH_DATA_DIR: place.beside('source') };
      const app = await openApi(loadConfig(source));
      await importDeliveries(app, () => {});
      await app.close();
      await command(source, 'backup', place.beside('backup'));
    },
    async work({ data, settings, beside }) {
      // Without the mark of a restore that has not finished it is a store like any other.
      if (!hasCluster(data) || existsSync(restoringFile(data)))
        await command(settings, 'restore', beside('backup'));
      await command(settings, 'client', 'list');
    },
  },

  'a tape and a backup in a bucket': {
    engine: {
      kind: 'bucket',
      points: ['installation.named', 'prefix.marked', 'segment.uploaded', 'backup.part-stored'],
    },
    async prepare(place) {
      await fetch(`${process.env.TIGRAPH_TEST_S3}/${place.id}`, { method: 'PUT' });
      await emptyStore(place);
      const database = await openDatabase({ dataDirectory: place.data });
      await database.query(MEGABYTES);
      await database.close();
    },
    async work(place, acknowledge) {
      await withAppOn(place, (app) => importDeliveries(app, acknowledge));
      const backup = `s3://${place.id}/backup`;
      const isWhole = (await commandLine(['verify', backup], { ...process.env, ...place.settings })) === 0;
      if (!isWhole) await command(place.settings, 'backup', backup);
    },
    settle: ({ id, settings }) => command(settings, 'verify', `s3://${id}/backup`),
  },

  'a desk': {
    engine: {
      kind: 'desk',
      points: [
        'month.created',
        'month.dropped',
        'slice.committed',
        'slices.dropped',
        'announcements.published',
      ],
    },
    async prepare(place) {
      const client = new pg.Client({ connectionString: process.env.TIGRAPH_TEST_DATABASE });
      await client.connect();
      await client.query(`create database "${place.id}"`);
      await client.end();
      await emptyStore(place);
      const bars = ['ACME', 'BETA'].flatMap((symbol) => [
        dailyBars(symbol, '2023-01-03', END),
        minuteBars(symbol, '2024-02-20', END),
      ]);
      await withAppOn(place, async ({ context: { tape } }) => {
        await importFeed({ tape }, feedOf({ bars }));
        await tape.clearDirtyRanges(await tape.touched());
      });
    },
    work: (place, acknowledge) => withAppOn(place, (app) => workAsDesk(app, acknowledge)),
  },
};

/** Facts that compress to nothing smaller, more than an upload in one piece takes. */
const MEGABYTES = `insert into fact (symbol, trade_date, block, value)
  select 'R' || n, '2020-01-02', 'core', (select string_agg(decode(md5(n || ' ' || k), 'hex'), '') from generate_series(1, 65536) k)
  from generate_series(1, 40) n`;

/** Minutes of a stock, and news of it. */
function broughtFiles(): Readonly<Record<string, string>> {
  const { columns } = minuteBars('ACME', '2024-02-12', '2024-02-16');
  const rows = Array.from(columns.time, (time, row) =>
    [
      new Date(time).toISOString(),
      ...(['open', 'high', 'low', 'close', 'volume'] as const).map((name) => columns[name][row]!),
    ].join(),
  );
  // From the open of a session, so that a time is seen to be that at which its minute begins.
  const bars = rows.filter((row) => row.slice(11) >= '14:30');
  const news = times.map((index) => {
    const at = `2024-02-16T15:${10 + index}:00Z`;
    const said = { published_at: at, headline: `Item ${index}`, source: 'Wire' };
    return JSON.stringify({ kind: 'news', symbol: 'ACME', known_at: at, ...said });
  });
  return {
    'ACME.csv': ['time,open,high,low,close,volume', ...bars, ''].join('\n'),
    'news.jsonl': `${news.join('\n')}\n`,
  };
}

/** Brings a file over HTTP in eleven parts and imports it, as the page does. A killed process has forgotten it. */
async function bringOver(app: App, server: FastifyInstance, path: string): Promise<void> {
  const bytes = await readFile(path);
  const call = async (method: 'GET' | 'POST', url: string, payload: object = {}) => {
    const answer = await server.inject({ method, url: `${UPLOADS}${url}`, payload });
    if (answer.statusCode !== 200) throw new Error(`an upload was answered with ${answer.body}`);
    return answer.json();
  };
  const { id } = await call('POST', '', { name: basename(path), bytes: bytes.length });
  const size = Math.ceil(bytes.length / TIMES);
  for (let offset = 0; offset < bytes.length; offset += size) {
    const base64 = bytes.subarray(offset, offset + size).toString('base64');
    await call('POST', `/${id}/parts`, { offset, base64 });
  }
  await app.idle();
  await call('POST', `/${id}/start`);
  await app.idle();
  const { state, message } = await call('GET', `/${id}`);
  if (state !== 'imported') throw new Error(`an upload is ${state}: ${message}`);
}

const UPLOADS = '/api/internal/imports';
const EXCHANGE = '/api/graph/v1/chart-agent-auth/token';

/** Clients, grants, revocations and tokens: of each client the half that a killed process has left is made whole. */
async function giveAccess(app: App, acknowledge: (query: string) => void): Promise<void> {
  const { database } = app.context;
  const now = Date.parse(NOW);
  for (const index of times) {
    const name = `desk-${index}`;
    const found = (await listClients(database)).find((each) => each.name === name);
    const client = found ?? (await createClient(database, name, now)).client;
    acknowledge(`select from access_client where name = '${name}'`);
    const granted = await listGrants(database, client.id);
    const grant = granted[0] ?? (await createGrant(database, client.id, WIDE, now));
    acknowledge(`select from access_grant where client_id = '${client.id}'`);
    await revokeGrant(database, grant.id, now);
    acknowledge(`select from access_grant where id = '${grant.id}' and revoked_at is not null`);
    await revokeClient(database, client.id, now);
    acknowledge(`select from access_client where id = '${client.id}' and revoked_at is not null`);
  }
  for (const _ of times) await exchangeAndCall(app);
}

/** A secret is known to the process alone that made it, so each takes a client of its own. */
async function exchangeAndCall(app: App): Promise<void> {
  const { database } = app.context;
  const server = await app.server();
  const { client, secret } = await createClient(database, `caller-${randomUUID()}`, Date.now());
  const grant = await createGrant(database, client.id, { ...WIDE, callsPerDay: 100 }, Date.now());
  const credentials = { client_id: client.id, client_secret: secret, grant_id: grant.id };
  const payload = { ...credentials, agent_id: 'agent', scopes: ['stock:read'], ttl_seconds: 300 };
  const answer = await server.inject({ method: 'POST', url: EXCHANGE, payload });
  const headers = { authorization: `Bearer ${answer.json().access_token}` };
  const { statusCode } = await server.inject({ url: '/api/graph/v1/symbols', headers });
  if (statusCode !== 200) throw new Error(`a call with a fresh token was answered with ${statusCode}`);
  await server.close();
  await dropKeys(database);
}

/** Passes and backtests whose work goes over the bus, and the months that are kept. */
async function workAsDesk(app: App, acknowledge: (query: string) => void): Promise<void> {
  const { context } = app;
  const bus = context.bus!;
  const scope = context.scope.child('worker');
  takeDayWork(scope, context, bus, 1);
  takeBacktestSlices(scope, context, bus);
  for (const date of newYorkCalendar()
    .sessionsBetween('2023-04-03', END)
    .filter((_, at) => at % 21 === 0))
    await syncGraph(context, { kind: 'range', from: date, to: date });
  const server = await app.server({ executesBacktests: false });
  for (const mark of times.slice(1)) await requestRun(server, mark, acknowledge);
  await executeAll(context, server);
  await openRetention({ ...context, keepMonths: 2 })(new AbortController().signal);
  await server.close();
  await scope.close();
}

/** Ten runs that are cancelled, and ten that are executed. A caller without an answer asks what has come of its request. */
async function runBacktests(app: App, acknowledge: (query: string) => void): Promise<void> {
  const { context } = app;
  const server = await app.server({ executesBacktests: false });
  const ten = times.slice(1);
  for (const mark of ten) {
    const id = await requestRun(server, mark, acknowledge);
    const { statusCode } = await server.inject({ method: 'DELETE', url: `${RUNS}/${id}` });
    if (statusCode >= 300) throw new Error(`a cancellation was answered with ${statusCode}`);
    acknowledge(`select from backtest_run where id = '${id}' and status = 'cancelled'`);
  }
  for (const mark of ten) await requestRun(server, TIMES + mark, acknowledge);
  // Processes that close while they compute.
  const silent = { ...context.backtester, walk: () => new Promise<never>(() => {}) };
  for (const _ of times) {
    if (!(await hasOpenRuns(server))) break;
    const [taken, stop] = await nextChange(context.database, (status) => status === 'running');
    const queue = await RunQueue.open({ ...context, backtester: silent }, QUEUE_LIMITS);
    await taken;
    await queue.close();
    stop();
  }
  await executeAll(context, server);
  for (const { id } of await runsOf(server))
    acknowledge(`select from backtest_run where id = '${id}' and status in ('completed', 'cancelled')`);
  await server.close();
}

const QUEUE_LIMITS = { leaseMs: 1_000, heartbeatMs: 1, pollIntervalMs: 50, attemptsMax: 100 };

/** A run by its mark: the one that is there, or a new one. */
async function requestRun(
  server: FastifyInstance,
  mark: number,
  acknowledge: (query: string) => void,
): Promise<string> {
  const known = (await runsOf(server)).find((run) => run.request.slippage_bps === mark);
  const id = known?.id ?? (await post(server, mark));
  acknowledge(`select from backtest_run where id = '${id}'`);
  return id;
}

const hasOpenRuns = async (server: FastifyInstance): Promise<boolean> =>
  (await runsOf(server)).some(({ status }) => status === 'pending' || status === 'running');

async function executeAll(context: App['context'], server: FastifyInstance): Promise<void> {
  const [ended, stop] = await nextChange(context.database, async () => !(await hasOpenRuns(server)));
  const queue = await RunQueue.open(context, QUEUE_LIMITS);
  if (await hasOpenRuns(server)) await ended;
  stop();
  // The files of the last run go after its end is announced.
  await context.scope.idle();
  await queue.close();
}

/** Resolves at the first change of a run that is wanted; with the way to stop listening. */
async function nextChange(
  database: App['context']['database'],
  isWanted: (status: string) => boolean | Promise<boolean>,
): Promise<[changed: Promise<void>, stop: () => void]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async (status: string): Promise<void> => {
    if (await isWanted(status)) resolve();
  };
  const stop = await onRunChange(
    database,
    (_, status) => void look(status),
    () => void look(''),
  );
  return [promise, stop];
}

interface ListedRun {
  readonly id: string;
  readonly status: string;
  readonly request: { readonly slippage_bps: number };
}

const runsOf = async (server: FastifyInstance): Promise<ListedRun[]> =>
  (await server.inject({ url: `${RUNS}?limit=100` })).json().runs;

/** @param slippageBps by which a run is known again */
async function post(server: FastifyInstance, slippageBps: number): Promise<string> {
  const payload = {
    symbols: ['ACME', 'BETA'],
    start_date: '2024-02-20',
    end_date: END,
    signal_types: ['vwap_touch'],
    stop_atr_range: [1],
    target_atr_range: [1, 2],
    slippage_bps: slippageBps,
  };
  const answer = await server.inject({ method: 'POST', url: RUNS, payload });
  if (answer.statusCode >= 300) throw new Error(`a run was answered with ${answer.body}`);
  return answer.json().id;
}
