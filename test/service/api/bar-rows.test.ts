import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { HOUR_MS } from '../../../src/base/dates.ts';
import { BAR_FIELDS } from '../../../src/derive/compose.ts';
import { PACKED_FIELDS, rowReader, SCREEN_CATALOGUE, TEXT_FIELDS } from '../../../src/derive/projection.ts';
import type { ScreenRow } from '../../../src/derive/stock-day.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import type { MarketInstant } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshApp, unitsOf } from '../../support/app.ts';
import { inFull, sampled } from '../../support/depth.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { words } from '../../support/tables.ts';

const { calendar, reader } = { calendar: newYorkCalendar(), reader: rowReader(SCREEN_CATALOGUE.fields) };
/** Every session of twenty years is no sample. */
const TIMEOUT_MS = inFull(900_000, 60_000);
const isOfBars = ({ path }: { readonly path: string }): boolean => BAR_FIELDS.has(path.split('.')[0]!);

/** The fields of bars by path, as a row has them. */
function barValues(row: ScreenRow): Map<string, number | string> {
  const values = new Map<string, number | string>();
  reader.numbers(row.packed, (field, value) => {
    if (isOfBars(PACKED_FIELDS[field]!)) values.set(PACKED_FIELDS[field]!.path, value);
  });
  for (const [field, text] of reader.texts(row.texts).entries()) {
    if (text !== null && isOfBars(TEXT_FIELDS[field]!)) values.set(TEXT_FIELDS[field]!.path, text);
  }
  return values;
}

/** Sessions of a range at their ends, some also in the middle of the session and after the close. */
const instantsOf = (from: string, to: string, step: number): MarketInstant[] =>
  sampled(calendar.sessionsBetween(from, to), step).flatMap((tradeDate, at) => {
    const { open, close, end } = calendar.session(tradeDate)!;
    const instants = at % 5 === 0 ? [open + HOUR_MS, close + HOUR_MS, end] : [end];
    return instants.map((asOf) => ({ tradeDate, asOf }));
  });

/** Compares every field of bars on every day with the derived stock-day; counts the days and the values. */
async function compare({ context }: App, symbol: string, days: readonly MarketInstant[]) {
  const { deriver, tape } = context;
  const [bare] = await tape.symbolTapes([symbol]);
  const window = { tape: bare!, from: days[0]!.asOf, to: days.at(-1)!.asOf };
  const [known] = await tape.withFacts([window]);
  const rows = await deriver.barRows({ tape: bare!, days, fields: [...BAR_FIELDS] });
  const outcomes = await deriver.deriveScreens([{ tape: known!, days }]);
  const found = new Set<string>();
  let withBar = 0;
  for (const [at, outcome] of outcomes.entries()) {
    assert.notEqual(outcome.kind, 'failed', JSON.stringify(outcome));
    const row = rows[at]!;
    if (outcome.kind === 'missing') assert.equal(row, null, outcome.tradeDate);
    if (outcome.kind !== 'derived') continue;
    withBar++;
    const values = barValues(row);
    assert.deepEqual(values, barValues(outcome.screen!), `${symbol} ${outcome.tradeDate}`);
    for (const path of values.keys()) found.add(path);
  }
  return { withBar, found };
}

describe('fields of bars on many dates', { timeout: TIMEOUT_MS }, () => {
  it('are those of each stock-day in the simulated market, from daily bars, minutes and prints', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
    const market = {
      symbols: inFull(3, 2),
      days: 420,
      seed: 3,
      minuteSessions: 8,
      tickSessions: inFull(3, 1),
    };
    await importFeed(app.context, simulatedFeed({ ...market, end: '2024-03-04', calendar }));
    const found = new Set<string>();
    for (const symbol of await app.context.tape.symbols()) {
      const days = instantsOf('2022-08-01', '2024-03-04', inFull(1, 16));
      const recent = calendar.sessionsBetween('2024-02-20', '2024-03-04').flatMap((tradeDate) => {
        const { open, end } = calendar.session(tradeDate)!;
        return [open - HOUR_MS, open + HOUR_MS, end].map((asOf) => ({ tradeDate, asOf }));
      });
      for (const part of [days, recent]) {
        for (const path of (await compare(app, symbol, part)).found) found.add(path);
      }
    }
    const paths = [...PACKED_FIELDS, ...TEXT_FIELDS].filter(isOfBars).map(({ path }) => path);
    // A field that has no value anywhere would be compared to nothing.
    const silent = paths.filter((path) => !found.has(path));
    expect(silent).toEqual(words`
      price.incomplete_after price.partial.from price.partial.to price.previous_partial.from
      price.previous_partial.to levels.opening_from price.partial_feed`);
  });

  it('are those of each stock-day where days are missing, cut short or without a daily bar', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
    const cut = minuteBars('ACME', '2024-02-13', '2024-02-13');
    const half = Object.fromEntries(
      Object.entries(cut.columns).map(([name, column]) => [name, column.subarray(0, column.length >> 1)]),
    ) as unknown as typeof cut.columns;
    const whole = minuteBars('ACME', '2024-02-14', '2024-02-14');
    const { length } = whole.columns.time;
    const ofOneExchange = { ...whole.columns, volume: new Float64Array(length).fill(Number.NaN) };
    const split: Delivery = {
      kind: 'actions',
      symbol: 'ACME',
      actions: [{ kind: 'split', exDate: Date.UTC(2024, 0, 22), value: 4 }],
    } as never;
    await importFeed(
      app.context,
      feedOf({
        before: [dailyBars('ACME', '2023-01-03', '2023-06-30')],
        // A hole of weeks, a split, a day of minutes alone, one whose feed stopped at noon, and one of one exchange.
        after: [dailyBars('ACME', '2023-09-01', '2024-02-09'), split],
        minutes: [
          minuteBars('ACME', '2024-01-18', '2024-01-22'),
          minuteBars('ACME', '2024-02-12', '2024-02-12'),
        ],
        cut: [{ ...cut, columns: half }],
        part: [{ ...whole, columns: ofOneExchange }],
      }),
    );
    // Every session at the hole and from the minutes on; of quiet months in the sample one in eight.
    const quiet = inFull(1, 8);
    const days = [
      ...instantsOf('2023-01-03', '2023-06-16', quiet),
      ...instantsOf('2023-06-20', '2023-09-15', 1),
      ...instantsOf('2023-09-18', '2024-01-12', quiet),
      ...instantsOf('2024-01-16', '2024-02-20', 1),
    ];
    const { withBar, found } = await compare(app, 'ACME', days);
    expect(withBar).toBeGreaterThan(inFull(250, 75));
    const ofParts = ['price.incomplete_after', 'price.partial_feed', 'price.previous_partial.to'];
    expect([...found]).toEqual(expect.arrayContaining(ofParts));
  });
});

describe.skipIf(realDataDirectory === null)(
  'fields of bars of recorded stocks',
  { timeout: TIMEOUT_MS },
  () => {
    const few: readonly (readonly [symbol: string, from: string, to: string])[] = [
      ['IBM', '2013-10-01', '2013-10-14'],
      ['AAPL', '2014-06-02', '2014-06-13'],
    ];

    it.each(sampled(few, 2))(
      'are those of each stock-day of %s over splits, minutes and prints',
      async (symbol, ...near) => {
        const { app } = await freshApp({ TIGRAPH_NOW: '2026-03-10T12:00:00Z' });
        const lean = leanFeed(`${realDataDirectory}/lean`, calendar);
        await importFeed(
          app.context,
          unitsOf(
            lean,
            new RegExp(`^equity.*((daily|minute|factor).*${symbol}|tick.${symbol}.20131007)`, 'i'),
          ),
        );
        const found = new Set<string>();
        for (const [from, to] of [near, ['1998-01-02', '2018-12-31'] as const]) {
          const isShort = from.slice(0, 4) === to.slice(0, 4);
          const step = isShort ? 1 : inFull(1, 100);
          const compared = await compare(app, symbol, instantsOf(from, to, step));
          expect(compared.withBar).toBeGreaterThan(isShort ? 8 : 50);
          for (const path of compared.found) found.add(path);
        }
        expect(found.size).toBeGreaterThan(100);
      },
    );
  },
);
