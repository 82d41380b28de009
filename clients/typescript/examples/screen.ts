import { createClient, dataOf, TigraphError } from '@tigraph/client';

const client = createClient({ baseUrl: process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080' });

try {
  const { rows, total, universe } = await dataOf(
    client.POST('/api/graph/v1/screener', {
      body: {
        filter: { field: 'technical.rsi_14', op: '<', value: 60 },
        sort: [{ field: 'rel_volume', order: 'desc' }],
        select: ['last_price', 'rel_volume'],
        limit: 5,
      },
    }),
  );
  console.log(`${total} of ${universe} stocks have an RSI below 60`);
  for (const row of rows) console.log(`  ${JSON.stringify(row)}`);
} catch (error) {
  if (!(error instanceof TigraphError)) throw error;
  console.error(`${error.status} ${error.code}: ${error.message}`);
  process.exitCode = 1;
}
