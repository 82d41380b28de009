/**
 * The yardstick of a hot answer: a Fastify route that sends a constant Buffer and does nothing else. The parent
 * sends the bytes; it gets the port. `/metrics` has the one figure that the parent reads of both servers.
 */
import Fastify from 'fastify';

const app = Fastify();
const body = await new Promise<Buffer>((resolve) => {
  process.once('message', (text: string) => resolve(Buffer.from(text)));
});
app.get('/stock', (_, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(body);
});
app.get('/metrics', () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send!(app.addresses()[0]!.port);
process.on('disconnect', () => process.exit(0));
