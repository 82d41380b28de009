import { startEngines } from '../../test/desk/engines.ts';
import { median } from '../report.ts';
import { carryMinutes } from './live-minutes.ts';
import { makeMarket, type Size } from './market.ts';
import type { Row } from './table.ts';

const WORKERS = [1, 2, 3] as const;

/**
 * Minutes by 1, 2 and 3 workers.
 *
 * @param share of a core that each worker may use, so that three of them fit on the cores of a small machine
 */
export async function minutesByWorkers(size: Size, share: number): Promise<Row[]> {
  const engines = await startEngines();
  try {
    const market = await makeMarket(engines, 'workers', size);
    const rows: Row[] = [['workers', 'processor of a stock-minute', 'parts of a minute', 'whole minute']];
    for (const workers of WORKERS) {
      const copy = await engines.copyOf(market, `workers_${workers}`);
      const settings = { ...copy.settings, NATS_URL: engines.nats.url };
      const { steps, workersMs } = await carryMinutes(settings, { ...size, workers, share });
      const stockMinuteMs = workersMs / steps.reduce((sum, step) => sum + step.symbols, 0);
      const times = [median(steps.map((step) => step.partsMs)), median(steps.map((step) => step.tookMs))];
      rows.push([
        `${workers}`,
        `${stockMinuteMs.toFixed(1)} ms`,
        ...times.map((ms) => `${(ms / 1_000).toFixed(2)} s`),
      ]);
    }
    return rows;
  } finally {
    await engines.stop();
  }
}
