import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { claimVersion } from '../../../src/records/store.ts';
import { bring, freshMarket } from '../../support/app.ts';
import { CHAIN_DATE, type MadeChain, madeChain } from '../../support/made-chain.ts';
import { type BarRow, barsOf } from '../../support/tape.ts';

const calendar = newYorkCalendar();
const BEFORE = calendar.sessionsBetween('2023-06-01', CHAIN_DATE);
/** The sessions that a trade of a month is held. */
const AFTER = calendar.sessionsBetween('2024-03-14', '2024-04-11');

/** What the stock closed at where it matters; else as on the day before. */
const CLOSES: Readonly<Record<string, number>> = {
  '2024-03-14': 98.6,
  '2024-03-15': 102,
  '2024-03-20': 103.45,
  '2024-03-28': 104,
  '2024-04-11': 107,
};

/** Around 100, which is the close of the chain's date. */
function history(symbol: string): Delivery {
  const rows = BEFORE.map((date, at): BarRow => {
    const close = 100 + 2 * Math.sin((BEFORE.length - 1 - at) * 2);
    return [midnightUtc(date), close, close + 1, close - 1, close, 1_000_000];
  });
  return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
}

/** @param sharesFrom from this date on the stock trades in halves */
function later(symbol: string, dates: readonly string[], sharesFrom = '9999'): Delivery {
  let close = 100;
  const all = AFTER.map((date): [string, number] => {
    close = CLOSES[date] ?? close;
    return [date, date < sharesFrom ? close : close / 2];
  });
  const rows = all
    .filter(([date]) => dates.includes(date))
    .map(([date, price]): BarRow => [midnightUtc(date), price, price + 1, price - 1, price, 1_000_000]);
  return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
}

const chainOf = (symbol: string, made: MadeChain = {}): Delivery => ({
  kind: 'chain',
  chain: madeChain({ symbol, clock: '15:45', ...made }),
});

/** A market at the close of the chain's date, with the claims of that date. */
async function claimed(...more: readonly Delivery[]): Promise<App> {
  const app = await freshMarket({ TIGRAPH_NOW: '2024-06-03T12:00:00Z' }, [
    history('ACME'),
    chainOf('ACME'),
    ...more,
  ]);
  await bringRecordsUpToDate(app.context, { range: { from: '2024-03-01' } });
  await bringRecordsUpToDate(app.context);
  return app;
}

interface Event {
  readonly key: string;
  readonly claim: string;
  readonly outcome: string | null;
  readonly chance: number | null;
  readonly price: number;
  readonly gone: boolean;
  readonly decided: string | null;
}

async function eventsOf({ context }: App, symbol = 'ACME'): Promise<Record<string, Event>> {
  const rows = await context.database.query<Event>(
    `select key, claim, outcome, chance, price, gone, to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD') as decided
     from claim_event where kind = 'expiration' and symbol = $1 order by place`,
    [symbol],
  );
  return Object.fromEntries(rows.map((row) => [row.key, row]));
}

const outcomesOf = (events: Record<string, Event>) =>
  Object.fromEntries(Object.entries(events).map(([key, { outcome, chance }]) => [key, [outcome, chance]]));

/** Trade dates whose rows are newer than a version. */
async function changedSince({ context }: App, version: number): Promise<string[]> {
  const rows = await context.database.query<{ date: string }>(
    `select distinct trade_date::text as date from claim_day where kind = 'expiration' and version > $1 order by 1`,
    [version],
  );
  return rows.map(({ date }) => date);
}

const rebuilt = ({ context }: App) =>
  bringRecordsUpToDate(context, { range: { from: '2024-03-01' }, kinds: ['expiration'] });

/**
 * At 25 % flat, by hand: sqrt(share of the sessions held x days / 365) x 0.25. In percent, held for
 *
 * | expiration | days, sessions | 1 session | 5 | 20 |
 * |---|---|---|---|---|
 * | 2024-03-15 | 2, 2 | 1.309 | 1.851 | 1.851 |
 * | 2024-03-28 | 15, 11 | 1.528 | 3.417 | 5.068 |
 * | 2024-04-19 | 37, 26 | 1.561 | 3.491 | 6.981 |
 * | 2024-06-21 | 100, 69 | 1.575 | 3.522 | 7.045 |
 *
 * The stock falls by 1.4 % in a session, is 2 % up at the first expiration, 3.45 % up after five sessions, 4 % at the
 * second expiration, and 7 % after twenty.
 */
const BY_HAND: Readonly<Record<string, readonly [expiration: string, outcome: string, chance: number]>> = {
  'intraday.bullish': ['2024-03-15', 'false', 0],
  'intraday.bearish': ['2024-03-15', 'true', 0],
  'swing.bullish': ['2024-03-28', 'true', 1 / 3],
  'swing.bearish': ['2024-03-28', 'false', 0],
  'position.bullish': ['2024-04-19', 'true', 1 / 3],
  'position.bearish': ['2024-04-19', 'false', 0],
};

describe('recommended expirations', () => {
  it('beat their premium or not as a calculation by hand says', async () => {
    const app = await claimed();
    await bring(app, [later('ACME', AFTER)]);
    await bringRecordsUpToDate(app.context);
    const events = await eventsOf(app);
    expect(
      Object.fromEntries(
        Object.values(events).map(({ key, claim, outcome, chance }) => [key, [claim, outcome, chance]]),
      ),
    ).toEqual(BY_HAND);
    expect(events['swing.bullish']!.price).toBeCloseTo(103.417, 2);
    expect(events['intraday.bearish']!.price).toBeCloseTo(98.691, 2);
    expect(events['swing.bullish']!.decided).toBe('2024-03-20');
  });

  it('are open until the trade would end, and the same whether later prices come at once or one by one', async () => {
    const app = await claimed();
    expect(new Set(Object.values(outcomesOf(await eventsOf(app))).map(String))).toEqual(
      new Set([String([null, null])]),
    );
    for (const date of AFTER) {
      await bring(app, [later('ACME', [date])]);
      await bringRecordsUpToDate(app.context);
      const { outcome, decided } = (await eventsOf(app))['swing.bullish']!;
      expect([date, outcome, decided]).toEqual(
        date < '2024-03-20' ? [date, null, null] : [date, 'true', '2024-03-20'],
      );
    }
    expect(Object.keys(outcomesOf(await eventsOf(app)))).toEqual(Object.keys(BY_HAND));
    expect((await rebuilt(app)).written).toBe(0);
  });

  it('are judged by what was claimed then, without pricing the chain again', async () => {
    const app = await claimed();
    await app.context.database.write(
      `update claim_day set terms = replace(terms, '0.25', '0.35') where kind = 'expiration' and terms is not null`,
    );
    const terms = `select terms from claim_day where kind = 'expiration' and terms is not null`;
    const [altered] = await app.context.database.query<{ terms: string }>(terms);
    expect(altered!.terms).toContain('0.35');
    await bring(app, [later('ACME', AFTER)]);
    await bringRecordsUpToDate(app.context);
    expect(await app.context.database.query(terms)).toEqual([altered]);
    // 3.45 % up, where 4.8 % would have been implied.
    expect((await eventsOf(app))['swing.bullish']!.outcome).toBe('false');
  });

  it('count the price at expiry where the contracts end before the trade', async () => {
    const app = await claimed(
      chainOf('NEAR', { expirations: ['2024-03-15', '2024-03-28'] }),
      history('NEAR'),
    );
    await bring(app, [later('ACME', AFTER), later('NEAR', AFTER)]);
    await bringRecordsUpToDate(app.context);
    const { claim, outcome, decided } = (await eventsOf(app, 'NEAR'))['position.bullish']!;
    // 4 % up where 5.07 % were implied, although the stock passes them later.
    expect([claim, outcome, decided]).toEqual(['2024-03-28', 'false', '2024-03-28']);
  });

  it('are measured across a split in the shares of one date', async () => {
    const app = await claimed();
    const split = { kind: 'split' as const, exDate: midnightUtc('2024-03-19'), value: 2 };
    await bring(app, [
      { kind: 'actions', symbol: 'ACME', actions: [split] },
      later('ACME', AFTER, '2024-03-19'),
    ]);
    await bringRecordsUpToDate(app.context);
    const events = await eventsOf(app);
    expect(outcomesOf(events)).toEqual(
      Object.fromEntries(Object.entries(BY_HAND).map(([key, [, ...rest]]) => [key, rest])),
    );
    // As traded then.
    expect(events['swing.bullish']!.price).toBeCloseTo(103.417, 2);
  });

  it('are undecided and gone without a later price', async () => {
    const app = await claimed(history('ELSE'));
    await bring(app, [later('ELSE', AFTER), later('ACME', AFTER.slice(0, 2))]);
    await bringRecordsUpToDate(app.context);
    const events = await eventsOf(app);
    expect(events['intraday.bearish']).toMatchObject({ outcome: 'true', gone: false });
    expect(events['swing.bullish']).toMatchObject({ outcome: 'undecided', gone: true, decided: null });
    expect(events['position.bearish']).toMatchObject({ outcome: 'undecided', gone: true });
  });

  it('are those of the last chain of the session, whatever is taken later', async () => {
    const early = await claimed();
    const app = await claimed(chainOf('ACME', { clock: '11:00', volatility: () => 0.6 }));
    const before = await eventsOf(app);
    expect(before).toEqual(await eventsOf(early));
    const version = await claimVersion(app.context.database);
    await bring(app, [
      chainOf('ACME', { clock: '16:20', volatility: () => 0.9 }),
      chainOf('ACME', { date: '2024-03-14', volatility: () => 0.9 }),
    ]);
    await bringRecordsUpToDate(app.context);
    expect(await eventsOf(app)).toEqual(before);
    expect(await changedSince(app, version)).toEqual([]);
  });

  it('are found again where a chain is corrected, and on no other date', async () => {
    const next = '2024-03-14';
    const app = await claimed();
    await bring(app, [later('ACME', AFTER), chainOf('ACME', { date: next, spot: 98.6 })]);
    await bringRecordsUpToDate(app.context);
    const version = await claimVersion(app.context.database);
    await bring(app, [chainOf('ACME', { date: next, spot: 98.6, volatility: () => 0.5 })]);
    await bringRecordsUpToDate(app.context);
    expect(await changedSince(app, version)).toEqual([next]);
    expect((await rebuilt(app)).written).toBe(0);
  });
});
