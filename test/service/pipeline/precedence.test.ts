import { describe, expect, it } from 'vitest';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshApp } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

describe('a caller beside a pass', () => {
  it('has its day derived before what a pass has in line', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
    const { context } = app;
    await importFeed(context, feedOf({ acme: [dailyBars('ACME', '2023-11-01', '2024-03-05')] }));
    const tapes = await context.tape.symbolTapes(['ACME']);
    const tradeDate = '2024-03-05';
    const jobs = tapes.map((tape) => ({
      tape,
      days: [{ tradeDate, asOf: context.calendar.session(tradeDate)!.postClose }],
    }));
    const order: string[] = [];
    const derive = (who: string, options = {}) =>
      context.deriver.derive(jobs, options).then(([outcome]) => order.push(`${who}: ${outcome!.kind}`));
    await Promise.all([
      derive('under way'),
      derive('pass'),
      derive('caller', { signal: new AbortController().signal }),
    ]);
    expect(order).toEqual(['under way: derived', 'caller: derived', 'pass: derived']);
  });
});
