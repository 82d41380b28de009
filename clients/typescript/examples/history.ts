import { columnsOf, createClient, dataOf, toFloat64 } from '@tigraph/client';

const client = createClient({ baseUrl: process.env.TIGRAPH_URL ?? 'http://127.0.0.1:8080' });
const symbol = process.argv[2] ?? 'SIMX';

const fields = ['technical.rsi_14', 'bullish_confluence'];
const history = await dataOf(
  client.GET('/api/graph/v1/stocks/{symbol}/history', {
    params: { path: { symbol }, query: { fields, derive: 'wait' } },
  }),
);
const columns = columnsOf(history.columns);
const times = toFloat64(history.dates);
for (const [name, values] of Object.entries(columns)) {
  const known = values.filter((value) => !Number.isNaN(value));
  console.log(`${name}: ${known.length} of ${times.length} dates, last ${known.at(-1) ?? 'none'}`);
}
if (history.not_derived.length > 0) console.log(`ask again for ${history.not_derived.length} more dates`);
