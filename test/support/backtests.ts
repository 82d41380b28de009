import type { FastifyInstance } from 'fastify';
import type { App } from '../../src/app.ts';

/** Optimisation runs over HTTP, as a caller requests them. */

export const RUNS = '/api/graph/v1/backtest/optimize';

/** A run as it is answered. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export type WireRun = Record<string, any>;

export async function postRun(
  server: FastifyInstance,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return server.inject({ method: 'POST', url: RUNS, headers, payload: body as object });
}

export async function readRun(
  server: FastifyInstance,
  id: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<WireRun> {
  return (await server.inject({ url: `${RUNS}/${id}${query}`, headers })).json();
}

/** A run once nothing is left to do. */
export async function runOver(
  { app, server }: { readonly app: App; readonly server: FastifyInstance },
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<WireRun> {
  await app.idle();
  return readRun(server, id, '?include=grid', headers);
}
