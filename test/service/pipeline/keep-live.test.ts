import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { fixedClock, steppingClock } from '../../../src/base/clock.ts';
import { LIVE_SOURCES } from '../../../src/cli/live-sources.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { keepLive } from '../../../src/pipeline/keep-live.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshStore } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { coldNumbers, openAppAt, storedNumbers, takeSession } from '../../support/replayed.ts';
import { at } from '../../support/tape.ts';

const MARKET = { symbols: 3, seed: 3, minuteSessions: 2 };
/** The market has no data before it, so that every history begins on the same day. */
const FIRST = '2023-12-04';
const calendar = newYorkCalendar();
const LOG = { info: () => {}, warn: () => {}, error: (fault: unknown) => Promise.reject(fault) };

/** An app whose clock is fixed at an instant, on a market that was simulated up to a date. */
async function marketUntil(end: string, now: number, chainSessions = 0): Promise<App> {
  const store = await freshStore();
  const before = await openAppAt(store, fixedClock(calendar.session(end)!.postClose));
  const days = Math.max(20, calendar.sessionCount(FIRST, end));
  await importFeed(before.context, simulatedFeed({ ...MARKET, days, end, chainSessions, calendar }));
  await before.close();
  const app = await openAppAt(store, fixedClock(now));
  onTestFinished(() => app.close());
  return app;
}

async function newestBars({ context }: App): Promise<{ daily: string; minute: string }> {
  const [row] = await context.database.query<{ daily: string; minute: string }>(
    `select (date '1970-01-01' + max(last_day) filter (where kind = 'bars-1d'))::text as daily,
       (date '1970-01-01' + max(last_day) filter (where kind = 'bars-1m'))::text as minute from tape_slice`,
  );
  return row!;
}

describe('a simulated market that is served', { timeout: 240_000 }, () => {
  it('makes up for what it missed and takes up the session that runs', async () => {
    const now = at('2024-03-05', '10:00');
    const app = await marketUntil('2024-02-28', now);
    const moving = app.context.scope.child('moving');
    await keepLive(moving, app.context, app.leases, LIVE_SOURCES.simulation(), LOG);
    await app.idle();
    const stored = () => storedNumbers(app, '2024-03-05', now);
    expect((await stored()).size).toBeGreaterThan(3);
    expect(app.context.live.running).toEqual({ feed: 'simulated', tradeDate: '2024-03-05' });
    await moving.close();
    expect(app.context.live.running).toBeNull();
    expect(await newestBars(app)).toEqual({ daily: '2024-03-04', minute: '2024-03-04' });
    // What was made up for has the option chain of its newest session, which is the one before.
    const whole = await marketUntil('2024-03-05', now, 2);
    const cold = await coldNumbers(whole, ['SIMX'], '2024-03-05', now);
    expect((await stored()).get('SIMX')).toEqual(cold.get('SIMX'));
  });

  it('does not move outside of session hours', async () => {
    const app = await marketUntil('2024-02-28', at('2024-03-01', '20:00'));
    await keepLive(app.context.scope, app.context, app.leases, LIVE_SOURCES.simulation(), LOG);
    await app.idle();
    expect((await newestBars(app)).daily).toBe('2024-03-01');
    expect(app.context.live.running).toBeNull();
  });

  it('is left alone when it has not moved for more than a year', async () => {
    const app = await marketUntil('2022-12-30', at('2024-03-05', '10:00'));
    const lines: string[] = [];
    const log = { ...LOG, info: (_of: object, line: string) => lines.push(line) };
    await keepLive(app.context.scope, app.context, app.leases, LIVE_SOURCES.simulation(), log);
    await app.idle();
    expect(lines).toEqual(['the simulated market is left at its last session, long ago']);
    expect((await newestBars(app)).daily).toBe('2022-12-30');
  });
});

describe('a recorded session that is served', { timeout: 240_000 }, () => {
  const DATE = '2024-03-05';
  const session = calendar.session(DATE)!;

  it('runs by the clock on what was known before it, once, and never when it is over already', async () => {
    const whole = await marketUntil(DATE, session.postClose);
    await syncGraph({ ...whole.context, delayMs: 0 }, { kind: 'range', from: DATE, to: DATE });
    const taped = await takeSession(whole, DATE);
    const store = await freshStore();
    const opened = async (now: number) => {
      const app = await openAppAt(store, steppingClock(now));
      const lines: string[] = [];
      const log = { ...LOG, info: (_of: object, line: string) => lines.push(line) };
      return {
        app,
        lines,
        replay: () =>
          keepLive(app.context.scope, app.context, app.leases, LIVE_SOURCES.recording(taped), log),
      };
    };
    const late = await opened(session.postClose);
    await expect(late.replay()).rejects.toMatchObject({
      code: 'bad_setting',
      message: expect.stringContaining('TIGRAPH_NOW=2024-03-05T09:00:00.000Z*60@'),
    });
    await late.app.close();
    const first = await opened(at(DATE, inFull('15:55', '19:45')));
    await first.replay();
    await first.app.idle();
    expect(first.lines).toContain('the recorded session has ended');
    const stored = await storedNumbers(first.app, DATE, session.postClose);
    expect(stored).toEqual(await storedNumbers(whole, DATE, session.postClose));
    expect(stored.size).toBeGreaterThan(3);
    await first.app.close();
    const again = await opened(session.end);
    await again.replay();
    await again.app.idle();
    expect(again.lines).toEqual(['the recorded session is on the tape already']);
    await again.app.close();
  });
});
