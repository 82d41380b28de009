import { expect, it, onTestFinished } from 'vitest';
import { midnightUtc } from '../../../src/base/calendar.ts';
import { readStockView, SegmentReader, WalkingReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshApp } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';

it('shows a walker what any reader shows, of one symbol after the other', async () => {
  const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-13T15:00:00Z' });
  const { calendar, tape } = app.context;
  const actions = [{ kind: 'split', exDate: midnightUtc('2024-03-05'), value: 4 } as const];
  const daily = ['ACME', 'BETA'].map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12'));
  const early = ['ACME', 'BETA'].map((symbol) => minuteBars(symbol, '2024-02-20', '2024-03-04'));
  // The newer version of two sessions, and those after them.
  const late = ['ACME', 'BETA'].map((symbol) => ({
    ...minuteBars('OTHER', '2024-03-01', '2024-03-12'),
    symbol,
  }));
  await importFeed(
    app.context,
    feedOf({ daily, early, late, actions: [{ kind: 'actions', symbol: 'ACME', actions }] }),
  );
  const plain = new SegmentReader(tape.location);
  const walking = new WalkingReader(tape.location);
  onTestFinished(() => {
    plain.close();
    walking.close();
  });
  const tapes = await tape.symbolTapes(['ACME', 'BETA']);
  expect(tapes).toHaveLength(2);
  for (const one of tapes) {
    for (const date of calendar.sessionsBetween('2024-02-26', '2024-03-12')) {
      const views = [plain, walking].map((reader) => {
        const view = readStockView(reader, one, calendar, date, calendar.session(date)!.close)!;
        return { ...view, sessionOn: null };
      });
      expect(views[1], `${one.symbol} ${date}`).toEqual(views[0]);
      expect(views[0]!.priorIntraday.time).toHaveLength(395);
      expect(views[0]!.daily.time.length).toBeGreaterThan(180);
    }
  }
});
