import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { MINUTE_MS, midnightUtc } from '../../../src/base/dates.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { type BarRow, barsOf } from '../../support/tape.ts';

/** A day that is known by its minutes alone: it follows them, and is a day though it began late. */

const calendar = newYorkCalendar();
const NOW = { TIGRAPH_NOW: '2024-03-18T12:00:00Z' };
const DATES = ['2024-03-12', '2024-03-13', '2024-03-14', '2024-03-15'] as const;
const [DAY, NEXT, AFTER] = [DATES[1], DATES[2], DATES[3]];
const session = calendar.session(DAY)!;

type Bars = Extract<Delivery, { kind: 'bars' }>;

let app: App;
let server: Awaited<ReturnType<App['server']>>;
beforeAll(async () => {
  ({ app } = await freshApp(NOW));
  server = await serverOf(app);
});

/** Days before, and the minutes of some. */
const history = (symbol: string) => dailyBars(symbol, '2024-01-02', '2024-03-11');
const minutes = (symbol: string) => minuteBars(symbol, DATES[0], AFTER);

/** The same in another name, so that figures are those of the same prices. */
const named = (symbol: string, bars: Bars): Bars => ({ ...bars, symbol });

const answer = async (symbol: string, date: string) =>
  (
    await server.inject(`/api/graph/v1/stocks/${symbol}?date=${date}&include=levels,level_ladder,patterns`)
  ).body
    .replaceAll(symbol, 'X')
    .replace(/"request_id":"[^"]*"/, '');
const rounded = (price: number): number => Math.round(price * 1e4) / 1e4;
const parsed = async (symbol: string, date: string) => JSON.parse(await answer(symbol, date));

async function daysOf(symbol: string): Promise<Record<string, Float64Array>> {
  const [tape] = await app.context.tape.symbolTapes([symbol]);
  const reader = new SegmentReader(app.context.tape.location);
  const rows = reader.rows(tape!, 'bars-1d', -1e9, 1e9);
  reader.close();
  return rows;
}

describe('a day that is summed from minutes', () => {
  const base = minutes('ACME');
  /** As a file that was cut at 15:36. */
  const cut = rowsBetween(base, 0, session.open + 366 * MINUTE_MS);
  const later = rowsBetween(base, calendar.session(NEXT)!.preOpen, Number.POSITIVE_INFINITY);
  const corrected: Bars = {
    ...base,
    columns: {
      ...base.columns,
      close: base.columns.close.map((price, row) =>
        base.columns.time[row] === session.close - MINUTE_MS ? base.columns.high[row]! : price,
      ),
      high: base.columns.high.map((price, row) =>
        base.columns.time[row] === session.open + 60 * MINUTE_MS ? price + 7 : price,
      ),
    },
  };

  it('follows the whole file after one that was cut, and corrected minutes: as if nothing else had come', async () => {
    await bring(app, [named('FRES', history('ACME')), named('FRES', corrected)]);
    await bring(app, [named('GROW', history('ACME')), named('GROW', cut), named('GROW', later)]);
    const first = await parsed('GROW', NEXT);
    expect(first.price.previous_close).not.toBe((await parsed('FRES', NEXT)).price.previous_close);
    await bring(app, [named('GROW', base)]);
    await bring(app, [named('GROW', corrected)]);
    expect(await daysOf('GROW')).toEqual(await daysOf('FRES'));
    for (const date of DATES) expect(await answer('GROW', date), date).toBe(await answer('FRES', date));
  });

  it('is healed by a pass where an older program left the sum of fewer minutes', async () => {
    await bring(app, [named('OLDS', history('ACME')), named('OLDS', base)]);
    // The sum as it was, in a segment that says of which kind it is.
    const { time } = (await daysOf('OLDS')) as { time: Float64Array };
    const wrong: BarRow = [midnightUtc(DAY), 1, 2, 1, 1, 5];
    const writer = app.context.tape.writer({ name: 'from-intraday', simulated: false });
    writer.add('bars-1d', 'OLDS', barsOf('bars-1d', [wrong]));
    await writer.flush();
    writer.close();
    const row = time.indexOf(midnightUtc(DAY));
    expect((await daysOf('OLDS')).close![row]).toBe(1);
    await app.context.database.write('update tape_segment set summed = false');
    await syncGraph(app.context, { kind: 'touched' });
    await bring(app, [named('NEWS', history('ACME')), named('NEWS', base)]);
    expect(await daysOf('OLDS')).toEqual(await daysOf('NEWS'));
    expect(await answer('OLDS', NEXT)).toBe(await answer('NEWS', NEXT));
    const [{ count }] = (await app.context.database.query(
      `select count(*)::int as count from tape_segment where not summed and kind like 'bars-%' and feed <> 'from-intraday'`,
    )) as [{ count: number }];
    expect(count).toBe(0);
  });

  it('never takes the place of a reported one, and goes with its minutes', async () => {
    const reported = dailyBars('ACME', DAY, DAY);
    await bring(app, [named('REPO', history('ACME')), named('REPO', base)]);
    await bring(app, [named('REPO', reported)]);
    await bring(app, [named('REPO', corrected)]);
    const { time, close } = (await daysOf('REPO')) as { time: Float64Array; close: Float64Array };
    expect(close[time.indexOf(midnightUtc(DAY))]).toBe(reported.columns.close[0]);
    const none = {
      ...base,
      columns: {
        ...base.columns,
        volume: base.columns.volume.map((shares, row) =>
          base.columns.time[row]! < session.open + 24 * 3_600_000 &&
          base.columns.time[row]! >= session.preOpen
            ? 0
            : shares,
        ),
      },
    };
    await bring(app, [named('GONE', history('ACME')), named('GONE', base)]);
    await bring(app, [named('GONE', none)]);
    expect([...(await daysOf('GONE')).time!]).not.toContain(midnightUtc(DAY));
    await bring(app, [named('NONE', history('ACME')), named('NONE', none)]);
    for (const date of DATES) expect(await answer('GONE', date), date).toBe(await answer('NONE', date));
  });
});

describe('a day that began late', () => {
  const lateFrom = (symbol: string, minute: number): Bars[] => {
    const all = minutes('ACME');
    const begin = session.open + minute * MINUTE_MS;
    const before = rowsBetween(all, 0, session.preOpen);
    return [history('ACME'), before, rowsBetween(all, begin, Number.POSITIVE_INFINITY)].map((bars) =>
      named(symbol, bars),
    );
  };

  it.each([35, 90, 300])('by %i minutes is a day, marked as seen in part', async (minute) => {
    const symbol = `LATE${minute}`;
    await bring(app, lateFrom(symbol, minute));
    const own = rowsBetween(minutes('ACME'), session.open + minute * MINUTE_MS, session.close).columns;
    const seen = {
      from: new Date(session.open + minute * MINUTE_MS).toISOString(),
      to: new Date(session.close).toISOString(),
    };
    const day = await parsed(symbol, DAY);
    expect(day.price).toMatchObject({ partial: seen, previous_partial: null });
    expect(day.price.regular).toMatchObject({
      open: rounded(own.open[0]!),
      close: rounded(own.close.at(-1)!),
      final: true,
    });
    expect(day.levels.opening_from).toBe(seen.from);
    expect([day.levels.orb_5m_high, day.levels.orb_30m_high]).toEqual([null, null]);
    expect(day.levels.ib_high === null).toBe(minute >= 60);
    const next = await parsed(symbol, NEXT);
    expect(next.price).toMatchObject({
      partial: null,
      previous_partial: seen,
      previous_close: rounded(own.close.at(-1)!),
    });
    expect(next.levels).toMatchObject({ prior_date: DAY, opening_from: null });
    expect([next.levels.pdh, next.levels.pdl]).toEqual(
      [Math.max(...own.high), Math.min(...own.low)].map(rounded),
    );
    expect((await parsed(symbol, AFTER)).price).toMatchObject({ partial: null, previous_partial: null });
    // Of a reported day nothing is in part.
    await bring(app, [named(symbol, dailyBars('ACME', DAY, DAY))]);
    expect((await parsed(symbol, DAY)).price.partial).toBeNull();
    expect((await parsed(symbol, NEXT)).price.previous_partial).toBeNull();
  });

  it('is not made of a feed that stopped, and the next session says so', async () => {
    const all = minutes('ACME');
    const stopped = session.open + 180 * MINUTE_MS;
    const parts = [rowsBetween(all, 0, stopped), rowsBetween(all, calendar.session(NEXT)!.preOpen, Infinity)];
    await bring(
      app,
      [history('ACME'), ...parts].map((bars) => named('STOP', bars)),
    );
    const day = await parsed('STOP', DAY);
    expect(day.price).toMatchObject({ incomplete_after: new Date(stopped).toISOString(), partial: null });
    const next = await parsed('STOP', NEXT);
    expect(next.levels.prior_date).toBe(DATES[0]);
    expect(next.price.previous_partial).toEqual({
      from: new Date(session.open).toISOString(),
      to: new Date(stopped).toISOString(),
    });
  });

  it('is made of few trades that end early, where the session before shows that the stock trades so', async () => {
    const rows = DATES.flatMap((date, at): BarRow[] => {
      const { open } = calendar.session(date)!;
      const steps = at === 1 ? [0, 95, 140] : [0, 120, 200, 380];
      return steps.map((minute) => [open + minute * MINUTE_MS, 50 + at, 51 + at, 49 + at, 50.5 + at, 100]);
    });
    const thin: Bars = {
      kind: 'bars',
      symbol: 'THIN',
      interval: '1m',
      columns: asBars(barsOf('bars-1m', rows)),
    };
    await bring(app, [thin]);
    expect((await daysOf('THIN')).time).toHaveLength(DATES.length);
    const { price } = await parsed('THIN', DAY);
    expect(price.partial).toEqual({
      from: new Date(session.open).toISOString(),
      to: new Date(session.open + 141 * MINUTE_MS).toISOString(),
    });
  });
});
