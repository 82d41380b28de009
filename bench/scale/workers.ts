import { startEngines } from '../../test/desk/engines.ts';
import { median } from '../report.ts';
import { carryMinutes } from './live-minutes.ts';
import { makeMarket, type Size } from './market.ts';
import { minuteMs, minuteWithoutBarrierMs } from './model.ts';
import type { Row } from './table.ts';

const PARTS = 64;
const WORKERS = [1, 2, 3] as const;

/**
 * Minutes by 1, 2 and 3 workers against the model, whose only figure from here is the time of one worker.
 *
 * @param share of the time in which each worker may run, so that three of them fit on the cores of a small machine
 */
export async function workersAgainstModel(size: Size, share: number): Promise<Row[]> {
  const engines = await startEngines();
  try {
    const market = await makeMarket(engines, 'workers', size);
    const rows: Row[] = [
      ['workers', 'minute', 'its parts', 'model', 'without the barrier', 'before the parts'],
    ];
    let partMs = 0;
    for (const workers of WORKERS) {
      const copy = await engines.copyOf(market, `workers_${workers}`);
      const settings = { ...copy.settings, NATS_URL: engines.nats.url };
      const { steps } = await carryMinutes(settings, { ...size, workers, share });
      const partsMs = median(steps.map((step) => step.partsMs));
      const tookMs = median(steps.map((step) => step.tookMs));
      if (workers === 1) partMs = partsMs / PARTS;
      const partSpread = Math.sqrt(PARTS / size.symbols);
      const minute = { parts: PARTS, workers, threads: 1, partMs, partSpread, placement: 'equal' } as const;
      rows.push([
        `${workers}`,
        ...[tookMs, partsMs, minuteMs(minute), minuteWithoutBarrierMs(minute), tookMs - partsMs].map(
          (ms) => `${ms.toFixed(0)} ms`,
        ),
      ]);
    }
    return rows;
  } finally {
    await engines.stop();
  }
}
