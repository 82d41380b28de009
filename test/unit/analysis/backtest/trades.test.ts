import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePartials } from '../../../../src/analysis/backtest/merge-partials.ts';
import { openBacktest } from '../../../../src/analysis/backtest/open-backtest.ts';
import { type BacktestPartial, DAY_KINDS, DIRECTIONS } from '../../../../src/analysis/backtest/partial.ts';
import type { Metrics } from '../../../../src/analysis/backtest/result.ts';
import type { BacktestSession } from '../../../../src/analysis/backtest/session-columns.ts';
import {
  type BacktestSpec,
  type OwnSignal,
  SIGNAL_TYPES,
  type SignalType,
} from '../../../../src/analysis/backtest/spec.ts';
import { tradesAnswer } from '../../../../src/derive/trades-answer.ts';
import { packEntries } from '../../../../src/workers/backtest-worker.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { randomSessions, tradeDays } from './made-up-market.ts';
import { type Costs, slowMetrics, slowTrades } from './slow-walk.ts';

const SESSIONS = 30;

const specOf = (of: Partial<BacktestSpec> = {}): BacktestSpec => ({
  signalTypes: SIGNAL_TYPES,
  stops: [0.05, 0.1, 0.25],
  targets: [0.05, 0.15, 0.3, 1],
  topN: 12,
  tradeDays: tradeDays(SESSIONS),
  commissionPerShare: 0,
  slippageBps: 0,
  ...of,
});

function partialOf(spec: BacktestSpec, seed: number, own: readonly OwnSignal[] = []): BacktestPartial {
  const run = openBacktest(spec, `S${seed}`, own);
  for (const day of randomSessions(seed, SESSIONS)) run.session(day);
  return run.partial();
}

interface WireTrade {
  readonly stop_atr: number;
  readonly target_atr: number;
  readonly symbol: string;
  readonly trade_date: string;
  readonly signal_type: string;
  readonly direction: string;
  readonly day_type: string;
  readonly signal_time: string;
  readonly entry_time: string;
  readonly entry_price: number;
  readonly stop_price: number;
  readonly target_price: number;
  readonly exit_time: string;
  readonly exit_price: number;
  readonly exit_reason: string;
  readonly ambiguous: boolean;
  readonly costs: number;
  readonly r: number;
  readonly daily_atr: number;
  readonly out_of_sample: boolean | null;
  readonly inputs: Readonly<Record<string, number>>;
}

function answerOf<Rows>(partials: readonly BacktestPartial[], of: 'trades' | 'equity', lastDay = Infinity) {
  const { stops, targets } = partials[0]!.spec;
  const { body } = tradesAnswer({
    of,
    packed: partials.map(packEntries),
    cells: [...Array(stops.length * targets.length).keys()],
    lastDay,
    format: 'json',
    rowsMax: 1e6,
    head: {},
  });
  return JSON.parse(body as string) as { cells: Record<string, unknown>[] } & Rows;
}

const tradesOf = (partials: readonly BacktestPartial[]): WireTrade[] =>
  answerOf<{ trades: WireTrade[] }>(partials, 'trades').trades;

/** Every figure within 1e-12 of its size. */
function expectSame(found: Metrics, expected: Metrics): void {
  for (const [name, value] of Object.entries(expected) as [keyof Metrics, number | null][]) {
    const other = found[name];
    if (value === null || other === null) expect(other, name).toBe(value);
    else expect(Math.abs(other - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-12);
  }
}

const costs = fc.record({ commissionPerShare: fc.constantFrom(0, 0.01), slippageBps: fc.constantFrom(0, 3) });
const seeds = fc.uniqueArray(wholeBetween(1, 500), { minLength: 1, maxLength: 2 });

describe('trades of every cell', () => {
  it('recompute every figure of the result: of all, of each part, in and out of sample and of every fold', () => {
    forAll([seeds, costs], { numRuns: 12 }, (drawn, paid) => {
      const partials = drawn.map((seed) => partialOf(specOf(paid), seed));
      const result = mergePartials(partials);
      const trades = tradesOf(partials);
      const { equity } = answerOf<{ equity: { trade_date: string; stop_atr: number; target_atr: number }[] }>(
        partials,
        'equity',
      );
      const dates = [...new Set(equity.map(({ trade_date }) => trade_date))].sort();
      const figures = (own: readonly WireTrade[], of: readonly string[] = dates): Metrics =>
        slowMetrics(of.map((date) => own.filter(({ trade_date }) => trade_date === date)));
      const cellOf = ({ stopAtr, targetAtr }: { stopAtr: number; targetAtr: number }) =>
        trades.filter(({ stop_atr, target_atr }) => stop_atr === stopAtr && target_atr === targetAtr);
      expect(result.grid.some(({ totalTrades }) => totalTrades > 50)).toBe(true);
      for (const { parameterSet, ...metrics } of result.grid) {
        expectSame(figures(cellOf(parameterSet)), metrics);
      }
      const later = new Set(trades.filter((one) => one.out_of_sample).map((one) => one.trade_date));
      const first = [...later].sort()[0]!;
      for (const { parameterSet, inSample, outOfSample, ...cell } of result.top) {
        const own = cellOf(parameterSet);
        const before = dates.filter((date) => date < first);
        expectSame(
          figures(
            own.filter((one) => one.out_of_sample === false),
            before,
          ),
          inSample!,
        );
        expectSame(
          figures(
            own.filter((one) => one.out_of_sample === true),
            dates.filter((date) => date >= first),
          ),
          outOfSample!,
        );
        for (const part of cell.bySignalType) {
          expectSame(figures(own.filter((one) => one.signal_type === part.name)), metricsOf(part));
        }
        for (const name of DIRECTIONS) {
          const part = cell.byDirection.find((one) => one.name === name)!;
          expectSame(figures(own.filter((one) => one.direction === name)), metricsOf(part));
        }
        for (const name of DAY_KINDS) {
          const part = cell.byDayType.find((one) => one.name === name)!;
          expectSame(figures(own.filter((one) => one.day_type === name)), metricsOf(part));
        }
      }
      for (const fold of [result.outOfSample!, ...result.walkForward]) {
        const from = new Date(fold.testFrom).toISOString().slice(0, 10);
        const chosenOn = dates.filter((date) => date < from);
        expectSame(figures(cellOf(fold.parameterSet), chosenOn), fold.chosenOn);
      }
    });
  });

  it('are those of the slow walk, and follow from their own fields', () => {
    forAll([wholeBetween(1, 500), costs], { numRuns: 10 }, (seed, paid) => {
      const spec = specOf({ ...paid, signalTypes: ['trend_continuation'] });
      const partial = partialOf(spec, seed);
      const trades = tradesOf([partial]);
      for (const one of trades) {
        const side = one.direction === 'long' ? 1 : -1;
        const risk = one.stop_atr * one.daily_atr;
        const gain = side * (one.exit_price - one.entry_price) - one.costs;
        expect(one.r).toBeCloseTo(gain / risk, 11);
        expect(one.stop_price).toBeCloseTo(one.entry_price - side * risk, 9);
        expect(Date.parse(one.signal_time)).toBeLessThanOrEqual(Date.parse(one.entry_time));
        expect(one.entry_time <= one.exit_time).toBe(true);
        const { bar_close, ema_9, ema_20, ema_50, vwap } = one.inputs as Record<string, number>;
        expect(side * (ema_9! - ema_20!)).toBeGreaterThan(0);
        expect(side * (ema_20! - ema_50!)).toBeGreaterThan(0);
        expect(side * (bar_close! - vwap!)).toBeGreaterThan(0);
      }
      const days = randomSessions(seed, SESSIONS);
      const byDay = Map.groupBy(trades, (one) => one.trade_date);
      for (const [date, own] of byDay) {
        const { intraday } = days.find(({ session }) =>
          new Date(session.open).toISOString().startsWith(date),
        )!;
        for (const [cell, found] of Map.groupBy(own, (one) => `${one.stop_atr} ${one.target_atr}`)) {
          const [stop, target] = cell.split(' ').map(Number);
          const sides = new Int8Array(intraday.time.length);
          // The signals that no trade came of are unknown here: those of the trades must give the same trades.
          for (const one of found) {
            sides[intraday.time.indexOf(Date.parse(one.entry_time)) - 1] = one.direction === 'long' ? 1 : -1;
          }
          const slow = slowTrades(intraday, sides, found[0]!.daily_atr, stop!, target!, paid as Costs);
          expect(slow).toHaveLength(found.length);
          for (const [at, one] of found.entries()) {
            expect(slow[at]!.r).toBeCloseTo(one.r, 9);
            expect(slow[at]!.ambiguous).toBe(one.ambiguous);
            expect(intraday.time[slow[at]!.exitBar]).toBe(Date.parse(one.exit_time));
          }
        }
      }
    });
  });

  it.each(SIGNAL_TYPES.filter((type) => type !== 'level_confluence'))(
    'entries of one’s own at the instants of %s give its trades',
    (type: SignalType) => {
      const spec = specOf({ signalTypes: [type], slippageBps: 2 });
      const builtIn = [3, 4].map((seed) => partialOf(spec, seed));
      expect(builtIn[0]!.entries.count).toBeGreaterThan(5);
      const own = builtIn.map(({ entries }) =>
        Array.from(entries.signalTime, (time, at): OwnSignal => [time, entries.isLong[at] === 1 ? 1 : -1]),
      );
      const mine = [3, 4].map((seed, at) => partialOf({ ...spec, signalTypes: ['own'] }, seed, own[at]));
      const bare = (partials: readonly BacktestPartial[]) =>
        tradesOf(partials).map(({ signal_type: _, inputs: __, ...one }) => one);
      expect(bare(mine)).toEqual(bare(builtIn));
      expect(mergePartials(mine).grid).toEqual(mergePartials(builtIn).grid);
    },
  );

  it('an own entry at the open enters with the first bar, between bars with the next, and after the last not at all', () => {
    const [day] = randomSessions(9, 1);
    const { time, open } = day!.intraday;
    const entryOf = (at: number) => {
      const spec = specOf({ signalTypes: ['own'], tradeDays: tradeDays(1) });
      const run = openBacktest(spec, 'S9', [[at, 1]]);
      run.session(day!);
      const { entries } = run.partial();
      return entries.count === 0 ? null : [entries.entryTime[0], entries.entry[0]];
    };
    expect(entryOf(day!.session.open)).toEqual([time[0], open[0]]);
    expect(entryOf(time[5]! + 1)).toEqual([time[6], open[6]]);
    expect(entryOf(time.at(-1)!)).toEqual([time.at(-1), open.at(-1)]);
    expect(entryOf(time.at(-1)! + 1)).toBeNull();
    expect(entryOf(day!.session.open - 1)).toBeNull();
  });

  it('leaves out the sessions after the last day', () => {
    const partial = partialOf(specOf(), 5);
    const lastDay = tradeDays(SESSIONS)[11]!;
    const { trades } = answerOf<{ trades: WireTrade[] }>([partial], 'trades', lastDay);
    const until = new Date(lastDay).toISOString().slice(0, 10);
    expect(trades).toEqual(tradesOf([partial]).filter(({ trade_date }) => trade_date <= until));
    expect(trades.length).toBeGreaterThan(0);
  });
});

const metricsOf = ({ name: _, ...metrics }: Metrics & { readonly name: string }): Metrics => metrics;

describe('half of the quoted spread', () => {
  /** Quotes that are a cent wide in the morning and three cents from noon on. */
  const days = randomSessions(7, SESSIONS);
  const quotes = ({ intraday, session }: BacktestSession) => {
    const noon = (session.open + session.close) / 2;
    const wide = Float64Array.from(intraday.time, (time) => (time < noon ? 0.01 : 0.03));
    const bid = Float64Array.from(intraday.open);
    const ask = bid.map((price, row) => price + wide[row]!);
    const columns = { bidOpen: bid, bidHigh: bid, bidLow: bid, bidClose: bid, bidSize: bid };
    const asks = { askOpen: ask, askHigh: ask, askLow: ask, askClose: ask, askSize: ask };
    return { noon, columns: { time: intraday.time, ...columns, ...asks } };
  };

  it('is lost at entry and at every exit but a target', () => {
    const spec = specOf({ halfSpread: true });
    const run = openBacktest(spec, 'S7');
    for (const day of days) expect(run.session(day, quotes(day).columns)).toBe('walked');
    const partial = run.partial();
    const trades = tradesOf([partial]);
    expect(new Set(trades.map(({ exit_reason }) => exit_reason)).size).toBe(3);
    for (const one of trades) {
      const { noon } = quotes(
        days.find(({ session }) => new Date(session.open).toISOString().startsWith(one.trade_date))!,
      );
      const half = (time: string): number => (Date.parse(time) < noon ? 0.005 : 0.015);
      const paid = half(one.entry_time) + (one.exit_reason === 'target' ? 0 : half(one.exit_time));
      expect(one.costs).toBeCloseTo(paid, 9);
    }
    const { grid } = mergePartials([partial]);
    const [cell] = grid;
    const own = trades.filter((one) => one.stop_atr === spec.stops[0] && one.target_atr === spec.targets[0]);
    expect(own.reduce((sum, { r }) => sum + r, 0)).toBeCloseTo(cell!.totalR, 11);
    // Where quotes begin later than the bars, the session does not count.
    const { time, ...sides } = quotes(days[0]!).columns;
    const late = openBacktest(spec, 'S7').session(days[0]!, {
      time: time.slice(1),
      ...(Object.fromEntries(
        Object.entries(sides).map(([name, column]) => [name, column.slice(1)]),
      ) as typeof sides),
    });
    expect(late).toBe('no_quotes');
  });
});
