/**
 * The yardstick of a hot answer: Fastify routes that send a constant Buffer and do nothing else. The parent sends
 * the texts, the first is served at `/0`, and gets the port. `/metrics` has the one figure that is asked of both
 * servers.
 */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const app = Fastify();
const texts = await new Promise<string[]>((resolve) => {
  process.once('message', (sent: string[]) => resolve(sent));
});
for (const [at, text] of texts.entries()) {
  const body = Buffer.from(text);
  app.get(`/${at}`, (_, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return reply.send(body);
  });
}
app.get('/metrics', () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send!((app.server.address() as AddressInfo).port);
process.on('disconnect', () => process.exit(0));
