import { describe, expect, it } from 'vitest';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { feedOf, freshApp } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

describe('a caller beside a pass', () => {
  it('has its day derived before what a pass has in line', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
    const { world } = app;
    await importFeed(world, feedOf({ acme: [dailyBars('ACME', '2023-11-01', '2024-03-05')] }));
    const tapes = await world.tape.symbolTapes(['ACME']);
    const tradeDate = '2024-03-05';
    const jobs = tapes.map((tape) => ({
      tape,
      days: [{ tradeDate, asOf: world.calendar.session(tradeDate)!.postClose }],
    }));
    const order: string[] = [];
    const derive = (who: string, options = {}) =>
      world.deriver.derive(jobs, options).then(([outcome]) => order.push(`${who}: ${outcome!.kind}`));
    await Promise.all([
      derive('under way'),
      derive('pass'),
      derive('caller', { signal: new AbortController().signal }),
    ]);
    expect(order).toEqual(['under way: derived', 'caller: derived', 'pass: derived']);
  });
});
