import type { Static } from 'typebox';
import { type ExpirationMove, expirationMoves, moveOfSessions } from '../analysis/options/expected-move.ts';
import { tradeDay } from '../analysis/sessions.ts';
import { DAY_MS, dateOf, weekdayOf } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import type { StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';
import { CLOSED_DAYS_MAX, chainOf, chainState, type PricedState } from './chain-state.ts';
import { priceVolume } from './price-volume.ts';

const SATURDAY = 6;

export const Band = wire.record(
  'ExpectedMoveBand',
  'How far options expect the price to go by a close: one deviation either way, within which 68 of 100 closes lie if their volatility is right.',
  {
    until: wire.date('Session at whose close it ends.'),
    from: wire.number('Official close from which it is measured, USD.', wire.NOT_NEGATIVE),
    move: wire.number(
      'from x IV x sqrt(time) of the expiration, of as many of its sessions, USD.',
      wire.NOT_NEGATIVE,
    ),
    move_pct: wire.number('The same, percent of `from`.', wire.NOT_NEGATIVE),
    low: wire.number('from - move, USD.'),
    high: wire.number('from + move, USD.'),
    expiration: wire.date(
      'The nearest expiration that ends with it or later and has a session to live; its volatility at the money decides.',
    ),
  },
);

const ToExpiration = wire.record(
  'ExpectedMoveToExpiration',
  'The move to the end of an expiration, from the price of the stock when the chain was taken.',
  {
    expiration: wire.date('Date of the expiration.'),
    days: wire.integer('Calendar days to it.', wire.NOT_NEGATIVE),
    implied: wire.nullableNumber(
      'One deviation by the volatility at the money: price x IV x sqrt(time), USD.',
      wire.NOT_NEGATIVE,
    ),
    implied_pct: wire.nullableNumber('The same, percent of the price.', wire.NOT_NEGATIVE),
    straddle: wire.nullableNumber(
      'Call and put of the strike nearest the forward at the middle of their quotes, USD: what the price moves on average, about 0.8 deviations.',
      wire.NOT_NEGATIVE,
    ),
    straddle_pct: wire.nullableNumber('The same, percent of the price.', wire.NOT_NEGATIVE),
  },
);

const ExpectedMove = wire.record('ExpectedMove', 'What options expect of the price.', {
  refresh_timestamp: wire.nullableDateTime('When the chain was taken.'),
  sessions_old: wire.integer(
    'Age of the chain, sessions: 0 of the trade date, 1 of the session before.',
    wire.NOT_NEGATIVE,
  ),
  day: wire.nullable(Band),
  day_position: wire.nullableNumber(
    'Price less the close before, in expected moves of the day: beyond 1 or -1 the band is left. After the close the official close counts.',
  ),
  week: wire.nullable(Band),
  next: wire.nullable(Band),
  expirations: wire.listOf(ToExpiration, 'Each expiration that lives, ascending.'),
});

/**
 * Bands of the trade date and of its week from the close before, of the next session from the official close once there
 * is one, and the move to each expiration. Null without a chain, or without a price that belongs to it.
 */
export const expectedMove = nestedBlock({
  name: 'expected_move',
  include: 'expected_move',
  schema: ExpectedMove,
  reads: [chainState, priceVolume],
  derive(view, known) {
    const chain = chainOf(known);
    if (!chain?.priced) return null;
    const { priced } = chain;
    const { daily, priorRow, sessionOn } = view;
    const today = tradeDay(view.session);
    const before = closeOn(daily, priorRow, tradeDay(view.priorSession));
    const close = closeOn(daily, daily.time.length - 1, today);
    const { moves, day, week, next } = bandsOf(priced, sessionOn, today, before, close);
    const price = Number.isNaN(close) ? known(priceVolume).flat.last_price : close;
    return withLate(
      {
        refresh_timestamp: instantOrNull(chain.takenAt),
        sessions_old: chain.sessionsOld,
        day,
        day_position: day === null || price === null ? null : (price - day.from) / day.move,
        week,
        next,
      },
      {
        expirations: () => moves.map((move) => toExpiration(move, priced.chain.spot)),
      },
    );
  },
});

/** All that stays while the price moves. */
const bandsOf = onceFor(
  (
    { chain, smiles }: PricedState,
    sessionOn: StockView['sessionOn'],
    today: number,
    before: number,
    close: number,
  ) => {
    const moves = expirationMoves(chain, smiles, sessionOn);
    return {
      moves,
      day: bandOf(moves, before, [today]),
      week: bandOf(moves, before, restOfWeek(today, sessionOn)),
      next: bandOf(moves, close, nextSession(today, sessionOn)),
    };
  },
);

/** The official close of a day; NaN where the row is of another. */
const closeOn = ({ time, close }: StockView['daily'], row: number, day: number): number =>
  time[row] === day ? close[row]! : Number.NaN;

/** @param days the sessions that it spans, midnights UTC */
function bandOf(
  moves: readonly ExpirationMove[],
  from: number,
  days: readonly number[],
): Static<typeof Band> | null {
  const until = days.at(-1) ?? Number.NaN;
  const own = moveOfSessions(moves, days.length, until);
  if (own === null || Number.isNaN(from)) return null;
  const move = from * own.share;
  return {
    until: dateOf(until),
    from,
    move,
    move_pct: own.share * 100,
    low: from - move,
    high: from + move,
    expiration: dateOf(own.of.date),
  };
}

/** The sessions from a day to the end of its week. */
const restOfWeek = (day: number, sessionOn: StockView['sessionOn']): number[] =>
  Array.from({ length: SATURDAY - weekdayOf(day) }, (_, after) => day + after * DAY_MS).filter(
    (each) => sessionOn(each) !== null,
  );

function nextSession(day: number, sessionOn: StockView['sessionOn']): number[] {
  const after = Array.from({ length: CLOSED_DAYS_MAX }, (_, days) => day + (days + 1) * DAY_MS);
  return after.filter((each) => sessionOn(each) !== null).slice(0, 1);
}

function toExpiration({ date, days, implied, straddle }: ExpirationMove, spot: number) {
  return {
    expiration: dateOf(date),
    days,
    implied: finiteOrNull(implied),
    implied_pct: finiteOrNull((implied / spot) * 100),
    straddle: finiteOrNull(straddle),
    straddle_pct: finiteOrNull((straddle / spot) * 100),
  };
}
