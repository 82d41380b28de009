import type { FastifyInstance } from 'fastify';

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

/** Asks again and again, as a caller does, until a run is over; the standings on the way are handed out. */
export async function runOver(
  server: FastifyInstance,
  id: string,
  headers: Readonly<Record<string, string>> = {},
  onLook: (run: WireRun) => void = () => {},
): Promise<WireRun> {
  for (;;) {
    const run = await readRun(server, id, '?include=grid', headers);
    onLook(run);
    if (!['pending', 'running'].includes(run.status)) return run;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
