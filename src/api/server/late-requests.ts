import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isLate, late } from '../../base/lateness.ts';

export type Receive = (request: IncomingMessage, response: ServerResponse) => void;

const kindOf = (method: string, url: string): string => `request ${method} ${url.split('?')[0]}`;

/** Requests of the network, which arrive late where a test asks for it. */
export function arriveLate(receive: Receive): Receive {
  if (!isLate) return receive;
  return (request, response) => {
    const wait = late(kindOf(request.method!, request.url!));
    if (wait === null) receive(request, response);
    else void wait.then(() => receive(request, response));
  };
}

/** As `arriveLate`, for requests that a test injects: they are late in the framework. */
export function handleLate(app: FastifyInstance): void {
  if (!isLate) return;
  app.addHook('onRequest', async ({ method, url }) => {
    await late(kindOf(method, url));
  });
}
