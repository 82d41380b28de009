import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { deriveStock, INCLUDE_FIELDS, joinStock, StockResult } from '../../../src/derive/compose.ts';
import {
  type DailyRow,
  flatMinutes,
  type IntradayRow,
  marketOf,
  sessionsBefore,
  viewOf,
} from '../../support/views.ts';

/** A session of which the volume of some minutes is not known, as one exchange states its own. */

const DAYS = sessionsBefore('2024-03-13', 300).map((date, row): DailyRow => {
  const close = 100 + 4 * Math.sin(row / 9) + row * 0.02;
  return [date, close - 0.3, close + 1, close - 1.2, close, 1_000_000 + 1_000 * row];
});

const minutes = (volume: (row: number) => number): IntradayRow[] =>
  flatMinutes('9:30', 300, 107).map(([clock], row) => {
    const price = 107 + Math.sin(row / 25) + row * 0.01;
    return [clock, price, price + 0.2, price - 0.2, price + 0.1, volume(row)];
  });

function answerAt(at: string, volume: (row: number) => number) {
  const priorIntraday = minutes(() => 1_000);
  const view = viewOf({ at, daily: DAYS, intraday: minutes(volume), priorIntraday });
  return JSON.parse(
    joinStock(deriveStock(view, marketOf(view)), { source: 'delayed', simulated: false }, [
      ...INCLUDE_FIELDS.keys(),
    ]),
  );
}

describe.each([
  ['all minutes', () => Number.NaN],
  ['minutes after a change of feed', (row: number) => (row < 60 ? 1_000 : Number.NaN)],
  ['minutes before a change of feed', (row: number) => (row < 60 ? Number.NaN : 1_000)],
] as const)('a session without the volume of %s', (_, volume) => {
  it.each(['10:45', '14:00', '16:30'])('at %s keeps its shape, and has no figure that needs volume', (at) => {
    const answer = answerAt(at, volume);
    expect([...Value.Errors(StockResult, answer)]).toEqual([]);
    expect(answer).toMatchObject({ volume: null, dollar_volume_today: null });
    expect(answer.price).toMatchObject({ partial_feed: 'test', regular: { volume: null } });
    expect(answer.score_warnings).toContain('one_exchange');
    expect(answer.levels).toMatchObject({ vwap: null, vwap_upper_1: null, developing_poc: null });
    expect(answer.volume_profile.developing).toBeNull();
    const lines = answer.pulse_v5.bull_ledger as { component: string; status: string; weight: number }[];
    const missing = lines.filter(({ status }) => status === 'missing').map(({ component }) => component);
    expect(missing).toEqual(['vwap', 'order_flow', 'participation']);
    expect(answer.pulse_v5.weight_available).toBe(0.5);
  });
});

it('a session with all volume is no part', () => {
  const answer = answerAt('14:00', () => 1_000);
  expect(answer.price).toMatchObject({ partial_feed: null });
  expect(answer.volume).toBeGreaterThan(0);
  expect(answer.score_warnings).not.toContain('one_exchange');
});
