import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { refuseBar } from '../../../src/market/refusals.ts';
import { companySymbols } from '../../../src/simulated/companies.ts';
import { bridgeHigh, quarterlyDividend, splitRatio } from '../../../src/simulated/company-path.ts';
import { missingFrom, simulatedMarket, simulatedSymbol } from '../../../src/simulated/market.ts';
import type { Interruptions } from '../../../src/simulated/minutes.ts';
import {
  createSessionMinutes,
  fillSessionMinutes,
  type SessionFrame,
} from '../../../src/simulated/minutes.ts';
import { createStream, streamKey } from '../../../src/simulated/random.ts';
import { inFull } from '../../support/depth.ts';
import { deliveredBySymbol } from './simulated-probe.ts';

const calendar = newYorkCalendar();
const WHOLE = { haltFrom: 0, haltTo: 0, lostFrom: 0, lostTo: 0, dayLost: false, dailyLost: false };

/** The regular session's minutes of one trade date as one bar, or null when there are none. */
function aggregate(minutes: readonly BarColumns[], tradeDate: string) {
  const { open, close } = calendar.session(tradeDate)!;
  const bar = { open: 0, high: 0, low: Number.POSITIVE_INFINITY, close: 0, volume: 0, rows: 0 };
  for (const part of minutes) {
    for (const [row, time] of part.time.entries()) {
      if (time < open || time >= close) continue;
      if (bar.rows++ === 0) bar.open = part.open[row]!;
      bar.high = Math.max(bar.high, part.high[row]!);
      bar.low = Math.min(bar.low, part.low[row]!);
      bar.close = part.close[row]!;
      bar.volume += part.volume[row]!;
    }
  }
  return bar.rows === 0 ? null : bar;
}

const dateAt = (daily: BarColumns, row: number): string =>
  new Date(daily.time[row]!).toISOString().slice(0, 10);

describe('minute bars', () => {
  it('aggregate exactly to the daily bar, but where the feed lost minutes', async () => {
    const sessions = 30;
    let whole = 0;
    let lost = 0;
    for (const { daily, minutes } of (
      await deliveredBySymbol({
        symbols: inFull(60, 12),
        days: sessions,
        minuteSessions: sessions,
        quoteSessions: 0,
      })
    ).values()) {
      for (let row = 0; row < (daily?.time.length ?? 0); row++) {
        const bar = aggregate(minutes, dateAt(daily!, row));
        if (bar === null || bar.volume !== daily!.volume[row]) {
          lost++;
          continue;
        }
        expect([bar.open, bar.high, bar.low, bar.close]).toEqual([
          daily!.open[row],
          daily!.high[row],
          daily!.low[row],
          daily!.close[row],
        ]);
        whole++;
      }
    }
    // About one session in two hundred is to lack something; none would mean that the defects are gone.
    expect(lost).toBeGreaterThan(0);
    expect(lost / (lost + whole)).toBeLessThan(0.02);
  });

  it('aggregate exactly for every frame that a session can have', () => {
    const frame = fc
      .record({
        seed: fc.nat(),
        prices: fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 4, maxLength: 4 }),
        minutes: fc.constantFrom(1, 2, 30, 210, 390),
        volume: fc.integer({ min: 4000, max: 2e8 }),
        printSize: fc.integer({ min: 20, max: 5000 }),
        ownSigma: fc.double({ min: 0.0001, max: 0.2, noNaN: true }),
        spread: fc.double({ min: 0, max: 0.01, noNaN: true }),
        halt: fc.boolean(),
      })
      .map(({ prices, minutes, ...rest }) => {
        const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [number, number, number, number];
        const common = new Float64Array(minutes);
        const extended = { preMinutes: 330, postMinutes: 240, priorClose: open };
        return { ...rest, ...extended, low, open, close, high, common };
      });
    const out = createSessionMinutes();
    const [stream, prints] = [createStream(), createStream()];
    fc.assert(
      fc.property(frame, ({ seed, halt, ...session }) => {
        stream.restart(streamKey(seed, 'test', 'minutes'), 1);
        prints.restart(streamKey(seed, 'test', 'prints'), 1);
        const haltTo = halt && session.common.length > 60 ? 45 : 0;
        fillSessionMinutes(
          out,
          session satisfies SessionFrame,
          { ...WHOLE, haltFrom: haltTo && 10, haltTo },
          stream,
          prints,
        );
        const { regularFrom: from, regularTo: to } = out;
        assert.equal(out.open[from], session.open);
        assert.equal(out.close[to - 1], session.close);
        assert.equal(Math.max(...out.high.subarray(from, to)), session.high);
        assert.equal(Math.min(...out.low.subarray(from, to)), session.low);
        assert.equal(
          out.volume.subarray(from, to).reduce((sum, shares) => sum + shares, 0),
          session.volume,
        );
        for (let row = 0; row < out.rows; row++) {
          if (row > 0) assert(out.minute[row]! > out.minute[row - 1]!);
          const bar = [
            out.open[row]!,
            out.high[row]!,
            out.low[row]!,
            out.close[row]!,
            out.volume[row]!,
          ] as const;
          assert.equal(refuseBar(...bar), null);
          // Four prices need up to four shares of volume.
          assert(out.volume[row]! >= 4);
        }
      }),
      { numRuns: inFull(300, 40) },
    );
  });

  it('lie inside the sessions, sparse outside the regular one, and end at 13:00 and 17:00 on a half day', async () => {
    const { minutes } = (await deliveredBySymbol({ symbols: 1, minuteSessions: 8 })).get('SIMX')!;
    const counts = new Map<string, { pre: number; regular: number; post: number }>();
    for (const time of minutes.flatMap((part) => [...part.time])) {
      const session = calendar.sessionHolding(time)!;
      const count = counts.get(session.tradeDate) ?? { pre: 0, regular: 0, post: 0 };
      if (time < session.open) count.pre++;
      else if (time < session.close) count.regular++;
      else count.post++;
      counts.set(session.tradeDate, count);
    }
    expect([...counts.keys()]).toEqual(calendar.sessionsBetween('2025-11-25', '2025-12-05'));
    // 2025-11-28, the day after Thanksgiving, closed at 13:00: 210 minutes instead of 390.
    expect(counts.get('2025-11-28')!.regular).toBe(210);
    for (const [date, { pre, regular, post }] of counts) {
      if (date !== '2025-11-28') expect(regular).toBe(390);
      expect(pre).toBeGreaterThan(20);
      expect(pre).toBeLessThan(330);
      expect(post).toBeGreaterThan(20);
      expect(post).toBeLessThan(240);
    }
  });

  it('before and after the regular session are prints on both sides of a wide spread, most of them in lots', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 20, minuteSessions: 8 });
    let [rows, single, apart, lots, reversals] = [0, 0, 0, 0, 0];
    for (const { minutes } of bySymbol.values()) {
      for (const { time, open, high, low, close, volume } of minutes) {
        for (let row = 2; row < time.length; row++) {
          const { open: opens, close: closes } = calendar.session(calendar.tradeDateOf(time[row]!))!;
          if (time[row - 2]! < closes && time[row]! >= opens) continue;
          rows++;
          if (high[row] === low[row]) single++;
          if (open[row] !== close[row - 1]) apart++;
          if (volume[row]! % 100 === 0) lots++;
          if ((close[row]! - close[row - 1]!) * (close[row - 1]! - close[row - 2]!) < 0) reversals++;
        }
      }
    }
    expect(rows).toBeGreaterThan(3000);
    expect(single / rows).toBeGreaterThan(0.3);
    expect(apart / rows).toBeGreaterThan(0.7);
    expect(lots / rows).toBeGreaterThan(0.7);
    // A smooth curve reverses seldom; independent prints around a still middle would in two minutes of three.
    expect(reversals / rows).toBeGreaterThan(0.5);
  });

  it('of the volatility index come every minute of the regular session, without volume', async () => {
    const { minutes } = (await deliveredBySymbol({ symbols: 0, minuteSessions: 1 })).get('^SIMVIX')!;
    expect(minutes[0]!.time).toHaveLength(390);
    expect(minutes[0]!.volume.every((volume) => volume === 0)).toBe(true);
  });
});

describe('interruptions', () => {
  const market = simulatedMarket(7, '2025-12-05', calendar);
  const sessions = market.timeline.sessions.length;

  /** The newest session in which a symbol has the asked-for interruption, with what was delivered of it. */
  async function firstWith(asked: (missing: Interruptions) => boolean) {
    for (const symbol of companySymbols(2000)) {
      const found = simulatedSymbol(market, symbol);
      if (found === null || !found.company!.hasQuotes) continue;
      for (let back = 1; back <= 20; back++) {
        const missing = missingFrom(market, found, sessions - back);
        if (!asked(missing)) continue;
        const window = { symbols: 2000, days: 20, minuteSessions: 20, quoteSessions: 20 };
        const delivered = (await deliveredBySymbol(window, symbol)).get(symbol)!;
        const session = market.timeline.sessions[sessions - back]!;
        const inside = (from: number, to: number) => (time: number) =>
          time >= session.open + from * 60_000 && time < session.open + to * 60_000;
        const times = [...delivered.minutes, ...delivered.quotes].flatMap(({ time }) => [...time]);
        const row = delivered.daily!.time.indexOf(midnightUtc(session.tradeDate));
        return { missing, session, inside, times, delivered, row };
      }
    }
    throw new Error('no such interruption in this market');
  }

  it('leave a halt without bars and quotes, and the day still adds up', async () => {
    const halt = await firstWith(({ haltFrom, haltTo }) => haltTo > haltFrom);
    expect((halt.missing.haltTo - halt.missing.haltFrom) % 5).toBe(0);
    expect(halt.times.filter(halt.inside(halt.missing.haltFrom, halt.missing.haltTo))).toEqual([]);
    const bar = aggregate(halt.delivered.minutes, halt.session.tradeDate)!;
    expect(bar.volume).toBe(halt.delivered.daily!.volume[halt.row]);
  });

  it('leave an outage without bars and quotes, whose volume the minutes lack', async () => {
    const outage = await firstWith(({ lostFrom, lostTo }) => lostTo > lostFrom);
    expect(outage.times.filter(outage.inside(outage.missing.lostFrom, outage.missing.lostTo))).toEqual([]);
    expect(outage.times.filter(outage.inside(0, outage.missing.lostFrom)).length).toBeGreaterThan(0);
    const bar = aggregate(outage.delivered.minutes, outage.session.tradeDate)!;
    expect(bar.volume).toBeLessThan(outage.delivered.daily!.volume[outage.row]!);
  });

  it('lose all intraday rows of a day but not its daily bar, or the daily bar alone', async () => {
    const lostDay = await firstWith(({ dayLost }) => dayLost);
    expect(lostDay.times.filter(lostDay.inside(-330, 630))).toEqual([]);
    expect(lostDay.row).toBeGreaterThanOrEqual(0);
    const lostBar = await firstWith(({ dailyLost }) => dailyLost);
    expect(lostBar.row).toBe(-1);
    expect(aggregate(lostBar.delivered.minutes, lostBar.session.tradeDate)).not.toBeNull();
  });
});

/** Rows that are refused, or whose prices are not whole cents or volumes not whole shares. */
function faultyRows(part: BarColumns): number {
  let faulty = 0;
  for (const [row, time] of part.time.entries()) {
    const previous = row === 0 ? Number.NEGATIVE_INFINITY : part.time[row - 1]!;
    const prices = [part.open[row]!, part.high[row]!, part.low[row]!, part.close[row]!] as const;
    const volume = part.volume[row]!;
    const whole =
      prices.every((price) => price === Math.round(price * 100) / 100) && Number.isInteger(volume);
    if (!whole || !(time > previous) || refuseBar(...prices, volume) !== null) faulty++;
  }
  return faulty;
}

describe('validation', () => {
  it('accepts every row, with prices in whole cents and whole shares', async () => {
    const delivered = await deliveredBySymbol({
      symbols: inFull(120, 16),
      days: 500,
      minuteSessions: 3,
      quoteSessions: 0,
    });
    let rows = 0;
    for (const { daily, minutes } of delivered.values()) {
      for (const part of daily === null ? minutes : [daily, ...minutes]) {
        expect(faultyRows(part)).toBe(0);
        rows += part.time.length;
      }
    }
    expect(rows).toBeGreaterThan(inFull(150_000, 20_000));
  });
});

describe('corporate actions', () => {
  const market = simulatedMarket(7, '2025-12-05', calendar);
  const symbols = companySymbols(200).flatMap((symbol) => simulatedSymbol(market, symbol) ?? []);

  it('show in prices as traded and leave the adjusted series without a jump', () => {
    const gaps: number[] = [];
    for (const { path } of symbols) {
      for (const { session, kind, value } of path.actions) {
        const row = session - path.firstSession;
        if (kind === 'dividend') continue;
        const raw = Math.log(path.open[row]! / path.close[row - 1]!);
        const adjusted = raw + Math.log(value);
        // The close before on the new basis, to the cent that rounding leaves.
        expect(Math.abs(path.priorClose[row]! - path.close[row - 1]! / value)).toBeLessThanOrEqual(
          0.5 + 0.5 / value,
        );
        expect(Math.abs(raw)).toBeGreaterThan(0.25);
        gaps.push(Math.abs(adjusted));
      }
    }
    expect(gaps.length).toBeGreaterThan(20);
    expect(Math.max(...gaps)).toBeLessThan(0.2);
  });

  it('conserve market value: shares traded rise by the ratio', () => {
    const ratios: number[] = [];
    for (const { path } of symbols) {
      for (const { session, kind, value } of path.actions) {
        const row = session - path.firstSession;
        if (kind !== 'split' || row < 20 || row + 20 > path.rows) continue;
        const mean = (from: number): number =>
          path.volume.subarray(from, from + 20).reduce((sum, shares) => sum + Math.log(shares), 0) / 20;
        ratios.push(mean(row) - mean(row - 20) - Math.log(value));
      }
    }
    // The log volume of a month against the month before varies by about 0.4; its mean over the splits by far
    // less.
    const centre = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    expect(Math.abs(centre)).toBeLessThan((4 * 0.4) / Math.sqrt(ratios.length));
  });

  it('pay dividends of whole cents about every quarter, which the price loses', () => {
    let payers = 0;
    for (const { path } of symbols) {
      const dividends = path.actions.filter(({ kind }) => kind === 'dividend');
      if (dividends.length > 0) payers++;
      for (const { session, value } of dividends) {
        const row = session - path.firstSession;
        expect(value).toBeCloseTo(Math.round(value * 100) / 100, 10);
        assert(path.priorClose[row]! >= path.close[row - 1]! - value * 100 - 1);
        assert(path.priorClose[row]! <= path.close[row - 1]! - value * 100 + 1);
      }
    }
    assert(payers > 80);
    assert(payers < 190);
  });

  it('are on the ex-date as midnight UTC', async () => {
    const { actions } = (await deliveredBySymbol({ symbols: 0, days: 300, minuteSessions: 0 })).get('SIMX')!;
    expect(actions.length).toBeGreaterThanOrEqual(7);
    for (const { exDate } of actions) {
      const date = new Date(exDate).toISOString().slice(0, 10);
      expect(exDate).toBe(midnightUtc(date));
      expect(calendar.isSession(date)).toBe(true);
    }
  });

  it('split high prices, merge very low ones and leave the rest', () => {
    expect(splitRatio(60, 0)).toBe(1);
    expect(splitRatio(1600, 0.1)).toBe(20);
    expect(splitRatio(200, 0.03)).toBe(3);
    expect(splitRatio(200, 0.001)).toBe(1.5);
    expect(splitRatio(1.5, 0.1)).toBe(0.1);
    expect(splitRatio(1.5, 0.9)).toBe(1);
  });

  it('keep a dividend until it is far from what the price supports', () => {
    expect(quarterlyDividend(0, 0.437)).toBe(0.43);
    expect(quarterlyDividend(0.43, 0.46)).toBe(0.43);
    expect(quarterlyDividend(0.43, 0.47)).toBe(0.47);
    expect(quarterlyDividend(0.43, 0.2)).toBe(0.2);
    expect(quarterlyDividend(0, 0.004)).toBe(0);
  });
});

describe('bridgeHigh', () => {
  it('inverts the law of the highest point of a bridge', () => {
    // x = 0, variance 1: P(max > m) = exp(-2 m^2), so that m = sqrt(-ln(u) / 2); u = exp(-2) gives 1.
    expect(bridgeHigh(0, 1, Math.exp(-2))).toBeCloseTo(1, 12);
    // x = 1, m = 1.5: exp(-2 * 1.5 * 0.5) = exp(-1.5); x = -1, m = 0.5: the same.
    expect(bridgeHigh(1, 1, Math.exp(-1.5))).toBeCloseTo(1.5, 12);
    expect(bridgeHigh(-1, 1, Math.exp(-1.5))).toBeCloseTo(0.5, 12);
  });
});
