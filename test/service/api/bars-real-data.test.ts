import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { unitsOf } from '../../support/app.ts';
import { sampled } from '../../support/depth.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import { numbers, words } from '../../support/tables.ts';

const MINUTES = sampled(
  ['COIN', 'IONQ', 'META', 'NFLX', 'NKE', 'NVDA', 'ORCL', 'QQQ', 'SLB', 'SOXL', 'SPY', 'XLF', 'XLK'],
  6,
);
const FIVES = sampled(['AAPL', 'AMD', 'AMZN', 'JPM', 'MSFT', 'TSLA'], 6);
/** Of the minute bars: the change of the clock on 2025-11-02, two early closes. Of the rest the newest as well. */
const DATES = words`
  2025-10-30 2025-10-31 2025-11-03 2025-11-04 2025-11-26 2025-11-28 2025-12-23 2025-12-24 2026-02-26
  2026-02-27`;
/** Of the exchange's list of early closes: 13:00 New York. */
const EARLY_CLOSES = ['2025-11-28', '2025-12-24'];
const PRE_OPEN = 240;
const OPEN = 570;
const closeOn = (date: string): number => (EARLY_CLOSES.includes(date) ? 780 : 960);
const LENGTHS = { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '1h': 60 };

interface Row {
  readonly date: string;
  /** Minutes since midnight in New York. */
  readonly minute: number;
  readonly values: readonly [open: number, high: number, low: number, close: number, volume: number];
}

/** A recorded file, read by a few lines that know nothing of the importers. */
function rowsOf(path: string): Row[] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n').slice(1);
  return lines.map((line) => {
    const [when, ...values] = line.trim().split(',');
    const [date, clock] = when!.split(' ');
    const [hour, minute] = clock!.split(':').map(Number);
    return { date: date!, minute: hour! * 60 + minute!, values: values.map(Number) as never };
  });
}

const instantOf = (date: string, minute: number): string =>
  Temporal.PlainDate.from(date)
    .toZonedDateTime({
      timeZone: 'America/New_York',
      plainTime: { hour: Math.floor(minute / 60), minute: minute % 60 },
    })
    .toInstant()
    .toString({ fractionalSecondDigits: 3 });

/** Rows summed into bars that are counted from 04:00, from the open and from the close. */
function summed(rows: readonly Row[], length: number, session: 'regular' | 'all' = 'regular') {
  const bars = new Map<string, number[]>();
  for (const { date, minute, values } of rows) {
    const close = closeOn(date);
    const isRegular = minute >= OPEN && minute < close;
    if (session === 'regular' && !isRegular) continue;
    const start = isRegular ? OPEN : minute < OPEN ? PRE_OPEN : close;
    const time = instantOf(date, start + Math.floor((minute - start) / length) * length);
    const bar = bars.get(time);
    if (bar === undefined) bars.set(time, [...values]);
    else {
      bar[1] = Math.max(bar[1]!, values[1]);
      bar[2] = Math.min(bar[2]!, values[2]);
      bar[3] = values[3];
      bar[4]! += values[4];
    }
  }
  return bars;
}

const files = [
  ...MINUTES.map((symbol) => ({ interval: 1, path: `intraday/1min/${symbol}_1min.csv.gz` })),
  ...FIVES.map((symbol) => ({ interval: 5, path: `intraday/5min/${symbol}_5min.csv.gz` })),
].map(({ interval, path }) => ({ interval, path: resolve(realDataDirectory ?? '', path) }));
const { server } = await onRealData(
  async (app) => {
    const { calendar } = app.context;
    for (const interval of [1, 5] as const) {
      const paths = files.filter((file) => file.interval === interval).map(({ path }) => path);
      await importFeed(
        app.context,
        csvFeed({ paths, calendar, interval: `${interval}m`, symbolFrom: 'file-name' }),
      );
    }
    const lean = leanFeed(`${realDataDirectory}/lean`, calendar);
    await importFeed(app.context, unitsOf(lean, /(daily|factor_files).aapl|(minute|tick).spy.20131008/i));
  },
  { TIGRAPH_NOW: '2026-03-10T12:00:00Z' },
);

describe.skipIf(realDataDirectory === null)('bars of recorded sessions', () => {
  const get = async (symbol: string, query: string) => {
    const response = await server.inject({ url: `/api/graph/v1/stocks/${symbol}/bars?${query}` });
    assert.equal(response.statusCode, 200, response.body);
    return response.json();
  };

  it.each(files.map(({ interval, path }) => [basename(path).split('_')[0]!, interval, path] as const))(
    '%s: each interval is what an own sum of the %i-minute file gives',
    async (symbol, interval, path) => {
      const rows = rowsOf(path);
      let compared = 0;
      for (const date of DATES) {
        const own = rows.filter((row) => row.date === date);
        for (const [name, length] of Object.entries(LENGTHS)) {
          if (length < interval) continue;
          for (const session of ['regular', 'all'] as const) {
            const query = `interval=${name}&from=${date}&to=${date}&adjusted=false&session=${session}`;
            const bars = await get(symbol, query);
            const expected = summed(own, length, session);
            assert.deepEqual(bars.time, [...expected.keys()], query);
            const isEarly = session === 'all' && own.length > 0 && EARLY_CLOSES.includes(date);
            assert.deepEqual(bars.early_closes, isEarly ? [instantOf(date, 780)] : undefined, query);
            for (const [at, column] of ['open', 'high', 'low', 'close', 'volume'].entries()) {
              const values = Array.from(expected.values(), (bar) => bar[at]);
              assert.deepEqual(bars[column], values, `${column} of ${query}`);
            }
            compared += bars.time.length;
          }
        }
        const daily = await get(symbol, `interval=1d&from=${date}&to=${date}&adjusted=false`);
        if (own.length === 0) continue;
        const [[open, high, low, close, volume]] = summed(own, 1_000).values() as unknown as [number[]];
        assert.deepEqual(
          [daily.time, daily.open, daily.high, daily.low, daily.close, daily.volume],
          [[date], [open], [high], [low], [close], [volume]],
        );
      }
      expect(compared).toBeGreaterThan(500);
    },
  );

  it('AAPL: before its split of seven for one as traded, or in the shares of an instant', async () => {
    // Lean's daily file: closes of 645.5700 on Friday, 2014-06-06, and of 93.7000 on Monday; 12,116,671 shares on Friday.
    const query = 'interval=1d&from=2014-06-06&to=2014-06-09';
    const raw = await get('AAPL', `${query}&adjusted=false`);
    expect([raw.close, raw.volume]).toEqual(numbers`645.57 93.7, 12116671 72875948`);
    const adjusted = await get('AAPL', `${query}&as_of=2014-07-01T12:00:00Z`);
    expect(adjusted.close).toEqual([92.224286, 93.7]);
    expect(adjusted.volume).toEqual([84_816_697, 72_875_948]);
    // On Friday nobody knew it in those shares.
    const friday = await get('AAPL', `${query}&as_of=2014-06-06T23:00:00Z`);
    expect([friday.time, friday.close]).toEqual([['2014-06-06'], [645.57]]);
    // Another, of four for one, followed in 2020.
    expect((await get('AAPL', query)).close).toEqual([23.056071, 23.425]);
    const weeks = await get('AAPL', 'interval=1w&from=2014-06-04&to=2014-06-11&as_of=2014-07-01T12:00:00Z');
    expect([weeks.time, weeks.close, weeks.volume]).toEqual([
      ['2014-06-02', '2014-06-09'],
      [92.224286, 91.28],
      [7 * 57_537_136, 283_618_048],
    ]);
  });

  it('SPY: minutes of prints, with their volume-weighted price', async () => {
    const bars = await get('SPY', 'interval=30m&from=2013-10-08&to=2013-10-08');
    expect(bars.time).toHaveLength(13);
    for (const [at, vwap] of bars.vwap.entries()) {
      assert(vwap > bars.low[at] - 0.01 && vwap < bars.high[at] + 0.01, `${bars.time[at]}: ${vwap}`);
    }
  });
});
