import { columnsOf, createClient, dataOf } from '@tigraph/client';

const client = createClient({ baseUrl: process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080' });
const symbol = process.argv[2] ?? 'SIMX';

const bars = await dataOf(
  client.GET('/api/graph/v1/stocks/{symbol}/bars', {
    params: { path: { symbol }, query: { interval: '1d', limit: 250 } },
  }),
);
const { time, close, high, low } = columnsOf(bars);
const range = high.reduce((sum, price, day) => sum + price / (low[day] ?? price) - 1, 0) / time.length;
console.log(`${symbol}: ${time.length} days to ${bars.time.at(-1)}, last close ${close.at(-1)}`);
console.log(`mean daily range ${(range * 100).toFixed(2)} %`);
