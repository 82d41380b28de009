import {
  DIRECTIONS,
  type Direction,
  HOLDING_SESSIONS,
  TIMEFRAMES,
  type Timeframe,
} from '../analysis/options/dte-axes.ts';
import { rankExpirations } from '../analysis/options/dte-evaluator.ts';
import { AT_THE_OPEN } from '../analysis/options/quotes.ts';
import type { ClaimEvent, SymbolClaims } from '../analysis/records/claims.ts';
import { impliedMove } from '../analysis/records/implied-move.ts';
import { type Calendar, DAY_MS, dateOf, dayOf, type Session } from '../base/calendar.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { ChainRef, SymbolTape } from '../market/tape/index.ts';
import { loadChain } from './chain-snapshot.ts';
import { viewOfChain } from './chain-view.ts';
import { DailyPrices } from './daily-prices.ts';
import { dteInputs } from './dte-scores.ts';
import { type TapeSource, unlessDamaged } from './tape-source.ts';

export interface ExpirationClaimsWork {
  readonly stocks: readonly {
    readonly tape: SymbolTape;
    /** Sessions that have closed, ascending: the last chain of each, or the `terms` that were read of it before. */
    readonly dates: readonly { readonly tradeDate: string; readonly basis: ChainRef | string }[];
  }[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** What was served of a chain at the close of its session, as far as a claim rests on it. */
interface Terms {
  readonly simulated: boolean;
  /** The expirations that no gate bars. */
  readonly expirations: readonly Expiration[];
  /** For each timeframe and direction the place among them of the recommended one; -1 without one. */
  readonly recommended: readonly number[];
}

type Expiration = readonly [date: string, isAtTheOpen: boolean, volatility: number];

const QUESTIONS = TIMEFRAMES.flatMap((timeframe) =>
  DIRECTIONS.map((direction): readonly [Timeframe, Direction] => [timeframe, direction]),
);
const YEAR_MS = 365 * DAY_MS;

/**
 * Whether the stock moved further than the recommended expiration's premium implied; the controls are the other
 * expirations of its chain that no gate bars. Dates without a recommended one are left out.
 *
 * @param isCalledOff checked before each stock; the rest is left out once it is true
 */
export function expirationClaims(
  source: TapeSource,
  { stocks, lastDay }: ExpirationClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  return stocks.flatMap(({ tape, dates }) => {
    if (isCalledOff()) return [];
    return unlessDamaged(() => {
      const first = dayOf(dates[0]!.tradeDate);
      const prices = new DailyPrices(source.reader, tape, source.calendar, { first, last: lastDay });
      return dates.flatMap(({ tradeDate, basis }): SymbolClaims[] => {
        const terms: Terms | null =
          typeof basis === 'string' ? JSON.parse(basis) : termsServed(source, tape, tradeDate, basis);
        if (terms === null || terms.recommended.every((place) => place < 0)) return [];
        const events = eventsOf(source.calendar, prices, tradeDate, terms, lastDay);
        const { symbol } = tape;
        return [
          {
            symbol,
            tradeDate,
            simulated: terms.simulated,
            events,
            controls: [],
            terms: JSON.stringify(terms),
          },
        ];
      });
    });
  });
}

/** What was served of a chain at the close, when the contracts of the day itself had settled. */
function termsServed(source: TapeSource, tape: SymbolTape, tradeDate: string, chain: ChainRef): Terms | null {
  const { takenAt } = chain;
  const chainAt = source.calendar.session(tradeDate)!.close;
  const view = { ...viewOfChain(source, { ...tape, chains: [chain] }, tradeDate, takenAt), chainAt };
  const snapshot = loadChain(view, unknownMarket(tradeDate, takenAt));
  if (snapshot.priced === null) return null;
  const inputs = dteInputs(view, snapshot, snapshot.priced);
  const verdicts = QUESTIONS.map(([timeframe, direction]) =>
    rankExpirations({ ...inputs, timeframe, direction }),
  );
  const { smiles, chain: priced } = snapshot.priced;
  // Gates are of quotes and open interest alone, the same for every question.
  const open = [...priced.expirations.keys()].filter(
    (at) => verdicts[0]!.gates[at]!.length === 0 && smiles[at]!.atTheMoney > 0,
  );
  return {
    simulated: view.simulated || chain.simulated,
    expirations: open.map((at) => {
      const { date, settlement } = priced.expirations[at]!;
      return [dateOf(date), settlement === AT_THE_OPEN, smiles[at]!.atTheMoney];
    }),
    recommended: verdicts.map(({ recommended }) => open.indexOf(recommended)),
  };
}

function eventsOf(
  calendar: Calendar,
  prices: DailyPrices,
  tradeDate: string,
  { expirations, recommended }: Terms,
  lastDay: number,
): ClaimEvent[] {
  const { close: begunAt } = calendar.session(tradeDate)!;
  const day = dayOf(tradeDate);
  const row = prices.rowOn(day);
  const price = row < 0 ? Number.NaN : prices.inSharesOf(day).close[row]!;
  return QUESTIONS.flatMap(([timeframe, direction], at): ClaimEvent[] => {
    const place = recommended[at]!;
    if (place < 0) return [];
    const side = direction === 'bullish' ? 1 : -1;
    const trades = expirations.map((expiration) =>
      tradeOf(calendar, prices, tradeDate, HOLDING_SESSIONS[timeframe], expiration, lastDay),
    );
    const own = trades[place]!;
    const came = ({ move, implied }: Trade): boolean => side * move > implied;
    const others = trades.filter((trade, other) => other !== place && !Number.isNaN(trade.move));
    const exit = calendar.sessionAt(calendar.sessionIndex(tradeDate) + HOLDING_SESSIONS[timeframe]);
    const isClosed = exit !== null && dayOf(exit.tradeDate) <= lastDay;
    const isMissing = Number.isNaN(own.move);
    return [
      {
        key: `${timeframe}.${direction}`,
        claim: expirations[place]![0],
        begunAt,
        decidedAt: own.isOver && !isMissing ? own.endsAt : null,
        side,
        price: Number.isNaN(price) ? null : price * (1 + side * own.implied),
        outcome: !own.isOver ? null : isMissing ? 'undecided' : came(own) ? 'true' : 'false',
        isGone: own.isOver && isMissing,
        isAmbiguous: false,
        chance: isClosed && others.length > 0 ? others.filter(came).length / others.length : null,
        controls: isClosed ? others.length : 0,
        stratum: 0,
      },
    ];
  });
}

/** A trade from a close on, in contracts of an expiration. */
interface Trade {
  /** The move that the premium implies for it, as a share of the price. */
  readonly implied: number;
  /** What the stock did; NaN without a price at either end. */
  readonly move: number;
  readonly endsAt: number | null;
  readonly isOver: boolean;
}

/** A trade of so many sessions, or up to the end of its contracts. */
function tradeOf(
  calendar: Calendar,
  prices: DailyPrices,
  tradeDate: string,
  holding: number,
  [date, isAtTheOpen, volatility]: Expiration,
  lastDay: number,
): Trade {
  const entry = calendar.session(tradeDate)!;
  const index = calendar.sessionIndex(tradeDate);
  const last = lastSession(calendar, date);
  const expiry = isAtTheOpen ? last.open : last.close;
  const sessions = calendar.sessionIndex(last.tradeDate) - index - (isAtTheOpen ? 1 : 0);
  const years = (expiry - entry.close) / YEAR_MS;
  const exit = calendar.sessionAt(index + holding);
  const lives = exit === null || expiry > exit.close;
  const implied = impliedMove(volatility, years, sessions, holding);
  const end = lives ? exit : last;
  const endDay = end === null ? Number.POSITIVE_INFINITY : dayOf(end.tradeDate);
  if (end === null || endDay > lastDay) return { implied, move: Number.NaN, endsAt: null, isOver: false };
  const [from, to] = [prices.rowOn(dayOf(tradeDate)), prices.rowOn(endDay)];
  const { open, close } = prices.inSharesOf(endDay);
  const leaving = !lives && isAtTheOpen ? open : close;
  const move = from < 0 || to < 0 ? Number.NaN : leaving[to]! / close[from]! - 1;
  return { implied, move, endsAt: lives ? end.close : expiry, isOver: true };
}

/** The session on which contracts end: that of their date, or the one before. */
const lastSession = (calendar: Calendar, date: string): Session =>
  calendar.session(date) ?? calendar.session(calendar.previousSession(date)!)!;
