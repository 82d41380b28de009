import { describe, expect, it } from 'vitest';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { bring, freshMarket } from '../../support/app.ts';
import { CHAIN_DATE, madeChain } from '../../support/made-chain.ts';
import { type BarRow, barsOf } from '../../support/tape.ts';

const calendar = newYorkCalendar();
const BEFORE = calendar.sessionsBetween('2023-06-01', CHAIN_DATE);
const AFTER = calendar.sessionsBetween('2024-03-14', '2024-03-20');

function closes(symbol: string, dates: readonly string[], closeOn: (date: string) => number): Delivery {
  const rows = dates.map((date): BarRow => {
    const close = closeOn(date);
    return [midnightUtc(date), close, close + 1, close - 1, close, 1_000_000];
  });
  return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
}

/**
 * 25 % flat, taken at 15:45 of March 13. To the 15th 48.25 hours and 2 + 1/26 sessions: 0.25 × sqrt(48.25 / 8760 / 2.03846)
 * is 1.300 % a session. To the 28th, the nearest that lives the week, 360.25 hours and 11 + 1/26
 * sessions: 0.25 × sqrt(360.25 / 8760 × 5 / 11.03846) is 3.412 %.
 */
describe('claims of expected moves', () => {
  it.each([
    ['within both', 101.29, 96.6, ['true', 'true']],
    ['beyond the day', 101.31, 103.4, ['false', 'true']],
    ['beyond the week', 98.71, 103.42, ['true', 'false']],
    ['before any later price', null, null, [null, null]],
  ])('are decided by the closes: %s', async (_, day, week, outcomes) => {
    const app = await freshMarket({ TIGRAPH_NOW: '2024-06-03T12:00:00Z' }, [
      closes('ACME', BEFORE, () => 100),
      { kind: 'chain', chain: madeChain({ symbol: 'ACME', clock: '15:45' }) },
    ]);
    const range = { from: CHAIN_DATE, to: CHAIN_DATE };
    await bringRecordsUpToDate(app.context, { range, kinds: ['expected_move'] });
    if (day !== null)
      await bring(app, [closes('ACME', AFTER, (date) => (date === AFTER[0] ? day : (week ?? day)))]);
    await bringRecordsUpToDate(app.context);
    const rows = await app.context.database.query<{ key: string; outcome: string; chance: number }>(
      "select key, outcome, chance from claim_event where kind = 'expected_move' order by place",
    );
    expect(rows.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['day', outcomes[0]],
      ['week', outcomes[1]],
    ]);
    for (const { outcome, chance } of rows) expect(chance ?? 0).toBeCloseTo(outcome === null ? 0 : 0.6827, 4);
  });
});
