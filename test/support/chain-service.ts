import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { AccessScope } from '../../src/api/access/scopes.ts';
import type { App } from '../../src/app.ts';
import { midnightUtc } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { bearer, newCredentials, tokenFrom } from './access.ts';
import { bring, freshApp, serverOf } from './app.ts';
import { CHAIN_DATE, type MadeChain, madeChain } from './made-chain.ts';
import { dailyBars, minuteBars } from './market.ts';
import { sessionsBefore } from './views.ts';

/** A service with option chains: of `ACME` two, with bars and history; of `BARE` one and nothing else; of `DRY` none. */
export interface ChainService {
  readonly app: App;
  readonly server: FastifyInstance;
  get(path: string, token?: string): Promise<LightMyRequestResponse>;
  /** A token for the real-time feed with these scopes. */
  token(scopes: readonly AccessScope[]): Promise<string>;
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

/** @param now the clock of the service, which goes away after the last test of the file */
export async function openChainService(now: string): Promise<ChainService> {
  const { app } = await freshApp({ TIGRAPH_NOW: now });
  await bring(app, [
    dailyBars('ACME', '2023-01-03', '2024-03-12'),
    minuteBars('ACME', CHAIN_DATE, CHAIN_DATE),
    chainDelivery({ symbol: 'ACME', clock: NOON_CHAIN, spot: 101 }),
    chainDelivery({ symbol: 'ACME', clock: LATE_CHAIN, spot: 102 }),
    history('ACME'),
    chainDelivery({ symbol: 'BARE', clock: LATE_CHAIN }),
    dailyBars('DRY', '2023-01-03', '2024-03-12'),
  ]);
  await syncGraph(app.context, { kind: 'touched' });
  const server = await serverOf(app);
  return {
    app,
    server,
    get: (path, token) => server.inject({ url: `/api/graph/v1/options/${path}`, headers: bearer(token) }),
    token: async (scopes) => tokenFrom(server, await newCredentials(app.context.database), scopes),
  };
}
