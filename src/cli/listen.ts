import type { AddressInfo } from 'node:net';
import { isExplorerBuilt } from '../api/server/explorer.ts';
import type { App } from '../app.ts';
import { CodedError } from '../base/errors.ts';
import { atMost, realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { shownSymbol } from '../market/market-view.ts';

export type Server = Awaited<ReturnType<App['server']>>;

/**
 * Opens the port for as long as some work takes. However the work ends, requests in flight are waited for up to a limit,
 * and the port is closed: what fails behind it must not leave a process that neither serves nor ends.
 *
 * @throws CodedError bad_setting with a sentence that says what to set; what the work throws
 */
export async function whileListening(
  server: Server,
  config: Config,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      throw new CodedError('bad_setting', listenFault(error, config), { cause: error });
    });
    await work();
  } finally {
    await closeServer(server, config);
  }
}

function listenFault(error: NodeJS.ErrnoException, { host, port }: Config): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken on ${host}: set PORT to another one.`;
  if (error.code === 'EACCES') return `Port ${port} may not be opened by this user: set PORT above 1023.`;
  return `Cannot listen on ${host}:${port}: ${error.message}`;
}

export function announce(server: Server, symbols: readonly string[]): void {
  const symbol = shownSymbol(symbols);
  for (const { address, port } of server.addresses() as AddressInfo[]) {
    const base = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    console.log(`tigraph serves at ${base}`);
    if (isExplorerBuilt()) console.log(`  Explorer       ${base}/`);
    console.log(`  documentation  ${base}/docs`);
    if (symbol !== undefined) {
      console.log(
        `  a first look   ${base}/api/graph/v1/stocks/${encodeURIComponent(symbol)}?include=levels,patterns`,
      );
    }
  }
}

/** Closes the port, and waits for requests in flight up to a limit. */
export async function closeServer(server: Server, { shutdownGraceMs }: Config): Promise<void> {
  await atMost(realTimers, shutdownGraceMs, server.close());
}
