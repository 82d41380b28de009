import { describe, expect, it } from 'vitest';
import { nextWords, stateWords } from '../../../explorer/src/market/session-words.ts';
import { ageOf } from '../../../explorer/src/shared/age.ts';
import type { MarketContext } from '../../../explorer/src/shared/api/queries.ts';
import { flipWords } from '../../../explorer/src/shared/input-words.ts';
import { clockOf, dateOf } from '../../../explorer/src/shared/instant.ts';
import { standpointOf } from '../../../explorer/src/stock/standpoint.ts';

/** What head, handle and market page say at unusual times of the week of Thanksgiving 2026, by the answers of the service. */

type Clock = MarketContext['clock'];
type Moment = readonly [
  name: string,
  at: string,
  answer: Pick<Clock, 'trade_date' | 'phase' | 'closed_for' | 'next_bell'>,
  newestBar: string,
  head: string,
  handle: string,
  market: string,
];

const bell = (kind: 'open' | 'close', at: string, minutes: number): Clock['next_bell'] => ({
  kind,
  at,
  minutes,
});
const FRIDAY = '2026-11-27T14:30:00Z';
const MONDAY = '2026-11-30T14:30:00Z';

const MOMENTS: readonly Moment[] = [
  [
    'before 4:00',
    '2026-11-25T08:30:00Z',
    {
      trade_date: '2026-11-24',
      phase: 'closed',
      closed_for: null,
      next_bell: bell('open', '2026-11-25T14:30:00Z', 360),
    },
    '2026-11-25T01:00:00Z',
    'before the session: showing Tue, Nov 24, 20:00 ET',
    '2026-11-24 20:00 newest',
    'Closed · opens in 6 h (09:30 ET) · holiday on Thu, Nov 26, Thanksgiving Day',
  ],
  [
    'at 9:31',
    '2026-11-25T14:31:00Z',
    {
      trade_date: '2026-11-25',
      phase: 'regular',
      closed_for: null,
      next_bell: bell('close', '2026-11-25T21:00:00Z', 389),
    },
    '2026-11-25T14:31:00Z',
    'Wed, Nov 25, 09:31 ET · market open',
    '2026-11-25 09:31 live',
    'Market open · closes in 6 h 29 min (16:00 ET) · holiday on Thu, Nov 26, Thanksgiving Day',
  ],
  [
    'at 20:01',
    '2026-11-26T01:01:00Z',
    { trade_date: '2026-11-25', phase: 'closed', closed_for: null, next_bell: bell('open', FRIDAY, 2249) },
    '2026-11-26T01:00:00Z',
    'Wed, Nov 25, 20:00 ET · closed',
    '2026-11-25 20:01 newest',
    'Closed · opens Fri, Nov 27, 09:30 ET · holiday on Thu, Nov 26, Thanksgiving Day',
  ],
  [
    'on a holiday',
    '2026-11-26T16:45:00Z',
    {
      trade_date: '2026-11-25',
      phase: 'closed',
      closed_for: 'Thanksgiving Day',
      next_bell: bell('open', FRIDAY, 1305),
    },
    '2026-11-26T01:00:00Z',
    'Thanksgiving Day: showing Wed, Nov 25, 20:00 ET',
    '2026-11-25 20:00 newest',
    'Closed: Thanksgiving Day · opens Fri, Nov 27, 09:30 ET · early close on Fri, Nov 27, day after Thanksgiving',
  ],
  [
    'on a half day',
    '2026-11-27T16:45:00Z',
    {
      trade_date: '2026-11-27',
      phase: 'regular',
      closed_for: null,
      next_bell: bell('close', '2026-11-27T18:00:00Z', 75),
    },
    '2026-11-27T16:45:00Z',
    'Fri, Nov 27, 11:45 ET · market open',
    '2026-11-27 11:45 live',
    'Market open · closes in 1 h 15 min (13:00 ET) · early close · early close on Thu, Dec 24, Christmas Eve',
  ],
  [
    'after the close of a half day',
    '2026-11-27T18:05:00Z',
    {
      trade_date: '2026-11-27',
      phase: 'after_hours',
      closed_for: null,
      next_bell: bell('open', MONDAY, 4105),
    },
    '2026-11-27T18:05:00Z',
    'Fri, Nov 27, 13:05 ET · after hours',
    '2026-11-27 13:05 live',
    'After hours · opens Mon, Nov 30, 09:30 ET · closed early at 13:00 ET · early close on Thu, Dec 24, Christmas Eve',
  ],
  [
    'on the Saturday after it',
    '2026-11-28T16:45:00Z',
    {
      trade_date: '2026-11-27',
      phase: 'closed',
      closed_for: 'weekend',
      next_bell: bell('open', MONDAY, 2745),
    },
    '2026-11-27T21:59:00Z',
    'weekend: showing Fri, Nov 27, 16:59 ET',
    '2026-11-27 16:59 newest',
    'Closed: weekend · opens Mon, Nov 30, 09:30 ET · early close on Thu, Dec 24, Christmas Eve',
  ],
];

/** The clock of an answer: sessions of the week, and what its date has ahead. */
function clockAt(at: string, answer: Moment[2]): Clock {
  const { trade_date } = answer;
  const isHalf = trade_date === '2026-11-27';
  const close = isHalf ? '18:00' : '21:00';
  const departures = [
    ['2026-11-26', 'holiday', 'Thanksgiving Day'],
    ['2026-11-27', 'early_close', 'day after Thanksgiving'],
    ['2026-12-24', 'early_close', 'Christmas Eve'],
  ] as const;
  const [date, kind, reason] = departures.find(([day]) => day > dateOf(Date.parse(at)))!;
  return {
    ...answer,
    at,
    early_close: isHalf,
    phases: [
      { phase: 'pre_market', opens_at: `${trade_date}T09:00:00Z`, closes_at: `${trade_date}T14:30:00Z` },
      { phase: 'regular', opens_at: `${trade_date}T14:30:00Z`, closes_at: `${trade_date}T${close}:00Z` },
    ],
    next_departure: { date, kind, reason, opens_at: null, closes_at: null },
    previous_session: null,
    next_session: null,
  } as Clock;
}

/** Without the year, which is left out in that year alone. */
const undated = (words: string): string => words.replaceAll(', 2026', '');

/** Nearest flips as answers have them. */
const FLIPS = [
  { flips: 'bull_tier', label_to: 'POOR', input: 'support_atr', from: 0.2, to: 0.56 },
  { flips: 'directional_bias', label_to: 'neutral', input: 'support_atr', from: 0.3, to: 0.18 },
  { flips: 'directional_bias', label_to: 'bullish', input: 'resistance_atr', from: 0.13, to: 0.52 },
  { flips: 'bear_tier', label_to: 'GOOD', input: 'bearish_patterns', from: 0.5, to: 0.95 },
  { flips: 'directional_bias', label_to: 'bullish', input: 'rsi_14', from: 50, to: 62.5 },
  { flips: 'bear_tier', label_to: 'GOOD', input: 'percent_b', from: 0.12, to: 0.07 },
] as const;

describe('the words of the trading day', () => {
  it.each(MOMENTS)('%s', (_, at, answer, newestBar, head, handle, market) => {
    const clock = clockAt(at, answer);
    const stock = { updated_at: newestBar, sessions_behind: 0 };
    expect(undated(ageOf(stock, { as_of: at, clock }).words)).toBe(head);
    const { shownMs, isLive } = standpointOf(undefined, Date.parse(at), stock, { clock });
    expect(`${dateOf(shownMs)} ${clockOf(shownMs)} ${isLive ? 'live' : 'newest'}`).toBe(handle);
    expect(undated([stateWords(clock), ...nextWords(clock)].join(' · '))).toBe(market);
  });

  it('are of no live stock after the close where none has traded since', () => {
    const [, at, answer] = MOMENTS.find(([name]) => name === 'after the close of a half day')!;
    const stock = { updated_at: '2026-11-27T18:00:00Z', sessions_behind: 0 };
    const clock = clockAt(at, answer);
    expect(standpointOf(undefined, Date.parse(at), stock, { clock }).isLive).toBe(false);
  });

  it('and of flips are those that npm run docs:sentences lists', async () => {
    const moments = MOMENTS.flatMap(([name, , , , head, , market]) => [
      [`head ${name}`, head],
      [`market ${name}`, market],
    ]);
    const flips = FLIPS.map((flip) => [
      `${flip.flips} by ${flip.input} to ${flip.label_to}`,
      flipWords(flip),
    ]);
    const text = `${JSON.stringify(Object.fromEntries([...moments, ...flips]), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../fixtures/sentences/explorer.json');
  });
});
