import { createClient, dataOf } from '@tigraph/client';

const client = createClient({ baseUrl: process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080' });
const symbol = process.argv[2] ?? 'SIMX';

const stock = await dataOf(
  client.GET('/api/graph/v1/stocks/{symbol}', {
    params: { path: { symbol }, query: { include: ['levels'] } },
  }),
);
console.log(
  `${symbol} ${stock.last_price} ${stock.directional_bias}, VWAP ${stock.levels?.vwap ?? 'not yet'}`,
);
for (const { component, contribution } of stock.confluence_v5?.bull_ledger ?? []) {
  console.log(`  ${component.padEnd(16)} ${contribution}`);
}
