import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { csvFeed } from '../../../src/market/feeds/csv.ts';
import { leanFeed } from '../../../src/market/feeds/lean.ts';
import type { TapedSession } from '../../../src/market/feeds/replay-from-tape.ts';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { openTestApp } from '../../support/app.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';
import { FULL, inFull } from '../../support/depth.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import {
  clockFor,
  inSteps,
  openAppAt,
  playAndCompare,
  seedHistory,
  takeSession,
} from '../../support/replayed.ts';

/**
 * Recorded sessions, played minute by minute through the path of a live feed: after each (in the sample after some) the stored facts are
 * those of a derivation at that instant from the whole tape, byte for byte, with all that came later lying on it.
 */
/** The benchmark symbols of the Lean folder; other symbols change nothing here. */
const isWanted = ({ key }: { key: string }): boolean => /spy/.test(key) && !/tick|second/.test(key);

/** Minutes around the open and the close, and some between. */
function sampleOf({ session }: TapedSession): (at: number) => boolean {
  const minute = (instant: number) => Math.round((instant - session.open) / 60_000);
  const close = minute(session.close);
  return (instant) => {
    const at = minute(instant);
    return Math.abs(at) < 8 || Math.abs(at - close) < 6 || at % 53 === 0 || instant === session.postClose;
  };
}

describe.skipIf(realDataDirectory === null)('a recorded session played again', () => {
  let whole: TestStore;
  let app: App;

  beforeAll(async () => {
    whole = await makeTestStore();
    app = await openTestApp(whole);
    const { calendar } = app.context;
    const lean = leanFeed(`${realDataDirectory}/lean`, calendar);
    await importFeed(app.context, { ...lean, units: async () => (await lean.units()).filter(isWanted) });
    const file = (name: string): string[] => [`${realDataDirectory}/${name}`];
    const daily = file('daily/recent_daily_2024_2026.csv.gz');
    const minutes = ['NVDA', 'SPY'].flatMap((symbol) => file(`intraday/1min/${symbol}_1min.csv.gz`));
    await importFeed(app.context, csvFeed({ paths: daily, calendar, interval: '1d', symbolFrom: 'column' }));
    await importFeed(
      app.context,
      csvFeed({ paths: minutes, calendar, interval: '1m', symbolFrom: 'file-name' }),
    );
  });

  afterAll(async () => {
    await app.close();
    await whole.remove();
  });

  it.each([
    ['SPY', '2013-10-10', inFull(800, 20)],
    ['NVDA', '2026-02-27', inFull(380, 15)],
  ])(
    '%s on %s',
    async (symbol, tradeDate, minutes) => {
      const store = await makeTestStore();
      const taped = await takeSession(app, tradeDate);
      await seedHistory(store, taped);
      const played = await openAppAt(store, clockFor(taped));
      const recorded = taped.recording.liveFeed({ name: 'replay', simulated: false });
      const feed = FULL ? recorded : inSteps(recorded, sampleOf(taped));
      const { report, compared } = await playAndCompare(played, app, feed);
      expect(compared).toBeGreaterThan(minutes);
      expect(report.close).toMatchObject({ failed: [] });
      const [day] = await played.context.database.query(
        'select count(*) as blocks from fact where symbol = $1 and trade_date = $2::date',
        [symbol, tradeDate],
      );
      expect((day as { blocks: number }).blocks).toBeGreaterThan(5);
      await played.close();
      await store.remove();
    },
    600_000,
  );
});
