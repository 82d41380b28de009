import type { FastifyRequest } from 'fastify';

export const [LIVE_PROBE, READY_PROBE] = ['/health/live', '/health/ready'] as const;

/** Asked by machines that watch over the service, under any name, who must see it also under a flood. */
export const isProbe = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (url === LIVE_PROBE || url === READY_PROBE);
