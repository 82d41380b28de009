import { expect, it } from 'vitest';
import { startDemo } from '../../../src/cli/leave-demo.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { bring, freshApp } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

/** What a start does about the simulated market, by option, setting and what is there. */
it('builds the demo into an empty store alone, and leaves it whole and for good when that is asked for', async () => {
  const { app } = await freshApp({ TIGRAPH_NOW: '2024-07-01T12:00:00Z', TIGRAPH_DEMO: 'off' });
  const { calendar, tape } = app.context;
  const demo = { symbols: 2, days: 30, minuteSessions: 0, tickSessions: 0, seed: 3, end: '2024-06-28' };
  let built = 0;
  const start = async (leaves: boolean, mayBuild: boolean) => {
    const isOffered = await startDemo(app, { leaves, mayBuild }, async () => {
      built++;
      await importFeed(app.context, simulatedFeed({ ...demo, calendar }));
    });
    const symbols = await tape.symbols();
    return { isOffered, built, symbols: symbols.length };
  };
  // TIGRAPH_DEMO=off.
  expect(await start(false, false)).toEqual({ isOffered: false, built: 0, symbols: 0 });
  const first = await start(false, true);
  expect(first).toMatchObject({ isOffered: false, built: 1 });
  expect(first.symbols).toBeGreaterThan(1);
  // It is built once, and offered to be left while it is there.
  expect(await start(false, true)).toEqual({ ...first, isOffered: true });
  await bring(app, [dailyBars('OWN', '2024-06-03', '2024-06-26')]);
  expect(await start(true, true)).toEqual({ isOffered: false, built: 1, symbols: 1 });
  // Left is left, also in a store that is empty again.
  expect(await start(false, true)).toEqual({ isOffered: false, built: 1, symbols: 1 });
  const { app: empty } = await freshApp({ TIGRAPH_NOW: '2024-07-01T12:00:00Z' });
  const never = async (): Promise<never> => Promise.reject(new Error('built'));
  await startDemo(empty, { leaves: true, mayBuild: true }, never);
  await startDemo(empty, { leaves: false, mayBuild: true }, never);
  expect(await empty.context.tape.symbols()).toEqual([]);
});
