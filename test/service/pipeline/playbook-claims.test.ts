import { afterAll, describe, expect, it } from 'vitest';
import { PLAYBOOKS } from '../../../src/analysis/playbooks/library.ts';
import { matchPlaybooks, offeredMatch } from '../../../src/analysis/playbooks/match.ts';
import { dayOf, newYorkCalendar } from '../../../src/base/calendar.ts';
import { finiteOrNull } from '../../../src/base/wire.ts';
import { playbookInputs } from '../../../src/blocks/playbook-inputs.ts';
import { strategies, strategyInputs } from '../../../src/blocks/strategies.ts';
import { deriveSome, deriveWith } from '../../../src/derive/compose.ts';
import { unknownMarket } from '../../../src/market/market-view.ts';
import type { SymbolClaims } from '../../../src/records/events.ts';
import type { FoundClaims } from '../../../src/records/kind.ts';
import { level } from '../../../src/records/level.ts';
import { pattern } from '../../../src/records/pattern.ts';
import { playbook, playbookClaims, recordedPlaybooks } from '../../../src/records/playbook.ts';
import { playbookMinutes } from '../../../src/records/playbook-minutes.ts';
import { swingClaims, swingPlaybook } from '../../../src/records/swing-playbook.ts';
import { readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { readIntraday } from '../../../src/tape/read-view.ts';
import { bring, freshApp } from '../../support/app.ts';
import { claimDays, claimMinutes } from '../../support/claim-market.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';

const calendar = newYorkCalendar();
const LAST = '2025-06-30';
const MINUTES = calendar.sessionsBetween('2025-06-12', '2025-06-18');
const STOCKS = ['SA', 'SB', 'SC'];

const { app } = await freshApp({ TIGRAPH_NOW: '2025-07-01T12:00:00Z' });
const days = claimDays('2022-02-01', '2022-02-01', LAST);
await bring(app, [...days, ...STOCKS.map((symbol) => claimMinutes(days, symbol, MINUTES))]);
const { tape } = app.context;
const reader = new SegmentReader(tape.location);
const source = { reader, calendar };
afterAll(() => reader.close());

const never = (): boolean => false;
const served = (of: Parameters<typeof readStockView>[1], date: string, asOf: number) =>
  deriveWith(strategies, readStockView(reader, of, calendar, date, asOf)!, unknownMarket(date, asOf)).nested!;
/** Matches that could be traded from their trigger, wherever the price was: records are of those. */
function tradable(of: Parameters<typeof readStockView>[1], date: string, asOf: number) {
  const view = readStockView(reader, of, calendar, date, asOf)!;
  const inputs = strategyInputs(view, deriveSome(strategies.reads, view, unknownMarket(date, asOf)));
  return PLAYBOOKS.flatMap((playbook) => offeredMatch(playbook, inputs) ?? []);
}
const isTraded = (trigger: number, low: number, high: number, before: number, open: number): boolean =>
  (low <= trigger && trigger <= high) || (before - trigger) * (open - trigger) < 0;

describe('playbooks of a session', () => {
  it('are read at each minute as the answer of that minute has them', async () => {
    let matches = 0;
    for (const of of await tape.symbolTapes(STOCKS)) {
      const date = MINUTES.at(-1)!;
      const session = calendar.session(date)!;
      const { bars } = readIntraday(reader, of, dayOf(date), session, session.close);
      const { partsAfter } = playbookMinutes(source, of, session, bars)!;
      for (let count = 1; count < bars.time.length; count++) {
        const answer = served(of, date, bars.time[count - 1]! + 60_000);
        matches += answer.length;
        expect(
          matchPlaybooks(playbookInputs(partsAfter(count))).map((match) => [
            match.playbook.strategy,
            match.score,
            ...[match.trigger, match.stop, match.target].map(finiteOrNull),
          ]),
        ).toEqual(
          answer.map(({ strategy, match_score, trigger, stop, target }) => [
            strategy,
            match_score,
            trigger,
            stop,
            target,
          ]),
        );
      }
    }
    expect(matches).toBeGreaterThan(500);
  });

  it('are claims where what could be traded is traded by the next bar, the first of each', async () => {
    const intraday = new Set(recordedPlaybooks('intraday').map(({ strategy }) => strategy));
    const tapes = await tape.symbolTapes(STOCKS);
    const found = playbookClaims(source, { tapes, dates: MINUTES }, never);
    expect(found.length).toBe(STOCKS.length * MINUTES.length);
    const [date] = MINUTES.slice(-2);
    let events = 0;
    for (const of of tapes) {
      const session = calendar.session(date!)!;
      const { time, open, high, low, close } = readIntraday(
        reader,
        of,
        dayOf(date!),
        session,
        session.close,
      ).bars;
      const first = new Map<string, number>();
      for (let bar = 1; bar < time.length; bar++) {
        for (const { playbook, trigger } of tradable(of, date!, time[bar - 1]! + 60_000)) {
          const { strategy } = playbook;
          if (!intraday.has(strategy) || first.has(strategy)) continue;
          if (isTraded(trigger!, low[bar]!, high[bar]!, close[bar - 1]!, open[bar]!))
            first.set(strategy, time[bar]! + 60_000);
        }
      }
      const own = found.find(({ symbol, tradeDate }) => symbol === of.symbol && tradeDate === date)!;
      expect(new Map(own.events.map(({ key, begunAt }) => [key, begunAt]))).toEqual(first);
      events += own.events.length;
      for (const { outcome, controls } of own.events)
        if (outcome !== 'undecided') expect(controls).toBeGreaterThan(30);
    }
    expect(events).toBeGreaterThan(5);
  });
});

describe('playbooks of several days', () => {
  it('are claims where what a close found is traded by the next session', async () => {
    const swing = new Set(recordedPlaybooks('swing').map(({ strategy }) => strategy));
    const dates = calendar.sessionsBetween('2025-05-01', '2025-05-30');
    const { claims } = swingClaims(source, { tapes, dates, lastDay: dayOf(LAST) }, never);
    const expected: unknown[] = [];
    for (const date of dates) {
      for (const of of tapes) {
        const next = calendar.nextSession(date)!;
        const bars = days.find(({ symbol }) => symbol === of.symbol)!.columns;
        const row = bars.time.indexOf(Date.parse(`${next}T00:00:00Z`));
        for (const { playbook, trigger } of tradable(of, date, calendar.session(date)!.close)) {
          const { strategy } = playbook;
          if (!swing.has(strategy)) continue;
          if (isTraded(trigger!, bars.low[row]!, bars.high[row]!, bars.close[row - 1]!, bars.open[row]!))
            expected.push([date, of.symbol, strategy, trigger]);
        }
      }
    }
    expect(
      claims.flatMap(({ tradeDate, symbol, events }) =>
        events.map(({ key, price }) => [tradeDate, symbol, key, price]),
      ),
    ).toEqual(expected);
    expect(expected.length).toBeGreaterThan(5);
    const judged = claims.flatMap(({ events }) => events).filter(({ chance }) => chance !== null);
    expect(judged.length).toBeGreaterThan(3);
  });
});

const tapes = await tape.symbolTapes(await tape.symbols());

describe('claims', () => {
  const known = new Map();
  const lastDay = dayOf(LAST);
  const byMinute = tapes.filter(({ symbol }) => STOCKS.includes(symbol));
  // Histories longer than those that a view reads: where a piece of work begins could be seen in averages.
  it.each<[string, (dates: string[]) => FoundClaims]>([
    ['level', (dates) => level.find(source, { tapes: byMinute, dates, known }, never)],
    ['playbook', (dates) => playbook.find(source, { tapes: byMinute, dates }, never)],
    ['swing_playbook', (dates) => swingPlaybook.find(source, { tapes, dates, lastDay }, never)],
    ['pattern', (dates) => pattern.find(source, { tapes, dates, known, lastDay }, never)],
  ])('of kind %s are the same however their dates are parted', (_, find) => {
    const dates = calendar.sessionsBetween('2025-06-02', '2025-06-18');
    const claimsOf = (part: string[]) => find(part).claims.toSorted(byName);
    const whole = claimsOf(dates);
    expect(whole.length).toBeGreaterThan(5);
    forAll([wholeBetween(1, dates.length - 1)], { numRuns: 4 }, (at) => {
      const parted = [dates.slice(0, at), dates.slice(at)].flatMap(claimsOf);
      expect(parted.sort(byName)).toEqual(whole);
    });
  });
});

const nameOf = ({ symbol, tradeDate }: SymbolClaims): string => `${tradeDate} ${symbol}`;
const byName = (one: SymbolClaims, other: SymbolClaims): number => (nameOf(one) < nameOf(other) ? -1 : 1);
