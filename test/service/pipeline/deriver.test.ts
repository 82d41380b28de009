import { describe, expect, it } from 'vitest';
import { unpackText } from '../../../src/base/packed-text.ts';
import { type MarketView, unknownMarket } from '../../../src/market/market-view.ts';
import { openThreadPool } from '../../../src/workers/pool.ts';
import { bring, freshApp } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

const textsOf = (facts: Readonly<Record<string, Uint8Array>>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([block, packed]) => [block, unpackText(packed)]));

const { app } = await freshApp({}, { openPool: openThreadPool });
const { deriver, tape, calendar } = app.context;
await bring(app, [dailyBars('ACME', '2014-01-02', '2024-03-05')]);
const [acme] = await tape.symbolTapes(['ACME']);

describe('the derivation threads', () => {
  it('stop working when the caller gives up, so that the next one is served at once', async () => {
    const days = calendar
      .sessionsBetween('2022-03-01', '2024-03-05')
      .map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.postClose }));
    const job = { tape: acme!, days };
    // So that its thread has started.
    await deriver.derive([job]);
    // More than a test has time for.
    const endless = deriver.derive(Array(10_000).fill(job), { signal: AbortSignal.timeout(50) });
    await expect(endless).rejects.toThrow();
    const [next] = await deriver.derive([{ tape: acme!, days: days.slice(-1) }]);
    expect(next!.kind).toBe('derived');
  });

  it('refuse interactive callers at once when more wait than can be served in time', async () => {
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

  it('derive the same numbers alone, as an answer and to be stored', async () => {
    const day = { tradeDate: '2023-12-08', asOf: calendar.session('2023-12-08')!.postClose };
    const jobs = [{ tape: acme!, days: [day] }];
    const [answer] = await deriver.derive(jobs);
    const [stored] = await deriver.deriveToStore(jobs);
    const [numbers] = await deriver.deriveScreens(jobs);
    if (answer!.kind !== 'derived' || stored!.kind !== 'derived') throw new Error('not derived');
    expect(stored!.relations.length).toBeGreaterThan(0);
    expect(textsOf(stored!.facts)).toEqual(answer!.facts);
    expect(numbers).toMatchObject({ kind: 'derived', ...day, isFinal: false, screen: stored!.screen });
  });

  it('give each date its own market, and an unknown one to a date without', async () => {
    const days = ['2024-03-04', '2024-03-05'].map((tradeDate) => ({
      tradeDate,
      asOf: calendar.session(tradeDate)!.postClose,
    }));
    const job = { tape: acme!, days };
    const fearful = (tradeDate: string): MarketView => ({
      ...unknownMarket(tradeDate, calendar.session(tradeDate)!.close),
      vix: { symbol: '^VIX', level: 45, change1dPct: 50, percentile252: 99 },
    });
    const digestsOf = async (markets: Readonly<Record<string, MarketView>>) =>
      (await deriver.deriveToStore([job], { markets })).map((day) => day.kind === 'derived' && day.digest);
    const unknown = await digestsOf({});
    const known = await digestsOf({ '2024-03-05': fearful('2024-03-05') });
    expect(known[0]).toBe(unknown[0]);
    expect(known[1]).not.toBe(unknown[1]);
  });

  it('walk over a market no further than their caller waits', async () => {
    const days = [{ tradeDate: '2024-03-05', asOf: calendar.session('2024-03-05')!.close }];
    const tapes = await tape.ofMarket(false).marketTapes(days);
    expect(await deriver.market({ tapes, days })).toMatchObject([{ tradeDate: '2024-03-05' }]);
    await expect(deriver.market({ tapes, days }, { signal: AbortSignal.abort() })).rejects.toThrow();
    const patience = new AbortController();
    const walk = deriver.market({ tapes, days }, { signal: patience.signal });
    patience.abort();
    await expect(walk).rejects.toThrow();
    expect(await deriver.market({ tapes, days })).toMatchObject([{ tradeDate: '2024-03-05' }]);
  });
});
