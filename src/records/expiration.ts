import { DIRECTIONS, HOLDING_SESSIONS, TIMEFRAMES, type Timeframe } from '../analysis/options/dte-axes.ts';
import { rankExpirations } from '../analysis/options/dte-evaluator.ts';
import { AT_THE_OPEN } from '../analysis/options/quotes.ts';
import { impliedMove } from '../analysis/records/implied-move.ts';
import { type Calendar, DAY_MS, dateOf, dayOf, type Session } from '../base/calendar.ts';
import { loadChain } from '../derive/chain-snapshot.ts';
import { viewOfChain } from '../derive/chain-view.ts';
import { dteInputs } from '../derive/dte-scores.ts';
import { rowsOfEach, type TapeSource } from '../derive/tape-source.ts';
import { unknownMarket } from '../market/market-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import type { ChainRef, SymbolTape } from '../tape/index.ts';
import { foundInParts, observedIn } from './around.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import type { RecordKind } from './kind.ts';
import { readClaimTerms } from './store.ts';

interface ExpirationClaimsWork {
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

const YEAR_MS = 365 * DAY_MS;

/**
 * Whether the stock moved further than the recommended expiration's premium implied; the controls are the other
 * expirations of its chain that no gate bars. Dates without a recommended one are left out.
 *
 * @param isCalledOff checked before each stock; the rest is left out once it is true
 */
function expirationClaims(
  source: TapeSource,
  { stocks, lastDay }: ExpirationClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  const judges = new Map<string, Judge>();
  return rowsOfEach(stocks, isCalledOff, ({ tape, dates }) => {
    const first = dayOf(dates[0]!.tradeDate);
    const prices = new DailyPrices(source.reader, tape, source.calendar, { first, last: lastDay });
    return dates.flatMap(({ tradeDate, basis }): SymbolClaims[] => {
      const terms: Terms | null =
        typeof basis === 'string' ? JSON.parse(basis) : termsServed(source, tape, tradeDate, basis);
      if (terms === null || terms.recommended.every((place) => place < 0)) return [];
      const judge = judges.getOrInsertComputed(
        tradeDate,
        () => new Judge(source.calendar, tradeDate, lastDay),
      );
      return [
        {
          symbol: tape.symbol,
          tradeDate,
          simulated: terms.simulated,
          events: judge.eventsOf(prices, terms),
          counts: [],
          terms: typeof basis === 'string' ? basis : JSON.stringify(terms),
        },
      ];
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
  const verdicts = TIMEFRAMES.flatMap((timeframe) =>
    DIRECTIONS.map((direction) => rankExpirations({ ...inputs, timeframe, direction })),
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

export const expiration: RecordKind<ExpirationClaimsWork> = {
  name: 'expiration',
  version: 1,
  releasedAt: '2026-11-28',
  keys: TIMEFRAMES.flatMap((timeframe) => DIRECTIONS.map((direction) => `${timeframe}.${direction}`)),
  horizonOf: (key) => HOLDING_SESSIONS[key.split('.')[0] as Timeframe],
  datesAtOnce: 40,
  reads: { minutes: 12, chains: true },
  keepsTerms: true,
  async load({ tape, market, deriver, calendar, database }, dates, { lastDay, isNew }) {
    const newDates = dates.filter((date) => isNew('expiration', date));
    const chains = await market.lastChains(newDates.map((date) => calendar.session(date)!));
    const before = dates.filter((date) => !newDates.includes(date));
    const { version } = expiration;
    const known = await readClaimTerms(database, market.simulated, 'expiration', version, before);
    const claimed = [
      ...chains.map(({ tradeDate, slice }) => ({ symbol: slice.symbol, tradeDate, basis: slice })),
      ...known.map(({ symbol, tradeDate, terms }) => ({ symbol, tradeDate, basis: terms })),
    ].sort((one, other) => (one.tradeDate < other.tradeDate ? -1 : 1));
    const bySymbol = Map.groupBy(claimed, ({ symbol }) => symbol);
    const found = await foundInParts([...bySymbol.keys()].sort(), async (names) => {
      const tapes = await tape.symbolTapes(names);
      const stocks = tapes.map((own) => ({ tape: own, dates: bySymbol.get(own.symbol)! }));
      return deriver.claims(expiration, { stocks, lastDay });
    });
    // A chain without a recommendation is an observation too.
    return { ...found, observed: [...new Set(claimed.map(({ tradeDate }) => tradeDate))] };
  },
  find: (source, work, isCalledOff) => observedIn(expirationClaims(source, work, isCalledOff)),
  says: {
    subject(key) {
      const [timeframe, direction] = key.split('.');
      return `Recommended expirations for a ${direction} ${timeframe} trade beat what their premium asked`;
    },
    tested: 'expirations',
  },
};
