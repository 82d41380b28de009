/** A process that executes optimisation runs until it is killed, as a serving process does. */

import { openApi } from '../../src/app.ts';
import { RunQueue } from '../../src/backtests/run-queue.ts';
import { loadConfig } from '../../src/config.ts';

const { options, leaseMs, heartbeatMs } = JSON.parse(process.argv[2]!);
const app = await openApi(
  loadConfig({
    TIGRAPH_DATA_DIR: options.dataDirectory,
    DATABASE_URL: options.databaseUrl,
    LOG_LEVEL: 'silent',
    TIGRAPH_WORKERS: '1',
    TIGRAPH_NOW: '2024-03-13T15:00:00Z',
  }),
);
await RunQueue.open(app.context, { leaseMs, heartbeatMs });
process.send!('open');
