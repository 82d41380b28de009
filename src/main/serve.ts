import type { AddressInfo } from 'node:net';
import { CodedError } from '../base/errors.ts';
import type { Config } from '../config.ts';
import { keepGraphFresh } from '../sync/schedule.ts';
import type { Run } from './command.ts';
import { simulateInto } from './simulate.ts';
import { withApp } from './with-app.ts';

/** The market that a first start builds, so that there is something to look at before any data is imported. */
const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5 };

export const run: Run = async (_words, config) => {
  // Loaded while the database opens; whoever needs it first waits for the rest.
  void import('../http/server.ts');
  return withApp(config, async (app) => {
    const symbols = await app.world.tape.symbols();
    if (symbols.length === 0) {
      console.log('The data directory is empty: building a simulated market to look at.');
      await simulateInto(app, FIRST_MARKET);
    }
    // Until here the first signal ends the process at once, which no work in progress minds.
    const stop = stopSignal();
    const server = await app.server();
    await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      throw new CodedError('bad_setting', listenFault(error, config), { cause: error });
    });
    const refresh = keepGraphFresh(app.world, (error) =>
      server.log.error({ err: error }, 'keeping the graph fresh'),
    );
    announce(server.addresses() as AddressInfo[], (await app.world.tape.symbols())[0]);
    await stop;
    await refresh.stop();
    await closeWithin(server.close(), config.shutdownGraceMs);
    return 0;
  });
};

function listenFault(error: NodeJS.ErrnoException, { host, port }: Config): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken on ${host}: set PORT to another one.`;
  if (error.code === 'EACCES') return `Port ${port} may not be opened by this user: set PORT above 1023.`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

function announce(addresses: readonly AddressInfo[], symbol: string | undefined): void {
  for (const { address, port } of addresses) {
    const base = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    console.log(`tigraph serves at ${base}`);
    console.log(`  documentation  ${base}/docs`);
    if (symbol !== undefined) {
      console.log(
        `  a first look   ${base}/api/graph/v1/stocks/${encodeURIComponent(symbol)}?include=levels,patterns`,
      );
    }
  }
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (): void => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
}

/** Waits for requests in flight, but not for ever. */
async function closeWithin(closing: PromiseLike<unknown>, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([closing, grace]);
  clearTimeout(timer);
}
