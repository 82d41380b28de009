/**
 * Runs a desk of processes on this machine, with the servers that it needs, and strikes it with faults.
 *
 *   npm run test:desk             as large as fits 15 minutes
 *   npm run test:desk -- --short  a few minutes, as before every change
 *   npm run test:desk -- upgrade  one part of it
 */
import { parseArgs } from 'node:util';
import { answers } from './answers.ts';
import { type CampaignSize, campaign } from './campaign.ts';
import { type Engines, startEngines } from './engines.ts';
import { latency } from './latency.ts';
import { Report } from './report.ts';
import { restore } from './restore.ts';
import { throughput } from './throughput.ts';
import { update } from './update.ts';
import { upgrade } from './upgrade.ts';

const FULL: CampaignSize = { symbols: 2_000, passDates: 3, minutes: 30, faults: 60, speed: 6 };
const SHORT: CampaignSize = { symbols: 60, passDates: 8, minutes: 10, faults: 10, speed: 12 };

const PARTS: Readonly<Record<string, (engines: Engines, report: Report, isShort: boolean) => Promise<void>>> =
  {
    campaign: (engines, report, isShort) => campaign(engines, isShort ? SHORT : FULL, report),
    throughput: (engines, report, isShort) =>
      throughput(
        engines,
        isShort ? { symbols: 40, dates: 5, workers: [2] } : { symbols: 400, dates: 5, workers: [1, 2, 3] },
        report,
      ),
    latency: (engines, report, isShort) => latency(engines, isShort ? 10 : 60, report),
    answers: (engines, report, isShort) => answers(engines, isShort ? 40 : 400, report),
    restore: (engines, report, isShort) => restore(engines, isShort ? 60 : 300, report),
    upgrade: (engines, report) => upgrade(engines, report),
    update: (_engines, report) => update(report),
  };

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
// An interrupt takes the servers and processes with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
const engines = await startEngines().catch((error: Error) => {
  console.log(`skipped: ${error.message}`);
  // Servers that did start would keep this process alive.
  return process.exit(0);
});
const report = new Report();
for (const name of names) {
  report.note(`# ${name}`);
  await PARTS[name]!(engines, report, values.short).catch((error: Error) =>
    report.check(`${name} comes to its end`, false, error.stack ?? error.message),
  );
}
await engines.stop();
process.exitCode = report.hasFailed ? 1 : 0;
