import { createClient } from '@tigraph/client';

const client = createClient({ baseUrl: process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080' });
const symbols = (process.argv[2] ?? 'SIMX').split(',');
const seconds = Number(process.argv[3] ?? 60);

// It resumes after a cut connection by itself; leaving the loop closes it.
for await (const { event, data } of client.stream(symbols, { signal: AbortSignal.timeout(seconds * 1000) })) {
  if (event === 'snapshot') console.log(`${data.symbol} is at ${data.stock.last_price} (${data.as_of})`);
  else if (event === 'change') console.log(`${data.symbol} changed: ${Object.keys(data.changed).join(', ')}`);
  else if (event === 'event') console.log(`${data.symbol} ${data.type} ${data.subject} ${data.direction}`);
  else console.log(`missed ${data.from ?? '?'} to ${data.to}: ${data.reason}; snapshots follow`);
}
