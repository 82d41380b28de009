import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { replayClock } from '../../src/base/clock.ts';
import type { FaultPoint } from '../../src/base/fault-points.ts';
import { realTimers, rest } from '../../src/base/timers.ts';
import type { Bar } from '../../src/market/observations.ts';
import { startCommand } from '../support/command.ts';
import { FULL } from '../support/depth.ts';
import { at } from '../support/tape.ts';
import { AlpacaDouble } from '../support/vendors/alpaca.ts';
import { contractsOf } from '../support/vendors/contracts.ts';
import { marketOfDouble } from '../support/vendors/market.ts';
import { flowOf, ticksOf } from '../support/vendors/ticks.ts';

/**
 * The service is killed behind each durable step that it takes while a vendor streams; the vendor goes on sending. It
 * takes minutes: `npm run test:faults` does it, and `npm run test:full`.
 */

const MINUTE_MS = 60_000;
const DATE = '2024-03-05';
const session = newYorkCalendar().session(DATE)!;
/** A minute a second. */
const SPEED = 60;
const FROM = at(DATE, '10:30');
/** A step that is not taken by then never will. */
const PASSES_WITHIN_MS = 30_000;
const DELAY_MS = 15 * MINUTE_MS;

const POINTS: readonly FaultPoint[] = [
  'minutes.committed',
  'minute-market.stored',
  'days.committed',
  'touched.cleared',
  'segment.written',
  'segment.synced',
  'segment.renamed',
  'segment.stored',
  'database.written',
  'database.synced',
];
const ALL = FULL || process.env.TIGRAPH_TEST_FAULTS === 'all';

const simulated = await marketOfDouble(DATE, 60, 2);
const SYMBOLS = [...simulated.minutes.keys()];
const ticks = new Map(
  SYMBOLS.map((symbol, place) => [
    symbol,
    ticksOf(
      simulated.minutes.get(symbol)!.filter(({ time }) => time >= session.open),
      place,
    ),
  ]),
);

describe.runIf(ALL)('the market of a vendor', { timeout: 600_000 }, () => {
  it('is whole after kills at every step, with each row once, and is served again within seconds', async () => {
    const since = Math.ceil(Date.now() / 1_000) * 1_000;
    const clock = replayClock({ from: FROM, speed: SPEED, since });
    const options = (symbol: string, now: number) =>
      contractsOf(symbol, simulated.days.get(symbol)!.at(-1)!.close, (now - session.midnight) / MINUTE_MS);
    const double = new AlpacaDouble({ ...simulated, ticks, options }, clock.now, { opensSip: true });
    await double.listen();
    onTestFinished(() => double.close());
    let sent = FROM;
    const stop = realTimers.every(100, () => {
      for (; sent + MINUTE_MS <= clock.now(); sent += MINUTE_MS) {
        double.push(double.ticksOf(sent, sent + MINUTE_MS));
        double.push(double.barsOf(sent + MINUTE_MS));
      }
    });
    onTestFinished(stop);
    const settings = {
      TIGRAPH_DATA_DIR: mkdtempSync(join(tmpdir(), 'tigraph-kills-')),
      TIGRAPH_NOW: `${new Date(FROM).toISOString()}*${SPEED}@${new Date(since).toISOString()}`,
      PORT: '0',
      TIGRAPH_WORKERS: '1',
      ALPACA_KEY_ID: double.keyId,
      ALPACA_SECRET_KEY: double.secretKey,
      ALPACA_FEED: 'sip',
      ...double.settingsOfHosts,
      TIGRAPH_SYMBOLS: SYMBOLS.join(','),
    };
    const started = async (fault: Record<string, string>, awaited: RegExp) => {
      const began = performance.now();
      const service = startCommand(['serve'], { ...settings, ...fault });
      await expect.poll(service.output, { timeout: 60_000 }).toMatch(awaited);
      return { ...service, seconds: (performance.now() - began) / 1_000 };
    };
    const first = await started({}, /the stream runs/);
    first.process.kill('SIGKILL');
    await first.ended;
    for (const point of POINTS) {
      const service = startCommand(['serve'], { ...settings, TIGRAPH_FAULT: `${point}:1` });
      const base = await addressOf(service).catch(() => null);
      // Somebody looks: chains are written as segments.
      if (base !== null) await fetch(`${base}/api/graph/v1/stocks/${SYMBOLS[0]}`).catch(() => null);
      const ended = service.ended.then(({ signal }) => signal);
      expect([point, await Promise.race([ended, rest(realTimers, PASSES_WITHIN_MS)])]).toEqual([
        point,
        'SIGKILL',
      ]);
    }
    const last = await started({}, /tigraph serves at/);
    const base = await addressOf(last);
    const answer = await fetch(`${base}/api/graph/v1/stocks/${SYMBOLS[0]}`);
    expect(answer.status).toBe(200);
    const killedUntil = clock.now();
    // What the last of them has interrupted is shown to callers without a token after the delay.
    await clock.until(killedUntil + DELAY_MS + 3 * MINUTE_MS);
    for (const symbol of SYMBOLS) {
      const query = `interval=1m&from=${new Date(FROM - 5 * MINUTE_MS).toISOString()}&limit=1000`;
      const bars = (await (
        await fetch(`${base}/api/graph/v1/stocks/${symbol}/bars?${query}`)
      ).json()) as Record<string, (number | string)[]>;
      const own = simulated.minutes
        .get(symbol)!
        .filter(({ time }) => time >= FROM - 5 * MINUTE_MS && time + MINUTE_MS <= killedUntil);
      const rows = bars.time!.map((time, row) => [
        Date.parse(String(time)),
        ...(['open', 'high', 'low', 'close', 'volume'] as const).map((name) => bars[name]![row]),
      ]);
      expect(rows.slice(0, own.length)).toEqual(
        own.map(({ time, open, high, low, close, volume }: Bar) => [time, open, high, low, close, volume]),
      );
      const flow = new Map(flowOf(ticks.get(symbol)!, DATE).map((row) => [row.time, row]));
      const bought = (row: Record<string, number> | undefined): number | null =>
        row === undefined ? null : row.buyByQuote! + row.buyByTick! - row.sellByQuote! - row.sellByTick!;
      expect(bars.delta!.slice(0, own.length)).toEqual(own.map(({ time }) => bought(flow.get(time))));
    }
    last.process.kill('SIGTERM');
    await last.ended;
    console.log(`killed at ${POINTS.join(', ')}; served again after ${last.seconds.toFixed(1)} s`);
  });
});

async function addressOf(service: ReturnType<typeof startCommand>): Promise<string> {
  await expect.poll(service.output, { timeout: 20_000 }).toMatch(/tigraph serves at/);
  return /tigraph serves at (http:\S+)/.exec(service.output())![1]!;
}
