import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { Admission } from '../../../src/market/admit.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { FLOW_SUMS, QUOTE_BAR_COLUMNS } from '../../../src/market/observations.ts';
import type { RefusalReason } from '../../../src/market/refusals.ts';

const calendar = newYorkCalendar();
const DATE = '2024-03-05';
const SESSION = calendar.session(DATE)!;
const DAY = Date.parse(DATE);
const MINUTE_MS = 60_000;

type Bar = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

const column = (rows: readonly (readonly number[])[], at: number): Float64Array =>
  Float64Array.from(rows, (row) => row[at]!);

function bars(interval: '1m' | '5m' | '1d', rows: readonly Bar[], symbol = 'SPY'): Delivery {
  const [time, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map((at) => column(rows, at));
  return {
    kind: 'bars',
    symbol,
    interval,
    columns: { time: time!, open: open!, high: high!, low: low!, close: close!, volume: volume! },
  };
}

const quotes = (row: readonly number[]): Delivery => ({
  kind: 'quotes',
  symbol: 'SPY',
  interval: '1m',
  columns: Object.fromEntries(
    QUOTE_BAR_COLUMNS.map((name, at) => [name, Float64Array.of(row[at]!)]),
  ) as never,
});

const flow = (change: Partial<Record<(typeof FLOW_SUMS)[number], number>>): Delivery => ({
  kind: 'flow-minutes',
  symbol: 'SPY',
  columns: {
    time: Float64Array.of(SESSION.open),
    ...Object.fromEntries(FLOW_SUMS.map((name) => [name, Float64Array.of(change[name] ?? 1)])),
  } as never,
});

const volatility = (time: number, implied: number, realised: number): Delivery => ({
  kind: 'volatility',
  symbol: 'SPY',
  columns: {
    time: Float64Array.of(time),
    implied: Float64Array.of(implied),
    realised: Float64Array.of(realised),
  },
});

const GOOD: Bar = [SESSION.open, 10, 11, 9, 10.5, 100];
const at = (minute: number): Bar => [SESSION.open + minute * MINUTE_MS, 10, 11, 9, 10.5, 100];
const changed = (place: number, value: number): Bar =>
  GOOD.map((one, index) => (index === place ? value : one)) as unknown as Bar;

/** What an admission of deliveries of a file refuses, and the times that it lets through. */
function admit(...deliveries: readonly Delivery[]) {
  const admission = new Admission(calendar);
  const admitted = deliveries.map((delivery) => admission.admit(delivery, 'A.csv'));
  return {
    admitted,
    times: admitted.flatMap((one) => (one !== null && 'columns' in one ? [...one.columns.time] : [])),
    reasons: admission.refused.map(({ reason, count }) => [reason, count]),
    refused: admission.refused,
  };
}

describe('a row of any source', () => {
  it.each<[string, Delivery, RefusalReason]>([
    ['a price that is none', bars('1m', [changed(1, Number.NaN)]), 'not_finite'],
    ['an endless volume', bars('1m', [changed(5, Number.POSITIVE_INFINITY)]), 'not_finite'],
    ['a price of zero', bars('1m', [changed(3, 0)]), 'price_not_positive'],
    ['a negative volume', bars('1m', [changed(5, -1)]), 'volume_negative'],
    ['a price beyond all markets', bars('1m', [changed(2, 1e10)]), 'out_of_bounds'],
    ['more shares than a number counts', bars('1m', [changed(5, 2 ** 60)]), 'out_of_bounds'],
    ['a high under the low', bars('1m', [[SESSION.open, 10, 8, 9, 10, 1]]), 'high_below_low'],
    ['a close outside the range', bars('1m', [changed(4, 12)]), 'price_outside_range'],
    ['no time', bars('1m', [changed(0, Number.NaN)]), 'bad_time'],
    ['a minute that begins between minutes', bars('1m', [changed(0, SESSION.open + 1)]), 'bad_time'],
    ['five minutes that begin between them', bars('5m', [at(1)]), 'bad_time'],
    ['a minute at night', bars('1m', [changed(0, SESSION.preOpen - MINUTE_MS)]), 'outside_session'],
    ['a Sunday', bars('1d', [changed(0, Date.parse('2024-03-03'))]), 'outside_session'],
    ['a day that begins at noon', bars('1d', [changed(0, DAY + 43_200_000)]), 'outside_session'],
    ['no symbol', bars('1m', [GOOD], ''), 'bad_symbol'],
    ['a symbol with a NUL', bars('1m', [GOOD], 'SP\0Y'), 'bad_symbol'],
    ['a quote without sides', quotes([SESSION.open, ...Array(10).fill(Number.NaN)]), 'not_a_number'],
    ['a crossed quote', quotes([SESSION.open, 11, 11, 11, 11, 1, 10, 10, 10, 10, 1]), 'crossed_quote'],
    [
      'a bid of half a side',
      quotes([SESSION.open, 10, Number.NaN, 10, 10, 1, 11, 11, 11, 11, 1]),
      'not_finite',
    ],
    ['negative sums', flow({ buyByQuote: -1 }), 'volume_negative'],
    ['sums that are no numbers', flow({ notional: Number.NaN }), 'not_finite'],
    ['a negative volatility', volatility(DAY, -0.1, 0.2), 'negative_amount'],
    ['a volatility that says nothing', volatility(DAY, Number.NaN, Number.NaN), 'not_a_number'],
  ])('%s is refused', (_, delivery, reason) => {
    const { admitted, reasons } = admit(delivery);
    expect(admitted).toEqual([null]);
    expect(reasons).toEqual([[reason, 1]]);
  });

  it('passes where it is whole, as the very columns', () => {
    const whole = [
      bars('1m', [GOOD, at(1), at(3)]),
      bars('1d', [changed(0, DAY)]),
      quotes([SESSION.open, 10, 10, 10, 10, 5, ...Array(5).fill(Number.NaN)]),
      flow({}),
      volatility(DAY, 0.2, Number.NaN),
    ];
    const { admitted, reasons } = admit(...whole);
    expect(reasons).toEqual([]);
    for (const [place, one] of admitted.entries()) {
      expect(one).toHaveProperty('columns', (whole[place] as { columns: unknown }).columns);
    }
  });

  it('ascends within its delivery: what repeats or steps back is refused, the others pass', () => {
    const { times, reasons } = admit(bars('1m', [at(0), at(2), at(2), at(1), at(3)]));
    expect(times).toEqual([at(0)[0], at(2)[0], at(3)[0]]);
    expect(reasons).toEqual([
      ['duplicate', 1],
      ['out_of_order', 1],
    ]);
    // A later delivery may correct.
    expect(admit(bars('1m', [at(2)]), bars('1m', [at(1)])).reasons).toEqual([]);
  });

  it('is counted by reason, with the first place and example, and no character that a terminal obeys', () => {
    const { refused } = admit(
      bars('1m', [changed(1, -1), changed(1, -2)], 'A'),
      { kind: 'refused', reason: 'price_not_positive', where: 'A.csv:9', example: 'x', count: 5 },
      bars('1m', [GOOD], 'B\u001b[2J'),
    );
    expect(refused).toEqual([
      {
        kind: 'refused',
        reason: 'price_not_positive',
        where: 'A.csv',
        example: `A bars-1m ${SESSION.open} -1 11 9 10.5 100`,
        count: 7,
      },
      { kind: 'refused', reason: 'bad_symbol', where: 'A.csv', example: 'B\\u{1b}[2J bars-1m', count: 1 },
    ]);
  });
});

describe('a delivery as a whole', () => {
  it('is refused where its columns are not of one length', () => {
    const delivery = bars('1m', [at(0), at(1)]) as Extract<Delivery, { kind: 'bars' }>;
    const short = { ...delivery, columns: { ...delivery.columns, close: Float64Array.of(10) } };
    expect(admit(short).reasons).toEqual([['wrong_columns', 2]]);
    const { volume: _, ...without } = delivery.columns;
    expect(admit({ ...delivery, columns: without as never }).reasons).toEqual([['wrong_columns', 2]]);
  });

  it('is refused where it is larger than any source delivers at once', () => {
    const rows = 1_000_001;
    const [time, one] = [new Float64Array(rows), new Float64Array(rows)];
    const columns = { time, open: one, high: one, low: one, close: one, volume: one };
    expect(admit({ kind: 'bars', symbol: 'SPY', interval: '1m', columns }).reasons).toEqual([
      ['too_large', rows],
    ]);
  });
});

describe('splits, dividends and facts', () => {
  it('are refused where they cannot be', () => {
    const action = (kind: 'split' | 'dividend', exDate: number, value: number) => ({ kind, exDate, value });
    const actions = [
      action('split', DAY, 7),
      action('dividend', DAY, 0.25),
      action('split', DAY, 0),
      action('split', DAY, 1e6),
      action('dividend', DAY, Number.NaN),
      action('dividend', DAY + 1, 0.25),
    ];
    const { admitted, reasons } = admit({ kind: 'actions', symbol: 'AAPL', actions });
    expect(admitted).toEqual([{ kind: 'actions', symbol: 'AAPL', actions: actions.slice(0, 2) }]);
    expect(reasons).toEqual([
      ['bad_action', 3],
      ['bad_time', 1],
    ]);
  });

  it('count once, and are refused in the words of their schema', () => {
    const fact = {
      kind: 'halt' as const,
      key: '1',
      knownAt: SESSION.open,
      value: { from: SESSION.open, to: null, reason: 'news pending' },
    };
    const facts = [fact, { ...fact }, { ...fact, key: '2', value: {} as never }] as never;
    const { admitted, reasons } = admit({ kind: 'facts', symbol: 'SPY', facts });
    expect(admitted[0]).toMatchObject({ kind: 'facts', facts: [fact] });
    expect(reasons).toEqual([
      ['duplicate', 1],
      ['missing_value', 1],
    ]);
  });
});

describe('a minute of a session that runs', () => {
  const minute = { session: SESSION, at: SESSION.open + MINUTE_MS };
  const live = (delivery: Delivery) => {
    const admission = new Admission(calendar);
    const admitted = admission.admit(delivery, 'now', minute);
    return [admitted === null ? null : admitted.kind, admission.refused.map(({ reason }) => reason)];
  };

  it('brings what is of its session and final, and nothing else', () => {
    expect(live(bars('1m', [GOOD]))).toEqual(['bars-1m', []]);
    expect(live(bars('1m', [at(1)]))).toEqual([null, ['not_final']]);
    expect(live(bars('5m', [GOOD]))).toEqual([null, ['not_final']]);
    expect(live(bars('1d', [changed(0, DAY)]))).toEqual([null, ['not_final']]);
    const before = calendar.session('2024-03-04')!;
    expect(live(bars('1m', [changed(0, before.open)]))).toEqual([null, ['outside_session']]);
    expect(live(bars('1d', [changed(0, Date.parse('2024-03-04'))]))).toEqual([null, ['outside_session']]);
  });

  it('is refused in the same words as a file', () => {
    expect(live(bars('1m', [changed(1, Number.NaN)]))).toEqual([null, ['not_finite']]);
    expect(live(quotes([SESSION.open, 11, 11, 11, 11, 1, 10, 10, 10, 10, 1]))).toEqual([
      null,
      ['crossed_quote'],
    ]);
    expect(live(bars('1m', [GOOD, GOOD]))).toEqual(['bars-1m', ['duplicate']]);
  });
});
