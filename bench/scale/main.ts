/**
 * What a desk costs by size, for docs/scale.md.
 *
 *   npm run scale                                  measures a simulated market on PostgreSQL and NATS of this machine
 *   npm run scale -- --symbols 400 --sessions 10 --minutes 20
 *   npm run scale -- workers --symbols 400         minutes by 1, 2 and 3 workers
 */
import { parseArgs } from 'node:util';
import { machine } from '../report.ts';
import { printTable } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    symbols: { type: 'string', default: '1000' },
    sessions: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '15' },
    share: { type: 'string', default: '0.3' },
  },
  allowPositionals: true,
});
const size = {
  symbols: Number(values.symbols),
  sessions: Number(values.sessions),
  minutes: Number(values.minutes),
};
// An interrupt takes the servers and processes with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
const [part = 'measure'] = positionals;
if (part === 'workers') {
  const { minutesByWorkers } = await import('./workers.ts');
  const share = Number(values.share);
  printTable(
    `Minutes of ${size.symbols} symbols, workers of one thread with ${100 * share} % of a core`,
    await minutesByWorkers(size, share),
  );
} else if (part !== 'measure') {
  throw new Error(`no part ${part}: measure or workers`);
} else {
  const { measure } = await import('./measure.ts');
  for await (const { title, rows } of measure(size)) printTable(title, rows);
}
console.log(`\n${machine()}`);
process.exit(0);
