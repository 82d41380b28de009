import { dayOf } from '../base/dates.ts';
import { type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
import type { ClaimEvent, ProbabilityBin, SymbolClaims } from './events.ts';
import type { FoundClaims } from './kind.ts';

/** Stocks of a date beside each other, by what they returned later. */

/** @typeParam Values what `findOn` reads of a date */
export interface RankedWork<Values = unknown> {
  readonly tapes: readonly SymbolTape[];
  /** Ascending. */
  readonly dates: readonly (Values & { readonly tradeDate: string })[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

export type FoundEvent = Omit<ClaimEvent, 'begunAt' | 'price' | 'isAmbiguous'>;

/** What a date claimed, and what it measured as a whole, by key. */
interface FoundOnDate {
  readonly events: readonly (readonly [symbol: string, event: FoundEvent])[];
  /** Rank correlation of a score with the later returns. */
  readonly measures?: ReadonlyMap<string, number>;
  /** Of all its scored stocks. */
  readonly bins?: readonly ProbabilityBin[];
}

/** Returns from the close of a date to that of a later session. */
export interface LaterReturns {
  readonly isOver: boolean;
  /** The later close; null before it is over. */
  readonly at: number | null;
  /** NaN where it is not known. */
  readonly of: (symbol: string) => number;
}

/**
 * Walks over the dates.
 *
 * @param findOn finds what a date claimed with the returns after so many sessions; null for a date that is not wanted
 */
export function findRanked<Values>(
  { reader, calendar }: TapeSource,
  { tapes, dates, lastDay }: RankedWork<Values>,
  findOn: (
    date: RankedWork<Values>['dates'][number],
    after: (sessions: number) => LaterReturns,
  ) => FoundOnDate | null,
): FoundClaims {
  const days = { first: dayOf(dates[0]!.tradeDate), last: lastDay };
  const prices = new Map(
    tapes.flatMap((tape) =>
      unlessDamaged(() => [[tape.symbol, new DailyPrices(reader, tape, calendar, days)] as const]),
    ),
  );
  const simulated = new Set(tapes.filter(isSimulated).map(({ symbol }) => symbol));
  const returnsAfter = (tradeDate: string, sessions: number): LaterReturns => {
    const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + sessions);
    if (end === null || dayOf(end.tradeDate) > lastDay)
      return { isOver: false, at: null, of: () => Number.NaN };
    const [day, endDay] = [dayOf(tradeDate), dayOf(end.tradeDate)];
    const known = new Map<string, number>();
    const of = (symbol: string) =>
      known.getOrInsertComputed(symbol, () => prices.get(symbol)?.returnBetween(day, endDay) ?? Number.NaN);
    return { isOver: true, at: end.close, of };
  };
  const claimsOf = (tradeDate: string, { events }: FoundOnDate): SymbolClaims[] => {
    const own = { begunAt: calendar.session(tradeDate)!.close, price: null, isAmbiguous: false };
    return Array.from(
      Map.groupBy(events, ([symbol]) => symbol),
      ([symbol, of]) => ({
        symbol,
        tradeDate,
        simulated: simulated.has(symbol),
        events: of.map(([, event]) => ({ ...event, ...own })),
        counts: [],
      }),
    );
  };
  const found = dates.flatMap((date) => {
    const { tradeDate } = date;
    const own = findOn(date, (sessions) => returnsAfter(tradeDate, sessions));
    return own === null ? [] : [{ ...own, tradeDate, claims: claimsOf(tradeDate, own) }];
  });
  return {
    observed: found.map(({ tradeDate }) => tradeDate),
    claims: found.flatMap(({ claims }) => claims),
    measures: new Map(found.map(({ tradeDate, measures = new Map() }) => [tradeDate, measures])),
    bins: new Map(found.map(({ tradeDate, bins = [] }) => [tradeDate, bins])),
  };
}
