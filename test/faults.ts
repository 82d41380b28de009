/**
 * Kills processes at every fault point (`docs/reliability.md`), also at those of a bucket, a PostgreSQL server and NATS
 * where these can be had.
 *
 *   npm run test:faults
 */
import { runTests } from './engines/run-tests.ts';

process.exitCode = await runTests(
  ['--project', 'process', 'test/process/faults.test.ts', 'test/process/vendor-kills.test.ts'],
  { TIGRAPH_TEST_FAULTS: 'all' },
  { needsPostgres: false },
);
