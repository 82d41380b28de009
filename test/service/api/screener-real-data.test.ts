import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scalarAt } from '../../../src/derive/scalar-fields.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { FULL, inFull } from '../../support/depth.ts';
import { filesOfArchive, realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

/** Close between 20 and 60 dollars, at least 5 million shares, close under 0.88 of its average over 50 sessions. */
const EXPECTED: readonly (readonly [string, number, number, number])[] = [
  ['CSCO', 46.25, 61_385_211, 0.8328891257995735],
  ['PFE', 34.48, 29_140_094, 0.8315687418905164],
  ['WMB', 22.92, 10_311_327, 0.8600117069656446],
  ['AAL', 25.41, 10_112_638, 0.809596635442554],
  ['KHC', 25.06, 9_975_047, 0.8256947235932547],
  ['BKR', 20.71, 7_326_650, 0.8632331855013504],
  ['DVN', 21.62, 7_225_485, 0.8209232918948066],
  ['DXC', 30.61, 6_574_921, 0.5881064547613375],
  ['MPC', 45.4, 6_292_788, 0.868786454585815],
  ['COP', 50.91, 6_069_829, 0.8670461164304472],
  ['VIAC', 43.35, 6_028_151, 0.8635320552660519],
  ['NTAP', 46.47, 5_107_461, 0.8052358524895252],
  ['GLW', 27.13, 5_039_814, 0.8552855575591733],
];

const DATE = '2019-08-15';
const { app, server } = await onRealData(async (app) => {
  const archive = 'daily/sp500_daily_adjusted_2016_2019.zip';
  const expected = new Set(EXPECTED.map(([symbol]) => `${symbol}.csv`));
  const paths = FULL
    ? [resolve(realDataDirectory!, archive)]
    : [await filesOfArchive(archive, (name, place) => place % 16 === 0 || expected.has(name))];
  const { calendar } = app.context;
  await importFeed(app.context, csvFeed({ paths, calendar, interval: '1d', symbolFrom: 'file-name' }));
  await syncGraph(app.context, { kind: 'range', from: DATE, to: DATE });
});

/**
 * The S&P 500 on 15 August 2019, screened. What is expected was worked out from the vendor's file by a few lines of Python
 * that know none of this project's code: closes, volumes, and averages of closes on the basis of the day.
 */
describe.skipIf(realDataDirectory === null)('recorded data', () => {
  async function screen(payload: object) {
    const response = await server.inject({ method: 'POST', url: '/api/graph/v1/screener', payload });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  }

  const fallen = {
    date: DATE,
    filter: {
      all: [
        { field: 'last_price', op: 'between', value: [20, 60] },
        { field: 'volume', op: '>=', value: 5_000_000 },
        { field: 'computed.to_average', op: '<', value: 0.88 },
      ],
    },
    computed: { to_average: 'last_price / technical.moving_averages.sma_50' },
    sort: [{ field: 'volume', order: 'desc' }],
    select: ['last_price', 'volume', 'computed.to_average'],
  };

  it('finds the stocks that a few lines of Python find in the file', async () => {
    const { universe, rows } = await screen(fallen);
    expect(universe).toBe(inFull(442, 40));
    expect(rows.map(({ symbol }: { symbol: string }) => symbol)).toEqual(EXPECTED.map(([symbol]) => symbol));
    for (const [at, [, close, volume, ratio]] of EXPECTED.entries()) {
      expect([rows[at].last_price, rows[at].volume]).toEqual([close, volume]);
      expect(rows[at]['computed.to_average']).toBeCloseTo(ratio, 6);
    }
  });

  it('finds what a plain filter over all stock details finds, page by page', async () => {
    const request = {
      date: DATE,
      filter: {
        any: [
          {
            all: [
              { field: 'technical.rsi_14', op: '<', value: 35 },
              { field: 'net_confluence', op: '<', value: 0 },
            ],
          },
          { field: 'last_price', op: '>', other: 'technical.bollinger.upper' },
        ],
      },
      sort: [{ field: 'technical.rsi_14' }],
      limit: 7,
    };
    const symbols = await app.context.tape.symbols();
    const plain: { symbol: string; rsi: number }[] = [];
    const number = (answer: Record<string, unknown>, path: string): number =>
      (scalarAt(answer, path) as number | null) ?? Number.NaN;
    for (const symbol of symbols) {
      const response = await server.inject({ url: `/api/graph/v1/stocks/${symbol}?date=${DATE}` });
      if (response.statusCode !== 200) continue;
      const answer = response.json();
      const rsi = number(answer, 'technical.rsi_14');
      const isLow = rsi < 35 && number(answer, 'net_confluence') < 0;
      if (isLow || number(answer, 'last_price') > number(answer, 'technical.bollinger.upper')) {
        plain.push({ symbol, rsi });
      }
    }
    plain.sort((one, other) => one.rsi - other.rsi || (one.symbol < other.symbol ? -1 : 1));
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await screen(cursor === undefined ? request : { ...request, cursor });
      expect(page.total).toBe(plain.length);
      found.push(...page.rows.map(({ symbol }: { symbol: string }) => symbol));
      cursor = page.next_cursor;
    }
    expect(plain.length).toBeGreaterThan(inFull(20, 7));
    expect(found).toEqual(plain.map(({ symbol }) => symbol));
  });
});
