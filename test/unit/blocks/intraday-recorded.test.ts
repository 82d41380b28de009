import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { movingLevels } from '../../../src/analysis/records/moving-levels.ts';
import { entryV2 } from '../../../src/blocks/entry-v2.ts';
import { levels } from '../../../src/blocks/levels.ts';
import { pulseV5 } from '../../../src/blocks/pulse-v5.ts';
import { strategies } from '../../../src/blocks/strategies.ts';
import { deriveWith } from '../../../src/derive/compose.ts';
import { unknownMarket } from '../../../src/market/market-view.ts';
import { sampled } from '../../support/depth.ts';
import { derived } from '../../support/derived.ts';
import { minuteSessions, minuteSymbols } from '../../support/real-data.ts';
import { type DailyRow, type IntradayRow, viewOf } from '../../support/views.ts';

/** Scores of fixtures/intraday-scores, made from recorded bars by another program. */
const reference: Record<string, Record<'bull' | 'bear', Record<string, number>>> = JSON.parse(
  readFileSync(new URL('../../../fixtures/intraday-scores/reference.json', import.meta.url), 'utf8'),
);

function dailyRow([date, bars]: readonly [string, readonly IntradayRow[]]): DailyRow {
  const [first, last] = [bars[0]!, bars.at(-1)!];
  const high = Math.max(...bars.map((bar) => bar[2]));
  const low = Math.min(...bars.map((bar) => bar[3]));
  return [date, first[1], high, low, last[4], bars.reduce((sum, bar) => sum + bar[5], 0)];
}

function viewAt(recorded: readonly (readonly [string, IntradayRow[]])[], tradeDate: string, at: string) {
  const sessions = recorded.filter(([date]) => date <= tradeDate);
  return viewOf({
    tradeDate,
    at,
    daily: sessions.slice(0, -1).map(dailyRow),
    intraday: sessions.at(-1)![1],
    priorIntraday: sessions.at(-2)![1],
  });
}

describe.skipIf(minuteSymbols.length === 0)('strategies of recorded sessions', () => {
  it.each(['COIN', 'NKE'])('of %s can be traded', (symbol) => {
    const recorded = minuteSessions(symbol);
    let named = 0;
    for (const [date] of recorded.slice(-6)) {
      for (const at of ['10:45', '13:00', '16:00']) {
        const view = viewAt(recorded, date, at);
        const price = view.intraday.close.at(-1)!;
        for (const { strategy, direction, stop, trigger, target, r_now } of derived(strategies, view)
          .nested!) {
          named++;
          if (stop === null || target === null) expect(r_now).toBeNull();
          else {
            expect(r_now).toBeGreaterThanOrEqual(1);
            expect(r_now).toBeCloseTo(Math.abs(target - price) / Math.abs(price - stop), 9);
          }
          const places = [stop, trigger, target].filter((place) => place !== null);
          const upwards = direction === 'bearish' ? places.toReversed() : places;
          expect(upwards, `${strategy} ${date} ${at}`).toEqual([...new Set(upwards)].sort((a, b) => a - b));
          const ends = [stop, price, target].filter((place) => place !== null);
          const between = direction === 'bearish' ? ends.toReversed() : ends;
          expect(between, `${strategy} ${date} ${at}`).toEqual([...new Set(between)].sort((a, b) => a - b));
        }
      }
    }
    expect(named).toBeGreaterThan(5);
  });
});

describe.skipIf(minuteSymbols.length === 0)('pulse and entry of recorded sessions', () => {
  it.each(Object.entries(reference))('of %s are those of another program', (name, expected) => {
    const [symbol, tradeDate, at] = name.split(' ') as [string, string, string];
    const view = viewAt(minuteSessions(symbol), tradeDate, at);
    const [pulse, entry] = [derived(pulseV5, view).nested!, derived(entryV2, view).nested!];
    for (const [side, ledgers] of [
      ['bull', [...pulse.bull_ledger, ...entry.bull_ledger]],
      ['bear', [...pulse.bear_ledger, ...entry.bear_ledger]],
    ] as const) {
      for (const [component, score] of Object.entries(expected[side])) {
        const line = ledgers.find((each) => each.component === component)!;
        expect(line.score, `${component} ${side}`).toBeCloseTo(score, 9);
      }
    }
  });
});

describe.skipIf(minuteSymbols.length === 0)('levels that move, of recorded sessions', () => {
  it.each(['NVDA', 'COIN'])('of %s are at the end of each minute what is served then', (symbol) => {
    const recorded = minuteSessions(symbol);
    const [date, bars] = recorded.at(-2)!;
    const moving = movingLevels(viewAt(recorded, date, '16:00').intraday);
    for (const [bar, [clock]] of sampled([...bars.entries()], 6)) {
      const [hours, minutes] = clock.split(':').map(Number);
      const end = 60 * hours! + minutes! + 1;
      const view = viewAt(recorded, date, `${Math.floor(end / 60)}:${end % 60}`);
      const served = deriveWith(levels, view, unknownMarket(date, view.asOf)).nested as never;
      for (const { name, path } of moving)
        expect([name, clock, served[name]]).toEqual([name, clock, path[bar]]);
    }
    expect(bars.length).toBeGreaterThan(300);
  });
});
