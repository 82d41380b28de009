import { describe, expect, it } from 'vitest';
import type { DerivedDay } from '../../../src/derive/deriver.ts';
import { type MarketView, unknownMarket } from '../../../src/market/market-view.ts';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { openThreadPool } from '../../../src/workers/pool.ts';
import { feedOf, freshApp } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

describe('the derivation threads', () => {
  it('stop working when the caller gives up, so that the next one is served at once', async () => {
    const { app } = await freshApp({}, { openPool: openThreadPool });
    const { deriver, tape, calendar } = app.context;
    await importFeed(app.context, feedOf({ a: [dailyBars('ACME', '2014-01-02', '2024-03-05')] }));
    const [acme] = await tape.symbolTapes(['ACME']);
    const days = calendar
      .sessionsBetween('2022-03-01', '2024-03-05')
      .map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.postClose }));
    const job = { tape: acme!, days };
    // Warm the thread, and learn how long one round of the work takes.
    const began = performance.now();
    await deriver.derive([job]);
    const roundMs = performance.now() - began;
    const patience = AbortSignal.timeout(Math.ceil(roundMs / 4));
    const endless = deriver.derive(Array(40).fill(job), { signal: patience });
    await expect(endless).rejects.toThrow();
    const givenUp = performance.now();
    const [next] = await deriver.derive([{ tape: acme!, days: days.slice(-1) }]);
    expect(next!.kind).toBe('derived');
    // The one thread would have been busy for some forty rounds had the work gone on.
    expect(performance.now() - givenUp).toBeLessThan(roundMs * 20);
  });

  it('refuse interactive callers at once when more wait than can be served in time', async () => {
    const { app } = await freshApp({}, { openPool: openThreadPool });
    const { deriver, tape, calendar } = app.context;
    await importFeed(app.context, feedOf({ a: [dailyBars('ACME', '2023-01-03', '2024-03-05')] }));
    const [acme] = await tape.symbolTapes(['ACME']);
    const day = { tradeDate: '2024-03-05', asOf: calendar.session('2024-03-05')!.postClose };
    const patience = new AbortController();
    const callers = Array.from({ length: 100 }, () =>
      deriver.derive([{ tape: acme!, days: [day] }], { signal: patience.signal }),
    );
    const outcomes = await Promise.allSettled(callers);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'overloaded' });
    expect(outcomes.length - refused.length).toBeGreaterThan(40);
    expect(await deriver.derive([{ tape: acme!, days: [day] }])).toMatchObject([{ kind: 'derived' }]);
  });

  it('return the core facts alone when no others are requested', async () => {
    const { app } = await freshApp({}, { openPool: openThreadPool });
    const { deriver, tape, calendar } = app.context;
    await importFeed(app.context, feedOf({ a: [dailyBars('ACME', '2023-01-03', '2024-03-05')] }));
    const [acme] = await tape.symbolTapes(['ACME']);
    const day = { tradeDate: '2024-03-05', asOf: calendar.session('2024-03-05')!.postClose };
    const [whole] = await deriver.derive([{ tape: acme!, days: [day] }]);
    const [core] = await deriver.derive([{ tape: acme!, days: [day] }], { coreOnly: true });
    if (whole!.kind !== 'derived' || core!.kind !== 'derived') throw new Error('not derived');
    expect(Object.keys(whole!.facts).length).toBeGreaterThan(1);
    expect(whole!.relations.length).toBeGreaterThan(0);
    expect(core).toMatchObject({ facts: { core: whole!.facts.core }, relations: [] });
    expect(Object.keys(core!.facts)).toEqual(['core']);
    const options = { coreOnly: true, beside: ['levels'] };
    const [withLevels] = await deriver.derive([{ tape: acme!, days: [day] }], options);
    expect(withLevels).toMatchObject({ facts: { core: whole!.facts.core, levels: whole!.facts.levels } });
    expect(Object.keys((withLevels as DerivedDay).facts)).toEqual(['core', 'levels']);
  });

  it('give each date its own market, and an unknown one to a date without', async () => {
    const { app } = await freshApp({}, { openPool: openThreadPool });
    const { deriver, tape, calendar } = app.context;
    await importFeed(app.context, feedOf({ a: [dailyBars('ACME', '2023-01-03', '2024-03-05')] }));
    const [acme] = await tape.symbolTapes(['ACME']);
    const days = ['2024-03-04', '2024-03-05'].map((tradeDate) => {
      return { tradeDate, asOf: calendar.session(tradeDate)!.postClose };
    });
    const job = { tape: acme!, days };
    const fearful = (tradeDate: string): MarketView => ({
      ...unknownMarket(tradeDate, calendar.session(tradeDate)!.close),
      vix: { symbol: '^VIX', level: 45, change1dPct: 50, percentile252: 99 },
    });
    const digestsOf = async (markets: Readonly<Record<string, MarketView>>) =>
      (await deriver.derive([job], { markets })).map((day) => day.kind === 'derived' && day.digest);
    const unknown = await digestsOf({});
    const known = await digestsOf({ '2024-03-05': fearful('2024-03-05') });
    expect(known[0]).toBe(unknown[0]);
    expect(known[1]).not.toBe(unknown[1]);
  });

  it('walk over a market no further than their caller waits', async () => {
    const { app } = await freshApp({}, { openPool: openThreadPool });
    const { deriver, tape, calendar } = app.context;
    await importFeed(app.context, feedOf({ a: [dailyBars('ACME', '2023-01-03', '2024-03-05')] }));
    const days = [{ tradeDate: '2024-03-05', asOf: calendar.session('2024-03-05')!.close }];
    const tapes = await tape.marketTapes(days);
    expect(await deriver.market({ tapes, days })).toMatchObject([{ tradeDate: '2024-03-05' }]);
    await expect(deriver.market({ tapes, days }, { signal: AbortSignal.abort() })).rejects.toThrow();
    const patience = new AbortController();
    const walk = deriver.market({ tapes, days }, { signal: patience.signal });
    patience.abort();
    await expect(walk).rejects.toThrow();
    expect(await deriver.market({ tapes, days })).toMatchObject([{ tradeDate: '2024-03-05' }]);
  });
});
