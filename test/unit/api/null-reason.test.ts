import { describe, expect, it } from 'vitest';
import { importNext } from '../../../src/api/stocks/import-next.ts';
import { nullReason } from '../../../src/api/stocks/null-reason.ts';
import { deriveStock, INCLUDE_FIELDS, joinStock } from '../../../src/derive/compose.ts';
import { SCALAR_FIELDS, scalarAt } from '../../../src/derive/scalar-fields.ts';
import { dailyFromCloses, flatMinutes, marketOf, viewOf } from '../../support/views.ts';

/** Why fields of thin stocks are null: no minutes, no chain, no news, a short history, one exchange. */

const CLOSES = Array.from({ length: 300 }, (_, row) => 100 + 4 * Math.sin(row / 9));
const ONE_EXCHANGE = flatMinutes('9:30', 300, 101).map(
  ([clock, open, high, low, close]) => [clock, open, high, low, close, Number.NaN] as const,
);

const VIEWS = {
  'daily bars alone': () => viewOf({ at: '16:30', daily: dailyFromCloses(CLOSES) }),
  'a short history': () => viewOf({ at: '16:30', daily: dailyFromCloses(CLOSES.slice(0, 5)) }),
  'a session before its open': () => viewOf({ at: '08:00', daily: dailyFromCloses(CLOSES) }),
  'minutes alone': () => viewOf({ at: '10:45', intraday: flatMinutes('9:30', 60, 101) }),
  'one exchange': () => viewOf({ at: '14:30', daily: dailyFromCloses(CLOSES), intraday: ONE_EXCHANGE }),
};

const answerOf = (name: keyof typeof VIEWS): Record<string, unknown> => {
  const view = VIEWS[name]();
  return JSON.parse(
    joinStock(deriveStock(view, marketOf(view)), { source: 'delayed', simulated: false }, [
      ...INCLUDE_FIELDS.keys(),
    ]),
  );
};

describe('a null', () => {
  it.each(Object.keys(VIEWS) as (keyof typeof VIEWS)[])('of %s has a reason, whatever the field', (name) => {
    const answer = answerOf(name);
    const nulls = SCALAR_FIELDS.filter(({ path }) => scalarAt(answer, path) === null);
    expect(nulls.length).toBeGreaterThan(50);
    const without = nulls.filter(({ path }) => nullReason(path, answer) === null);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('of any field has one', () => {
    const without = SCALAR_FIELDS.filter(({ path }) => nullReason(path, {}) === null);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['daily bars alone', 'levels.vwap', 'It needs one-minute bars'],
    ['daily bars alone', 'options.iv_rank', 'It needs an option chain'],
    ['daily bars alone', 'news.sentiment', 'It needs news'],
    ['a short history', 'technical.rsi_14', 'It needs more daily bars'],
    ['one exchange', 'volume', 'It needs the shares traded, and the feed is of one exchange'],
    ['one exchange', 'levels.vwap', 'It needs the shares traded, and the feed is of one exchange'],
    ['daily bars alone', 'price.partial_feed', 'No bar is of one exchange'],
    ['one exchange', 'pulse_v5.net', 'The pulse'],
  ] as const)('of %s in %s says what it needs', (name, path, reason) => {
    const answer = answerOf(name);
    if (path !== 'pulse_v5.net') expect(scalarAt(answer, path)).toBeNull();
    expect(nullReason(path, answer)).toMatch(new RegExp(`^${reason}`));
  });
});

it('offers what lines lack to a company, and to a fund no earnings', () => {
  const lines = [{ side: 'bull', component: 'event_proximity', inputs: {} }] as const;
  const offered = (hasResults: boolean) => importNext(lines, true, hasResults).map(({ data }) => data);
  expect([offered(true), offered(false)]).toEqual([['earnings', 'news'], ['news']]);
});
