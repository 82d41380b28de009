import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { AccessScope } from '../../src/api/access/scopes.ts';
import type { App } from '../../src/app.ts';
import { midnightUtc } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../src/pipeline/ingest.ts';
import { newCredentials } from './access.ts';
import { feedOf, openTestApp } from './app.ts';
import { makeTestStore, type TestStore } from './database.ts';
import { CHAIN_DATE, type MadeChain, madeChain } from './made-chain.ts';
import { dailyBars, minuteBars } from './market.ts';
import { sessionsBefore } from './views.ts';

/** A service with option chains: of `ACME` two, with bars and history; of `BARE` one and nothing else; of `DRY` none. */
export interface ChainService {
  readonly store: TestStore;
  readonly app: App;
  readonly server: FastifyInstance;
  get(path: string, token?: string): Promise<LightMyRequestResponse>;
  /** A token for the real-time feed with these scopes. */
  token(scopes: readonly AccessScope[]): Promise<string>;
  close(): Promise<void>;
}

const NOON_CHAIN = '12:00';
const LATE_CHAIN = '15:00';

const skewed: MadeChain = {
  volatility: (moneyness, days) => 0.25 + days / 4000 - 0.1 * moneyness,
  openInterest: (strike, right) => (right > 0 ? (strike > 100 ? 3000 : 500) : strike < 100 ? 4000 : 300),
};

export const chainDelivery = (made: MadeChain) => ({
  kind: 'chain' as const,
  chain: madeChain({ ...skewed, ...made }),
});

function history(symbol: string): Delivery {
  const time = Float64Array.from(sessionsBefore(CHAIN_DATE, 252), midnightUtc);
  const implied = time.map((_, day) => 0.2 + (day % 100) / 1000);
  return { kind: 'volatility', symbol, columns: { time, implied, realised: time.map(() => Number.NaN) } };
}

/** @param now the clock of the service */
export async function openChainService(now: string): Promise<ChainService> {
  const store = await makeTestStore();
  const app = await openTestApp(store, { TIGRAPH_NOW: now });
  await importFeed(
    app.context,
    feedOf({
      acme: [
        dailyBars('ACME', '2023-01-03', '2024-03-12'),
        minuteBars('ACME', CHAIN_DATE, CHAIN_DATE),
        chainDelivery({ symbol: 'ACME', clock: NOON_CHAIN, spot: 101 }),
        chainDelivery({ symbol: 'ACME', clock: LATE_CHAIN, spot: 102 }),
        history('ACME'),
      ],
      bare: [chainDelivery({ symbol: 'BARE', clock: LATE_CHAIN })],
      dry: [dailyBars('DRY', '2023-01-03', '2024-03-12')],
    }),
  );
  await syncGraph(app.context, { kind: 'touched' });
  const server = await app.server();
  const get: ChainService['get'] = (path, token) =>
    server.inject({
      method: 'GET',
      url: `/api/graph/v1/options/${path}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  return {
    store,
    app,
    server,
    get,
    async token(scopes) {
      const credentials = await newCredentials(app.context.database);
      const response = await server.inject({
        method: 'POST',
        url: '/api/graph/v1/chart-agent-auth/token',
        payload: { ...credentials, agent_id: 'a', scopes, ttl_seconds: 600 },
      });
      return response.json().access_token;
    },
    async close() {
      await server.close();
      await app.close();
      await store.remove();
    },
  };
}
