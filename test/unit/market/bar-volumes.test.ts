import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { barColumns } from '../../../src/market/observations.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { barsIn, deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

/** Volumes in other units than shares of their bar: equal to those, unknown, or refused by name. */

const calendar = newYorkCalendar();
const root = temporaryFolder();
const DATES = calendar.sessionsBetween('2024-05-01', '2024-06-28');
const TAPE_MIN = 3;
const PART = 0.123457;

interface Drawn {
  readonly daily: boolean;
  readonly seed: number;
  readonly size: number;
}

/** Times, shares and days of the rows of a file. */
function rowsOf({ daily, seed, size }: Drawn, days = 3) {
  const random = mulberry32(seed);
  const shares = (of: number): number => Math.max(1, Math.round(of * Math.exp(random() - 0.5)));
  if (daily) return DATES.map((date) => ({ time: date, date, shares: shares(size * 390) }));
  return DATES.slice(0, days).flatMap((date) => {
    const { open } = calendar.session(date)!;
    return Array.from({ length: 390 }, (_, at) => ({
      time: new Date(open + at * 60_000).toISOString(),
      date,
      shares: shares(at === 0 || at === 389 ? size * 8 : size),
    }));
  });
}

type Rows = ReturnType<typeof rowsOf>;

/** How a file states volumes, and whether they may be kept as they are written. */
const FORMS: Readonly<
  Record<
    string,
    { head: string; of: (rows: Rows) => readonly string[]; is: 'shares' | 'unknown' | 'refused' }
  >
> = {
  shares: { head: 'Volume', of: (rows) => rows.map(({ shares }) => String(shares)), is: 'shares' },
  /** Parts of a share to a millionth, as they are reported. */
  fractions: {
    head: 'Volume',
    of: (rows) => rows.map(({ shares }) => (shares + PART).toFixed(6)),
    is: 'shares',
  },
  ...Object.fromEntries(
    ['Up,Down', 'Buy_Volume,Sell_Volume', 'AskVolume,BidVolume', 'Sell Vol,Buy Vol', 'vol_up,vol_down'].map(
      (head) => [
        head,
        {
          head,
          of: (rows: Rows) =>
            rows.map(({ shares }) => `${Math.floor(shares / 3)},${shares - Math.floor(shares / 3)}`),
          is: 'shares' as const,
        },
      ],
    ),
  ),
  ticksBesideShares: {
    head: '<TICKVOL>,<VOL>',
    of: (rows) => rows.map(({ shares }) => `${Math.ceil(shares / 40)},${shares}`),
    is: 'shares',
  },
  ticksAlone: {
    head: '<TICKVOL>,<VOL>',
    of: (rows) => rows.map(({ shares }) => `${Math.ceil(shares / 40)},0`),
    is: 'unknown',
  },
  millions: { head: 'Volume', of: (rows) => rows.map(({ shares }) => String(shares / 1e6)), is: 'refused' },
  thousandsWithDecimals: {
    head: 'Volume',
    of: (rows) => rows.map(({ shares }) => (shares / 1e3).toFixed(1 + (shares % 3))),
    is: 'refused',
  },
  token: { head: 'Volume', of: (rows) => rows.map(({ shares }) => (shares / 7.3).toFixed(8)), is: 'refused' },
  midpoints: { head: 'Volume', of: (rows) => rows.map(() => '-1'), is: 'unknown' },
  sentinels: { head: 'Volume', of: (rows) => rows.map(() => '-9999'), is: 'unknown' },
  absent: { head: 'Volume', of: (rows) => rows.map((_, at) => (at % 2 === 0 ? 'n/a' : '-')), is: 'unknown' },
  absentSides: { head: 'Buy Volume,Sell Volume', of: (rows) => rows.map(() => ','), is: 'unknown' },
  severalBelow0: { head: 'Volume', of: (rows) => rows.map((_, at) => String(-1 - at)), is: 'refused' },
  noNumbers: { head: 'Volume', of: (rows) => rows.map(() => 'many'), is: 'refused' },
  twoOfThree: {
    head: 'Buy Volume,Sell Volume,Neutral Volume',
    of: (rows) => rows.map(({ shares }) => `${shares},3,3`),
    is: 'refused',
  },
  oneOfTwo: { head: 'Up,Ticks', of: (rows) => rows.map(({ shares }) => `${shares},3`), is: 'refused' },
};

async function read(
  rows: Rows,
  head: string,
  volumes: readonly string[],
  options: Partial<CsvOptions> = {},
  prices = '10,10.02,9.98,10.01',
) {
  const lines = rows.map(({ time }, at) => `${time},${prices},${volumes[at]}`);
  const path = fileIn(root, 'XYZ.csv', `Date,Open,High,Low,Close,${head}\n${lines.join('\n')}\n`);
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar, ...options }));
  return {
    volumes: barsIn(deliveries).flatMap(({ columns }) => [...columns.volume]),
    refused: refusalsIn(deliveries),
  };
}

const drawn = fc.record({
  daily: fc.boolean(),
  seed: fc.integer({ min: 0, max: 1_000 }),
  size: fc.integer({ min: 30, max: 50_000 }),
});

it('volumes of a file are shares, unknown or refused', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, fc.constantFrom(...Object.keys(FORMS)), async (how, name) => {
      const { head, of, is } = FORMS[name]!;
      const rows = rowsOf(how);
      const { volumes, refused } = await read(rows, head, of(rows));
      const shares = rows.map(({ shares }) =>
        name === 'fractions' ? Number((shares + PART).toFixed(6)) : shares,
      );
      if (is === 'shares') expect(volumes, name).toEqual(shares);
      else if (is === 'unknown') expect(volumes, name).toEqual(shares.map(() => Number.NaN));
      else {
        expect(volumes, name).toEqual([]);
        expect(refused.length, name).toBeGreaterThan(0);
      }
      // Whatever they are, they may be left out.
      if (is === 'refused' && name !== 'oneOfTwo')
        expect((await read(rows, head, of(rows), { volumes: 'unknown' })).volumes).toEqual(
          shares.map(() => Number.NaN),
        );
    }),
    { seed: SEED, numRuns: inFull(800, 40) },
  );
});

it('volumes in other units are taken as what they are stated to be', async () => {
  const units = { shares: 1, lots: 100, thousands: 1e3, millions: 1e6 } as const;
  await fc.assert(
    fc.asyncProperty(
      drawn,
      fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
      async (how, unit) => {
        const rows = rowsOf(how);
        const texts = rows.map(({ shares }) => String(shares / units[unit]));
        const { volumes } = await read(rows, 'Volume', texts, { volumes: unit });
        expect(volumes).toEqual(rows.map(({ shares }) => (shares / units[unit]) * units[unit]));
      },
    ),
    { seed: SEED, numRuns: inFull(200, 8) },
  );
});

it('whole thousands that round traded bars to 0 are refused, and bars without a trade are not', async () => {
  const rows = rowsOf({ daily: false, seed: 5, size: 700 });
  const few = rows.map(({ shares }) => String(Math.round(shares / 1e3)));
  expect(few.filter((text) => text === '0').length).toBeGreaterThan(50);
  for (const options of [{}, { volumes: 'thousands' as const }]) {
    const { volumes, refused } = await read(rows, 'Volume', few, options);
    expect(volumes).toEqual([]);
    expect(refused).toMatchObject([
      { reason: 'ambiguous', example: expect.stringMatching(/volume 0 go from/) },
    ]);
  }
  const known = await read(rows, 'Volume', few, { volumes: 'unknown' });
  expect(known.volumes).toHaveLength(rows.length);
  const standing = await read(rows, 'Volume', few, {}, '10.01,10.01,10.01,10.01');
  expect(standing.volumes.length).toBeGreaterThan(0);
});

it('volumes of 0 of an index are none, beside those of stocks in one file', async () => {
  const rows = DATES.flatMap((date, at) => [
    `${date},QZZA,10,10.5,9.5,10.2,${1_234_567 + at}`,
    `${date},^VIX,14,15,13,${14.2 + at / 100},0`,
  ]);
  const path = fileIn(root, 'beside.csv', `Date,Symbol,Open,High,Low,Close,Volume\n${rows.join('\n')}\n`);
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar }));
  expect(refusalsIn(deliveries)).toEqual([]);
  expect(barsIn(deliveries).map(({ symbol, columns }) => [symbol, columns.time.length])).toEqual(
    expect.arrayContaining([
      ['QZZA', DATES.length],
      ['^VIX', DATES.length],
    ]),
  );
});

it('volumes of the day so far are refused, of files too that begin within a day or are read in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 1, max: 9_000 }),
      async (seed, size) => {
        const all = rowsOf({ daily: false, seed, size }, seed % 2 === 0 ? 3 : 40);
        const soFar = new Map<string, number>();
        const grown = all.map(({ date, shares }) => {
          soFar.set(date, (soFar.get(date) ?? 0) + shares);
          return String(soFar.get(date));
        });
        // Of the first day the last two hours.
        const from = seed % 3 === 0 ? 270 : 0;
        const [rows, volumes] = [all.slice(from), grown.slice(from)];
        const { volumes: kept, refused } = await read(rows, 'Volume', volumes);
        expect(kept).toEqual([]);
        expect(refused).toMatchObject([
          { reason: 'ambiguous', example: expect.stringMatching(/day so far/) },
        ]);
      },
    ),
    { seed: SEED, numRuns: inFull(200, 8) },
  );
});

it('volumes far from those that the tape has of these days, or of days beside them, are asked for', async () => {
  const rows = rowsOf({ daily: true, seed: 3, size: 5_000 });
  const besides = (factor: number, days: (at: number) => boolean): Partial<CsvOptions> => {
    const kept = rows.filter((_, at) => days(at));
    expect(kept.length).toBeGreaterThanOrEqual(TAPE_MIN);
    const column = (name: string): number[] =>
      kept.map(({ date, shares }) =>
        name === 'time' ? Date.parse(date) : name === 'volume' ? shares * factor : 10.01,
      );
    const bars = barColumns((name) => Float64Array.from(column(name)));
    return { known: async () => ({ bars, splits: [] }) };
  };
  const own = rows.slice(0, 30);
  const texts = own.map(({ shares }) => String(shares));
  const isKept = async (known: Partial<CsvOptions>): Promise<boolean> =>
    (await read(own, 'Volume', texts, known)).volumes.length > 0;
  expect(await isKept(besides(1, (at) => at < 30))).toBe(true);
  expect(await isKept(besides(1.3, (at) => at >= 30))).toBe(true);
  expect(await isKept(besides(40, (at) => at < 30))).toBe(false);
  expect(await isKept(besides(40, (at) => at >= 30))).toBe(false);
  // Ten times as much is no other vendor.
  for (const factor of [0.001, 0.01, 0.1, 10, 100, 1e6])
    expect(await isKept(besides(factor, (at) => at < 30)), String(factor)).toBe(false);
});
