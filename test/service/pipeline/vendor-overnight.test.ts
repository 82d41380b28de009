import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { clockOn } from '../../../src/base/clock.ts';
import { isLate } from '../../../src/base/lateness.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { LIVE_SOURCES } from '../../../src/cli/live-sources.ts';
import { alpacaVendor } from '../../../src/live/vendors/alpaca.ts';
import { keepLive } from '../../../src/pipeline/keep-live.ts';
import { appOn, freshStore, serverOf } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { at } from '../../support/tape.ts';
import { AlpacaDouble } from '../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../support/vendors/market.ts';

/** What changes between two sessions: overnight a company takes another ticker, another splits its shares. */

const MINUTE_MS = 60_000;
/** A lease is lost that is renewed less often, and each renewal is a step of the clock. */
const BEAT_MS = 8_000;
/** In full a weekend, else a night between two days. */
const [EVENING, MORNING] = inFull(['2024-03-08', '2024-03-11'], ['2024-03-06', '2024-03-07']);
const calendar = newYorkCalendar();
const made = await marketOfDouble(MORNING, 310, 21);
const [FIRST, SECOND, ...OTHERS] = [...made.minutes.keys()].sort() as [string, string, ...string[]];
const market = {
  ...made,
  actions: {
    forward_splits: [{ symbol: SECOND, new_rate: 2, old_rate: 1, ex_date: MORNING, process_date: MORNING }],
    name_changes: [{ old_symbol: FIRST, new_symbol: 'NEWT', process_date: MORNING }],
  },
};

const SERVICES: readonly (readonly [which: string, runsOn: boolean])[] = [
  // Its night has thousands of steps of the clock, which take long under lateness.
  ...(isLate ? [] : [['a service that runs on', true] as const]),
  ['one that begins in the morning', false],
];

describe('a night', { timeout: 240_000 }, () => {
  it.each(SERVICES)(
    'brings %s the new ticker with its history, and the split before the open',
    async (_, runsOn) => {
      const timers = new SteppedTimers(runsOn ? at(EVENING, '19:58') + 2_000 : at(MORNING, '03:50'), BEAT_MS);
      const double = new AlpacaDouble(market, timers.now);
      await double.listen();
      const app = await appOn(await freshStore(), {}, { timers, clock: clockOn(timers) });
      onTestFinished(() => double.close());
      const lines: string[] = [];
      const log = {
        info: (_of: object, line: string) => void lines.push(line),
        warn: () => {},
        error: (fault: unknown) => Promise.reject(fault),
      };
      const source = LIVE_SOURCES.vendor({
        vendor: alpacaVendor(double.access, { timers, random: () => 0.5 }),
        chosen: [FIRST, SECOND, ...OTHERS],
      });
      const step = async (ms: number): Promise<void> => {
        await timers.advance(ms, () => app.idle());
        await app.idle();
      };
      if (!runsOn) double.renamed.set(FIRST, 'NEWT');
      const begun = runsOn ? double.subscribed() : null;
      await keepLive(app.context.scope, app.context, app.leases, source, log);
      await app.idle();
      await begun;
      if (runsOn) {
        for (let minute = 0; minute < 3; minute++) await step(MINUTE_MS);
        await step(20 * MINUTE_MS);
        double.renamed.set(FIRST, 'NEWT');
      }
      const subscribed = double.subscribed();
      await step(at(MORNING, '04:00') + 2_000 - timers.now());
      await subscribed;
      expect(lines).toContain(`${FIRST} trades as NEWT now`);
      const open = calendar.session(MORNING)!.preOpen;
      for (let end = open + MINUTE_MS; end <= open + 3 * MINUTE_MS; end += MINUTE_MS) {
        double.push(double.barsOf(end));
        await double.taken();
        await step(MINUTE_MS);
      }
      const [tape] = await app.context.tape.symbolTapes(['NEWT']);
      expect(
        tape!.slices.reduce((rows, slice) => rows + (slice.kind === 'bars-1d' ? slice.rows : 0), 0),
      ).toBeGreaterThan(290);
      expect(app.context.live).toMatchObject({ skipped: 0, gaps: 0, failed: 0, refused: new Map() });
      const [split] = await app.context.tape.symbolTapes([SECOND]);
      expect(split!.actions).toContainEqual({ kind: 'split', exDate: Date.parse(MORNING), value: 2 });
      const server = await serverOf(app);
      const found = (await server.inject(`/api/graph/v1/symbols?q=${FIRST}&limit=5`)).json() as {
        symbols: { symbol: string }[];
      };
      expect(found.symbols.map(({ symbol }) => symbol)).toContain('NEWT');
      const dates = new Set(double.calls.flatMap((path) => /asof=([\d-]+)/.exec(path)?.[1] ?? []));
      expect([...dates].sort()).toEqual([
        ...(runsOn ? [calendar.previousSession(EVENING)] : []),
        EVENING,
        MORNING,
      ]);
    },
  );
});
