import { describe, expect, it } from 'vitest';
import { mergePartials } from '../../../../src/analysis/backtest/merge-partials.ts';
import { openBacktest, partialBytesMax } from '../../../../src/analysis/backtest/open-backtest.ts';
import { type BacktestPartial, DAY_KINDS, DIRECTIONS } from '../../../../src/analysis/backtest/partial.ts';
import type { BacktestResult } from '../../../../src/analysis/backtest/result.ts';
import {
  type BacktestSession,
  confluenceZones,
  priorDailyAtr,
  regularMinutes,
  sessionColumns,
} from '../../../../src/analysis/backtest/session-columns.ts';
import { signalSides } from '../../../../src/analysis/backtest/signals.ts';
import { type BacktestSpec, SIGNAL_TYPES } from '../../../../src/analysis/backtest/spec.ts';
import { dayType } from '../../../../src/analysis/day-type.ts';
import { intradayBars } from '../../../../src/analysis/sessions.ts';
import { volumeProfile } from '../../../../src/analysis/volume-profile.ts';
import type { BarColumns } from '../../../../src/market/observations.ts';
import { mirrored } from '../../../support/bar-columns.ts';
import { absent } from '../../../support/tables.ts';
import { randomSessions, tradeDays } from './made-up-market.ts';
import { expectMetrics, slowMetrics, slowTrades, type Trade } from './slow-walk.ts';

const SESSIONS = 36;

const spec: BacktestSpec = {
  signalTypes: SIGNAL_TYPES,
  stops: [0.1, 0.25, 0.6],
  targets: [0.15, 0.3, 0.5, 1.2],
  topN: 4,
  tradeDays: tradeDays(SESSIONS),
  commissionPerShare: 0.005,
  slippageBps: 0.5,
};

const stocks = new Map([
  ['AAA', randomSessions(21, SESSIONS)],
  ['BBB', randomSessions(22, SESSIONS).slice(3)],
  ['C', randomSessions(23, SESSIONS).filter((_, at) => at % 5 !== 2)],
]);

function partialOf(symbol: string, sessions: readonly BacktestSession[], asked = spec): BacktestPartial {
  const run = openBacktest(asked, symbol);
  for (const day of sessions) run.session(day);
  return run.partial();
}

const partials = [...stocks].map(([symbol, sessions]) => partialOf(symbol, sessions));
const result = mergePartials(partials);

interface SessionTrade extends Trade {
  readonly day: number;
  readonly type: string;
  readonly kind: string;
}

/** Every trade of a cell, the slow way, from the same signals. */
const tradesOf = (stop: number, target: number): SessionTrade[] => tradesByCell.get(`${stop} ${target}`)!;

function tradesOfCell(stop: number, target: number): SessionTrade[] {
  const trades: SessionTrade[] = [];
  for (const sessions of stocks.values()) {
    for (const day of sessions) {
      const bars = regularMinutes(day.intraday, '1m', day.session)!;
      const prior = regularMinutes(day.priorIntraday, '1m', day.priorSession)!;
      const profileOf = (columns: BarColumns) => volumeProfile(columns, { from: 0, to: columns.time.length });
      const dailyAtr = priorDailyAtr(day);
      const zones = confluenceZones(day, profileOf(prior), dailyAtr);
      const columns = sessionColumns(bars, day.session.open, dailyAtr, zones);
      const kind = dayType({
        bars: intradayBars(bars, '1m', day.session.close),
        session: day.session,
        priorValue: profileOf(prior),
        developingValue: profileOf(bars),
      })!.dayType;
      for (const type of SIGNAL_TYPES) {
        const sides = signalSides(type, columns);
        for (const trade of slowTrades(columns, sides, dailyAtr, stop, target, spec)) {
          trades.push({ ...trade, type, kind, day: Math.floor(day.session.open / 86_400_000) * 86_400_000 });
        }
      }
    }
  }
  return trades;
}

function bySession(
  trades: readonly SessionTrade[],
  days: readonly number[] = spec.tradeDays,
): SessionTrade[][] {
  const found = Map.groupBy(trades, ({ day }) => day);
  return days.map((day) => found.get(day) ?? []);
}

const cells = spec.stops.flatMap((stop) => spec.targets.map((target) => ({ stop, target })));
const tradesByCell = new Map(
  cells.map(({ stop, target }) => [`${stop} ${target}`, tradesOfCell(stop, target)]),
);

describe('an optimisation', () => {
  it('agrees with the slow walk in every cell of the grid', () => {
    expect(result.grid.map(({ parameterSet }) => parameterSet)).toEqual(
      cells.map(({ stop, target }) => ({ stopAtr: stop, targetAtr: target })),
    );
    for (const [at, { stop, target }] of cells.entries()) {
      const trades = tradesOf(stop, target);
      expect(trades.length).toBeGreaterThan(200);
      expectMetrics(result.grid[at]!, slowMetrics(bySession(trades)));
    }
  });

  it('agrees in every part of its best cells', () => {
    expect(result.top).toHaveLength(spec.topN);
    for (const top of result.top.slice(0, 2)) {
      const trades = tradesOf(top.parameterSet.stopAtr, top.parameterSet.targetAtr);
      expect(top.bySignalType.map(({ name }) => name)).toEqual(SIGNAL_TYPES);
      for (const part of top.bySignalType) {
        expectMetrics(part, slowMetrics(bySession(trades.filter(({ type }) => type === part.name))));
      }
      expect(top.byDirection.map(({ name }) => name)).toEqual(DIRECTIONS);
      for (const part of top.byDirection) {
        const selected = trades.filter(({ long }) => long === (part.name === 'long'));
        expectMetrics(part, slowMetrics(bySession(selected)));
      }
      expect(top.byDayType.map(({ name }) => name)).toEqual(DAY_KINDS);
      for (const part of top.byDayType) {
        expectMetrics(part, slowMetrics(bySession(trades.filter(({ kind }) => kind === part.name))));
      }
      expectMetrics(top.inSample!, slowMetrics(bySession(trades, spec.tradeDays.slice(0, 27))));
      expectMetrics(top.outOfSample!, slowMetrics(bySession(trades, spec.tradeDays.slice(27))));
    }
  });

  it('ranks by Sharpe ratio', () => {
    const ratios = result.grid.map(({ sharpeRatio }) => sharpeRatio!).sort((one, other) => other - one);
    expect(result.top.map(({ sharpeRatio }) => sharpeRatio)).toEqual(ratios.slice(0, 4));
  });

  it('finds the best cell of each signal type alone', () => {
    for (const { signalType, best } of result.bestBySignalType) {
      const all = cells.map(({ stop, target }) =>
        slowMetrics(bySession(tradesOf(stop, target).filter(({ type }) => type === signalType))),
      );
      const greatest = Math.max(...all.map(({ sharpeRatio }) => sharpeRatio ?? Number.NEGATIVE_INFINITY));
      expect(best!.sharpeRatio).toBeCloseTo(greatest, 9);
    }
  });

  it('chooses on earlier sessions and tests on later ones', () => {
    const { outOfSample, walkForward } = result;
    const days = (from: number, to: number): number[] => spec.tradeDays.slice(from * 3, to * 3);
    const splits = [outOfSample!, ...walkForward];
    const ranges = [
      [9, 12],
      [4, 6],
      [6, 8],
      [8, 10],
      [10, 12],
    ] as const;
    expect(splits).toHaveLength(ranges.length);
    for (const [at, split] of splits.entries()) {
      const [from, to] = ranges[at]!;
      const ratios = cells.map(
        ({ stop, target }) => slowMetrics(bySession(tradesOf(stop, target), days(0, from))).sharpeRatio!,
      );
      const best = cells[ratios.indexOf(Math.max(...ratios))]!;
      expect(split.parameterSet).toEqual({ stopAtr: best.stop, targetAtr: best.target });
      expect(split.testFrom).toBe(days(from, to)[0]);
      const trades = tradesOf(best.stop, best.target);
      expectMetrics(split.chosenOn, slowMetrics(bySession(trades, days(0, from))));
      expectMetrics(split.tested, slowMetrics(bySession(trades, days(from, to))));
    }
  });

  it('counts what became of the sessions that it was offered', () => {
    expect(result.outcomes).toEqual({
      walked: SESSIONS + SESSIONS - 3 + stocks.get('C')!.length,
      no_minute_bars: 0,
      fragment: 0,
      no_daily_atr: 0,
      no_quotes: 0,
    });
    expect(result.sessions).toBe(SESSIONS);
  });
});

describe('partials', () => {
  it('merge to the same bytes in any order', () => {
    const [a, b, c] = partials as [BacktestPartial, BacktestPartial, BacktestPartial];
    for (const order of [
      [c, b, a],
      [b, a, c],
    ]) {
      expect(JSON.stringify(mergePartials(order))).toBe(JSON.stringify(result));
    }
  });

  it('survive being cloned', () => {
    expect(mergePartials(partials.map((partial) => structuredClone(partial)))).toEqual(result);
  });

  it('are copies: more sessions may follow', () => {
    const sessions = stocks.get('AAA')!;
    const run = openBacktest(spec, 'AAA');
    for (const day of sessions.slice(0, 20)) run.session(day);
    const early = run.partial();
    const kept = structuredClone(early);
    for (const day of sessions.slice(20)) run.session(day);
    expect(run.partial()).toEqual(partials[0]);
    expect(early).toEqual(kept);
    expect(early).toEqual(partialOf('AAA', sessions.slice(0, 20)));
  });

  it('take no more bytes than they say', () => {
    for (const { walked, rowDay, rowGroup, dayR, groupFigures, blockFigures } of partials) {
      const columns = [walked, rowDay, rowGroup, dayR, groupFigures, blockFigures];
      const bytes = columns.reduce((sum, column) => sum + column.byteLength, 0);
      expect(bytes).toBeLessThanOrEqual(partialBytesMax(spec));
    }
  });

  it('of one symbol twice, of other runs, or none at all are refused', () => {
    const other = partialOf('D', [], { ...spec, topN: 1 });
    expect(() => mergePartials([])).toThrow('at least one');
    expect(() => mergePartials([partials[0]!, partials[0]!])).toThrow('two partials of AAA');
    expect(() => mergePartials([partials[0]!, other])).toThrow('of another run');
  });
});

describe('sessions that cannot be walked', () => {
  const [day] = stocks.get('AAA')!;
  const only = (change: Partial<BacktestSession>) => {
    const run = openBacktest(spec, 'AAA');
    return { outcome: run.session({ ...day!, ...change }), partial: run.partial() };
  };

  it('each have their own outcome and leave no trace', () => {
    expect(only({}).outcome).toBe('walked');
    for (const [change, outcome] of [
      [{ intradayInterval: '5m' }, 'no_minute_bars'],
      [{ intradayInterval: null }, 'no_minute_bars'],
      [{ intradayWhole: false }, 'fragment'],
      [{ priorRow: 13 }, 'no_daily_atr'],
    ] as const) {
      const found = only(change);
      expect(found.outcome).toBe(outcome);
      expect(found.partial.walked.every((walked) => walked === 0)).toBe(true);
      expect(found.partial.rowDay).toHaveLength(0);
    }
    expect(only({ priorRow: 14 }).outcome).toBe('walked');
  });

  it('do without a prior profile where the session before is a fragment', () => {
    expect(only({ priorIntradayWhole: false }).outcome).toBe('walked');
    expect(only({ priorIntradayInterval: null }).outcome).toBe('walked');
  });

  it('are refused out of order, twice, and outside the run', () => {
    const sessions = stocks.get('AAA')!;
    const run = openBacktest(spec, 'AAA');
    run.session(sessions[4]!);
    expect(() => run.session(sessions[4]!)).toThrow('ascending');
    expect(() => run.session(sessions[3]!)).toThrow('ascending');
    const short = openBacktest({ ...spec, tradeDays: spec.tradeDays.slice(0, 2) }, 'AAA');
    expect(() => short.session(sessions[2]!)).toThrow('not of the run');
  });

  it('make an empty result, not zeros', () => {
    const nothing: BacktestResult = mergePartials([partialOf('AAA', [])]);
    expect(nothing.sessions).toBe(0);
    expect(nothing.top).toEqual([]);
    expect(nothing.grid).toHaveLength(12);
    const none = absent`winRate sharpeRatio maxDrawdown`;
    expect(nothing.grid[0]).toMatchObject({ totalTrades: 0, ...none });
    expect(nothing.outOfSample).toBeNull();
    expect(nothing.walkForward).toEqual([]);
    expect(nothing.overfitting).toEqual({
      verdict: 'inconclusive',
      trials: 0,
      halvings: 0,
      ...absent`deflatedSharpeRatio expectedMaxSharpe probabilityOfOverfitting probabilityOfLoss plateau`,
    });
  });
});

describe('a spec', () => {
  const refused = (change: Partial<BacktestSpec>): void =>
    expect(() => openBacktest({ ...spec, ...change }, 'A'), JSON.stringify(change)).toThrow(RangeError);

  it('is checked before anything is walked', () => {
    for (const stops of [[], [0], [-1], [Number.NaN], [1, Number.NaN], [1, 1], [2, 1], [20.01], [10_000]]) {
      refused({ stops });
      refused({ targets: stops });
    }
    refused({ signalTypes: [] });
    refused({ signalTypes: ['or_hold', 'or_hold'] });
    refused({ signalTypes: ['moon_phase' as 'or_hold'] });
    refused({ tradeDays: [] });
    refused({ tradeDays: [2, 1] });
    for (const topN of [0, -1, 1.5, Number.NaN]) refused({ topN });
    for (const costs of [-0.01, Number.NaN, Number.POSITIVE_INFINITY]) {
      refused({ commissionPerShare: costs });
      refused({ slippageBps: costs });
    }
    expect(() => openBacktest({ ...spec, stops: [20], targets: [0.001] }, 'A')).not.toThrow();
  });
});

describe('laws of a whole run', () => {
  it('mirrors: prices upside down swap longs and shorts', () => {
    // Level zones follow from profiles, whose ties go to the upper side.
    const types = SIGNAL_TYPES.filter((type) => type !== 'level_confluence');
    const free = { ...spec, signalTypes: types, commissionPerShare: 0, slippageBps: 0 };
    const up = mergePartials([partialOf('A', stocks.get('AAA')!, free)]);
    const down = mergePartials([partialOf('A', upsideDown(stocks.get('AAA')!), free)]);
    for (const [at, cell] of up.grid.entries()) expectMetrics(down.grid[at]!, withoutSet(cell));
    for (const [at, top] of up.top.entries()) {
      const [long, short] = top.byDirection;
      expect(long!.totalTrades).toBeGreaterThan(20);
      expectMetrics(down.top[at]!.byDirection[1]!, { ...long!, name: 'short' });
      expectMetrics(down.top[at]!.byDirection[0]!, { ...short!, name: 'long' });
    }
  });

  it('a later session changes nothing of an earlier one', () => {
    const sessions = stocks.get('AAA')!;
    const changed = [...sessions.slice(0, 30), ...stocks.get('BBB')!.slice(27)];
    const [one, other] = [sessions, changed].map((days) => partialOf('AAA', days));
    const rows = one!.rowDay.findIndex((day) => day >= 30);
    expect(rows).toBeGreaterThan(100);
    expect(other!.rowDay.slice(0, rows)).toEqual(one!.rowDay.slice(0, rows));
    const size = rows * cells.length;
    expect(other!.dayR.slice(0, size)).toEqual(one!.dayR.slice(0, size));
    expect(other!.dayR.slice(size)).not.toEqual(one!.dayR.slice(size));
  });
});

function withoutSet({ parameterSet: _, ...metrics }: BacktestResult['grid'][number]) {
  return metrics;
}

/** Prices in 64ths less from 256: an exact mirror. */
function upsideDown(sessions: readonly BacktestSession[]): BacktestSession[] {
  const turn = (bars: BarColumns): BarColumns => mirrored(bars, 256);
  return sessions.map((day) => ({
    ...day,
    daily: turn(day.daily),
    intraday: turn(day.intraday),
    priorIntraday: turn(day.priorIntraday),
  }));
}
