import { DIRECTIONS, HOLDING_SESSIONS, TIMEFRAMES, type Timeframe } from '../analysis/options/dte-axes.ts';
import { rankExpirations } from '../analysis/options/dte-evaluator.ts';
import { AT_THE_OPEN } from '../analysis/options/quotes.ts';
import { impliedMove } from '../analysis/records/implied-move.ts';
import { type Calendar, DAY_MS, dateOf, dayOf, type Session } from '../base/calendar.ts';
import type { PricedState } from '../blocks/chain-state.ts';
import type { ChainSnapshot } from '../derive/chain-snapshot.ts';
import { dteInputs } from '../derive/dte-scores.ts';
import type { StockView } from '../market/stock-view.ts';
import type { DailyPrices } from '../tape/daily-prices.ts';
import { chainRule } from './chain-claims.ts';
import type { ClaimEvent } from './events.ts';

/** What was served of a chain at the close of its session, as far as a claim rests on it. */
interface Terms {
  /** The expirations that no gate bars. */
  readonly expirations: readonly Expiration[];
  /** For each timeframe and direction the place among them of the recommended one; -1 without one. */
  readonly recommended: readonly number[];
}

type Expiration = readonly [date: string, isAtTheOpen: boolean, volatility: number];

const YEAR_MS = 365 * DAY_MS;

/** Null without a recommended expiration. */
function termsOf(view: StockView, pricedState: PricedState, snapshot: ChainSnapshot): Terms | null {
  const inputs = dteInputs(view, snapshot, pricedState);
  const verdicts = TIMEFRAMES.flatMap((timeframe) =>
    DIRECTIONS.map((direction) => rankExpirations({ ...inputs, timeframe, direction })),
  );
  const { smiles, chain: priced } = pricedState;
  // Gates are of quotes and open interest alone, the same for every question.
  const open = [...priced.expirations.keys()].filter(
    (at) => verdicts[0]!.gates[at]!.length === 0 && smiles[at]!.atTheMoney > 0,
  );
  const recommended = verdicts.map((verdict) => open.indexOf(verdict.recommended));
  if (recommended.every((place) => place < 0)) return null;
  return {
    expirations: open.map((at) => {
      const { date, settlement } = priced.expirations[at]!;
      return [dateOf(date), settlement === AT_THE_OPEN, smiles[at]!.atTheMoney];
    }),
    recommended,
  };
}

/** The end of some contracts, seen from the close of a session. */
interface ContractsEnd {
  /** The session on which they end: that of their date, or the one before. */
  readonly day: number;
  readonly at: number;
  readonly sessions: number;
  readonly years: number;
}

/** A trade from a close on, in contracts of an expiration. */
interface Trade {
  /** The move that the premium implies for it, as a share of the price. */
  readonly implied: number;
  /** What the stock did; NaN without a price at either end, and while it is not over. */
  readonly move: number;
  /** Null while it is not over. */
  readonly endsAt: number | null;
}

/** What became of the claims of a session, whose stocks mostly have the same expirations. */
class Judge {
  readonly #calendar: Calendar;
  readonly #entry: Session;
  readonly #lastDay: number;
  readonly #ends = new Map<string, ContractsEnd>();
  /** For each timeframe the session at whose close the trade ends; null beyond the calendar. */
  readonly #exits: readonly (Session | null)[];

  constructor(calendar: Calendar, tradeDate: string, lastDay: number) {
    this.#calendar = calendar;
    this.#entry = calendar.session(tradeDate)!;
    this.#lastDay = lastDay;
    const index = calendar.sessionIndex(tradeDate);
    this.#exits = TIMEFRAMES.map((timeframe) => calendar.sessionAt(index + HOLDING_SESSIONS[timeframe]));
  }

  eventsOf(prices: DailyPrices, { expirations, recommended }: Terms): ClaimEvent[] {
    const day = dayOf(this.#entry.tradeDate);
    const row = prices.rowOn(day);
    const price = row < 0 ? Number.NaN : prices.inSharesOf(day).close[row]!;
    return TIMEFRAMES.flatMap((timeframe, place) => {
      const exit = this.#exits[place]!;
      const trades = expirations.map((expiration) =>
        this.#tradeOf(prices, row, expiration, HOLDING_SESSIONS[timeframe], exit),
      );
      const isClosed = exit !== null && dayOf(exit.tradeDate) <= this.#lastDay;
      return DIRECTIONS.flatMap((direction, at): ClaimEvent[] => {
        const best = recommended[place * DIRECTIONS.length + at]!;
        if (best < 0) return [];
        const side = direction === 'bullish' ? 1 : -1;
        const came = ({ move, implied }: Trade): boolean => side * move > implied;
        const own = trades[best]!;
        const others = trades.filter(({ move }, other) => other !== best && !Number.isNaN(move));
        const isMissing = own.endsAt !== null && Number.isNaN(own.move);
        return [
          {
            key: `${timeframe}.${direction}`,
            claim: expirations[best]![0],
            begunAt: this.#entry.close,
            decidedAt: isMissing ? null : own.endsAt,
            side,
            price: Number.isNaN(price) ? null : price * (1 + side * own.implied),
            outcome: own.endsAt === null ? null : isMissing ? 'undecided' : came(own) ? 'true' : 'false',
            isGone: isMissing,
            isAmbiguous: false,
            chance: isClosed && others.length > 0 ? others.filter(came).length / others.length : null,
            controls: isClosed ? others.length : 0,
            stratum: 0,
          },
        ];
      });
    });
  }

  /** A trade of so many sessions, or up to the end of its contracts. */
  #tradeOf(
    prices: DailyPrices,
    row: number,
    expiration: Expiration,
    holding: number,
    exit: Session | null,
  ): Trade {
    const [, isAtTheOpen, volatility] = expiration;
    const ends = this.#endOf(expiration);
    const implied = impliedMove(volatility, ends.years, ends.sessions, holding);
    const lives = exit === null || ends.at > exit.close;
    const day = !lives ? ends.day : exit === null ? Number.POSITIVE_INFINITY : dayOf(exit.tradeDate);
    if (day > this.#lastDay) return { implied, move: Number.NaN, endsAt: null };
    const to = prices.rowOn(day);
    const { open, close } = prices.inSharesOf(day);
    const leaving = !lives && isAtTheOpen ? open : close;
    const move = row < 0 || to < 0 ? Number.NaN : leaving[to]! / close[row]! - 1;
    return { implied, move, endsAt: lives ? exit!.close : ends.at };
  }

  #endOf([date, isAtTheOpen]: Expiration): ContractsEnd {
    return this.#ends.getOrInsertComputed(`${date} ${isAtTheOpen}`, () => {
      const calendar = this.#calendar;
      const last = calendar.session(date) ?? calendar.session(calendar.previousSession(date)!)!;
      const at = isAtTheOpen ? last.open : last.close;
      const after = calendar.sessionIndex(last.tradeDate) - calendar.sessionIndex(this.#entry.tradeDate);
      return {
        day: dayOf(last.tradeDate),
        at,
        sessions: after - (isAtTheOpen ? 1 : 0),
        years: (at - this.#entry.close) / YEAR_MS,
      };
    });
  }
}

/**
 * Whether the stock moved further than the recommended expiration's premium implied; the controls are the other
 * expirations of its chain that no gate bars. Dates without a recommended one are left out.
 */
export const expiration = chainRule<Terms>({
  kind: {
    name: 'expiration',
    version: 1,
    releasedAt: '2026-11-28',
    keys: TIMEFRAMES.flatMap((timeframe) => DIRECTIONS.map((direction) => `${timeframe}.${direction}`)),
    horizonOf: (key) => HOLDING_SESSIONS[key.split('.')[0] as Timeframe],
    says: {
      subject(key) {
        const [timeframe, direction] = key.split('.');
        return `Recommended expirations for a ${direction} ${timeframe} trade beat what their premium asked`;
      },
      tested: 'expirations',
    },
  },
  termsOf,
  judgeOf(calendar, tradeDate, lastDay) {
    const judge = new Judge(calendar, tradeDate, lastDay);
    return (prices, terms) => judge.eventsOf(prices, terms);
  },
});
