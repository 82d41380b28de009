/**
 * Runs a desk of processes on this machine, with the servers that it needs, and strikes it with faults.
 *
 *   npm run test:desk             as large as fits 15 minutes
 *   npm run test:desk -- --short  a few minutes, as before every change
 */
import { parseArgs } from 'node:util';
import { type CampaignSize, campaign } from './campaign.ts';
import { type Engines, startEngines } from './engines.ts';
import { Report } from './report.ts';

const FULL: CampaignSize = { symbols: 2_000, passDates: 3, minutes: 30, faults: 60, speed: 6 };
const SHORT: CampaignSize = { symbols: 60, passDates: 8, minutes: 10, faults: 10, speed: 12 };

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
// An interrupt takes the servers and processes with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
let engines: Engines | null = null;
try {
  engines = await startEngines();
} catch (error) {
  console.log(`skipped: ${(error as Error).message}`);
}
if (engines !== null) {
  const report = new Report();
  try {
    await campaign(engines, values.short ? SHORT : FULL, report);
  } catch (error) {
    report.check('the campaign comes to its end', false, (error as Error).stack ?? String(error));
  } finally {
    await engines.stop();
  }
  process.exitCode = report.hasFailed ? 1 : 0;
}
