import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergePartials } from '../../../../src/analysis/backtest/merge-partials.ts';
import { openBacktest } from '../../../../src/analysis/backtest/open-backtest.ts';
import type { BacktestSpec, SignalType } from '../../../../src/analysis/backtest/spec.ts';
import { rowAtOrAfter } from '../../../../src/analysis/sessions.ts';
import { midnightUtc } from '../../../../src/base/calendar.ts';
import { columnsFrom } from '../../../support/bar-columns.ts';
import { minuteSessions, minuteSymbols } from '../../../support/real-data.ts';
import { instant, sessionOf } from '../../../support/views.ts';
import { sessionsFrom } from './made-up-market.ts';

interface CellReference {
  readonly stop: number;
  readonly target: number;
  readonly totalTrades: number;
}

/** fixtures/backtest: trades on recorded bars as another program has them. */
const reference: Record<string, Record<string, CellReference[]>> = JSON.parse(
  readFileSync(new URL('../../../../fixtures/backtest/real-reference.json', import.meta.url), 'utf8'),
);
/** A daily ATR needs the sessions before it. */
const HISTORY = 15;

/** Regular bars of each session of a symbol. */
function recorded(symbol: string) {
  return minuteSessions(symbol).map(([date, rows]) => {
    const session = sessionOf(date);
    const times = Float64Array.from(rows, ([clock]) => instant(date, clock));
    const end = rowAtOrAfter(times, session.close);
    const column = (at: number) => Float64Array.from(rows.slice(0, end), (row) => row[at] as number);
    const bars = columnsFrom((name, at) => (name === 'time' ? times.slice(0, end) : column(at)));
    return { date, session, bars };
  });
}

describe.skipIf(minuteSymbols.length === 0)('trades on recorded sessions', () => {
  it.each(Object.entries(reference))('of %s are those of another program', (symbol, bySignal) => {
    const days = recorded(symbol);
    const sessions = sessionsFrom(days, HISTORY);
    for (const [signalType, cells] of Object.entries(bySignal)) {
      for (const { stop, target, ...expected } of cells) {
        const spec: BacktestSpec = {
          signalTypes: [signalType as SignalType],
          stops: [stop],
          targets: [target],
          topN: 1,
          tradeDays: days.slice(HISTORY).map(({ date }) => midnightUtc(date)),
          commissionPerShare: 0,
          slippageBps: 1,
        };
        const run = openBacktest(spec, symbol);
        for (const day of sessions) run.session(day);
        const [found] = mergePartials([run.partial()]).grid;
        expect(expected.totalTrades).toBeGreaterThan(15);
        for (const [name, value] of Object.entries(expected)) {
          const of = found![name as keyof typeof expected];
          expect(Math.abs(of - value), `${signalType} ${name}`).toBeLessThan(1e-9);
        }
      }
    }
  });
});
