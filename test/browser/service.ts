import type { AddressInfo } from 'node:net';
import type { App } from '../../src/app.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import type { Feed } from '../../src/market/feed.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../src/simulated/feed.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import { openTestApp } from '../support/app.ts';
import { makeTestStore } from '../support/database.ts';

/** The service on the simulated market at a fixed instant, as a browser sees it. */

export const DATE = '2024-03-05';
const NOW = `${DATE}T21:30:00Z`;
export const PAST = `${DATE}T17:00:00Z`;
const MARKET = { symbols: 14, days: 260, seed: 1, minuteSessions: 3, tickSessions: 1 };

export interface Service {
  readonly app: App;
  readonly base: string;
  /** A stock with minutes, an option chain and facts, or the first where none has all; empty without one. */
  readonly symbol: string;
  /** Address of a service on the same store at another instant, which closes with this one. */
  at(now: string): Promise<string>;
  close(): Promise<void>;
}

const simulatedMarket = (): Feed => simulatedFeed({ ...MARKET, end: DATE, calendar: newYorkCalendar() });

let shared: Promise<Service> | undefined;

/** The service that the files of a process share, which ends with it: they add lists, rules and runs, and bring no data. */
export function sharedService(): Promise<Service> {
  shared ??= startService().then((service) => ({ ...service, close: async () => {} }));
  return shared;
}

/** @param feed what the service knows; null for nothing */
export async function startService(
  feed: Feed | null = simulatedMarket(),
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const store = await makeTestStore();
  const closing: (() => Promise<unknown>)[] = [];
  const serve = async (app: App) => {
    const server = await app.server();
    await server.listen({ host: '127.0.0.1', port: 0 });
    closing.push(() => server.close().then(() => app.close()));
    return { server, base: `http://127.0.0.1:${(server.addresses()[0] as AddressInfo).port}` };
  };
  const app = await openTestApp(store, { TIGRAPH_NOW: NOW, ...settings });
  if (feed !== null) await importFeed(app.context, feed);
  await syncGraph(app.context, { kind: 'touched' });
  const { server, base } = await serve(app);
  const answer = await server.inject('/api/graph/v1/symbols?limit=100');
  const { symbols } = answer.json() as {
    symbols: { symbol: string; has: { minute: boolean; chains: boolean; facts: boolean } }[];
  };
  return {
    app,
    base,
    symbol: (symbols.find(({ has }) => has.minute && has.chains && has.facts) ?? symbols[0])?.symbol ?? '',
    at: async (now) => (await serve(await openTestApp(store, { TIGRAPH_NOW: now }))).base,
    async close() {
      for (const close of closing.reverse()) await close();
      await store.remove();
    },
  };
}
