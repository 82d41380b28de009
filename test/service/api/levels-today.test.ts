import { describe, expect, it } from 'vitest';
import { madeInMinutes } from '../../../src/analysis/levels.ts';
import { sessionBars } from '../../../src/analysis/records/level-events.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshApp, serverOf } from '../../support/app.ts';
import { columnsFrom } from '../../support/bar-columns.ts';
import { levelStateOf } from '../../support/level-states.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { words } from '../../support/tables.ts';

const END = '2024-03-08';
const { app } = await freshApp({ TIGRAPH_NOW: '2026-03-05T22:00:00Z' });
const { calendar } = app.context;
await importFeed(
  app.context,
  simulatedFeed({ symbols: 2, days: 60, minuteSessions: 2, seed: 5, end: END, calendar }),
);

const askedOf = (server: Awaited<ReturnType<typeof serverOf>>) => async (path: string) => {
  const response = await server.inject(`/api/graph/v1/${path}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const server = await serverOf(app);
const asked = askedOf(server);

/** Levels that hold still over the session; the others are compared minute by minute with their paths elsewhere. */
const STILL = words`
  prior_day prior_week prior_month pivot opening overnight recent_range prior_profile`;

interface Rung {
  readonly name: string;
  readonly family: string;
  readonly price: number;
  readonly state: string | null;
  readonly touched_at: string | null;
  readonly decided_at: string | null;
  readonly holds: number | null;
}

/** What the ladder of a minute says of its levels, and what the bars of that minute say by the definition. */
async function statesAt(asked: ReturnType<typeof askedOf>, symbol: string, date: string, clock: string) {
  const { open, close } = calendar.session(date)!;
  const [hours, minutes] = clock.split(':').map(Number);
  const minute = hours! * 60 + minutes! - 570;
  const asOf = new Date(open + minute * 60_000).toISOString();
  const running = new Date(Math.min(open + minute * 60_000, close - 60_000)).toISOString();
  const { level_ladder: ladder } = await asked(`stocks/${symbol}?as_of=${asOf}&include=level_ladder`);
  const { atr } = (await asked(`stocks/${symbol}?as_of=${running}&include=level_ladder`)).level_ladder;
  const rows = await asked(`stocks/${symbol}/bars?interval=1m&from=${date}&session=regular&as_of=${asOf}`);
  const columns = columnsFrom((name) =>
    name === 'time' ? Float64Array.from(rows.time, Date.parse) : Float64Array.from(rows[name] ?? []),
  );
  const bars = sessionBars(columns, open);
  const count = bars.minute.length;
  const endOf = (row: number) => (row < 0 ? null : new Date(columns.time[row]! + 60_000).toISOString());
  const levels = (ladder.levels as Rung[]).filter(({ family }) => STILL.includes(family));
  return levels.map(({ name, price, state, touched_at, decided_at, holds }) => {
    const fromMinute = madeInMinutes(name);
    const seen = { bars, atr, path: Array(count).fill(price), isFixed: true, fromMinute };
    const [shown, touched, decided, held] = levelStateOf(seen, count, open + minute * 60_000 >= close);
    const expected =
      minute < fromMinute || count === 0
        ? [null, null, null, null]
        : [shown, endOf(touched), endOf(decided), held];
    return { name, served: [state, touched_at, decided_at, holds], expected };
  });
}

describe('what became of levels', () => {
  it.each(['09:00', '09:31', '09:50', '10:31', '12:00', '15:59', '16:00', '20:00'])(
    'is served at %s as the bars of the day say it',
    async (clock) => {
      const [symbol] = (await app.context.tape.symbols()).filter((name) => !/^\^/.test(name));
      const states = await statesAt(asked, symbol!, END, clock);
      expect(states.length).toBeGreaterThan(10);
      for (const { name, served, expected } of states) expect([name, ...served]).toEqual([name, ...expected]);
    },
  );

  it.skipIf(realDataDirectory === null)('is so of recorded sessions', async () => {
    const recorded = await freshApp({ TIGRAPH_NOW: '2026-03-05T22:00:00Z' });
    const paths = [`${realDataDirectory}/intraday/1min/SLB_1min.csv.gz`];
    const feed = csvFeed({ paths, calendar, interval: '1m', symbolFrom: 'file-name' });
    await importFeed(recorded.app.context, feed);
    const asked = askedOf(await serverOf(recorded.app));
    for (const date of ['2026-02-18', '2026-02-24', '2026-02-26'])
      for (const clock of ['10:05', '11:37', '14:58', '16:00'])
        for (const { name, served, expected } of await statesAt(asked, 'SLB', date, clock))
          expect([date, clock, name, ...served]).toEqual([date, clock, name, ...expected]);
  });
});

it('has the official close and the print after it as two numbers, everywhere the same', async () => {
  const { postClose } = calendar.session(END)!;
  await syncGraph(app.context, { kind: 'touched' });
  const asOf = new Date(postClose).toISOString();
  const select = ['price.official_close', 'price.day_price', 'price.change_pct', 'price.extended.price'];
  const screened = await server.inject({
    method: 'POST',
    url: '/api/graph/v1/screener',
    payload: { select, date: END },
  });
  const rows = screened.json().rows as Record<string, number | string | null>[];
  expect(rows.length, screened.body).toBeGreaterThan(1);
  expect(rows.some((row) => row['price.extended.price'] !== null)).toBe(true);
  for (const row of rows) {
    const { price, last_price } = await asked(`stocks/${row.symbol}?as_of=${asOf}`);
    const { official_close, day_price, change_pct, extended } = price;
    expect(official_close).toBe(price.regular.close);
    expect(price.change).toBeCloseTo(official_close - price.previous_close, 3);
    expect(select.map((field) => row[field])).toEqual([
      official_close,
      day_price,
      change_pct,
      extended?.price ?? null,
    ]);
    if (extended !== null) expect(extended).toMatchObject({ session: 'after', price: last_price });
  }
});
