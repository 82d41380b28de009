/**
 * Runs tests on servers that are started for them: see `test/engines/run-tests.ts`.
 *
 *   npm run test:postgres                      every test that has a database
 *   npm run test:postgres -- test/service/api  those of a folder
 */
import { runTests } from './engines/run-tests.ts';

process.exitCode = await runTests(['--project', 'service', '--project', 'process', ...process.argv.slice(2)]);
