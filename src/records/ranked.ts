import { dayOf } from '../base/dates.ts';
import { type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
import { DailyPrices } from './daily-prices.ts';
import type { ClaimEvent, ProbabilityBin, SymbolClaims } from './events.ts';
import type { FoundClaims } from './kind.ts';

/** Stocks of a date beside each other, by what they returned later. */

/** Values of a date by symbol: of a score, or of what its peers implied. */
export interface RankedDate<Value> {
  readonly tradeDate: string;
  readonly of: ReadonlyMap<string, Value>;
}

/** Claims of a date, and what the date as a whole measured, by key. */
export interface DateClaims {
  readonly tradeDate: string;
  readonly claims: readonly SymbolClaims[];
  /** Rank correlation of a score with the later returns. */
  readonly measures: ReadonlyMap<string, number>;
  /** Of all its scored stocks. */
  readonly bins: readonly ProbabilityBin[];
}

/** Returns from the closes of some dates on. */
export function openMarket(
  { reader, calendar }: TapeSource,
  tapes: readonly SymbolTape[],
  dates: readonly RankedDate<unknown>[],
  lastDay: number,
) {
  const first = dayOf(dates[0]!.tradeDate);
  const prices = new Map(
    tapes.flatMap((tape) =>
      unlessDamaged(() => [
        [tape.symbol, new DailyPrices(reader, tape, calendar, { first, last: lastDay })] as const,
      ]),
    ),
  );
  const simulated = new Set(tapes.filter(isSimulated).map(({ symbol }) => symbol));
  return {
    isSimulated: (symbol: string): boolean => simulated.has(symbol),
    closeOf: (tradeDate: string): number => calendar.session(tradeDate)!.close,
    returnsAfter(tradeDate: string, sessions: number) {
      const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + sessions);
      const [day, endDay] = [
        dayOf(tradeDate),
        end === null ? Number.POSITIVE_INFINITY : dayOf(end.tradeDate),
      ];
      const isOver = endDay <= lastDay;
      return {
        isOver,
        at: isOver ? end!.close : null,
        of(symbol: string): number | undefined {
          const own = prices.get(symbol);
          if (own === undefined || !isOver) return undefined;
          const [from, to] = [own.rowOn(day), own.rowOn(endDay)];
          if (from < 0 || to < 0) return undefined;
          const { close } = own.inSharesOf(endDay);
          return close[to]! / close[from]! - 1;
        },
      };
    },
  };
}

type Market = ReturnType<typeof openMarket>;

/** Claims of a date by symbol. */
export class ClaimsOfDate {
  readonly #market: Market;
  readonly #tradeDate: string;
  readonly #events = new Map<string, ClaimEvent[]>();

  constructor(market: Market, tradeDate: string) {
    this.#market = market;
    this.#tradeDate = tradeDate;
  }

  add(symbol: string, event: Omit<ClaimEvent, 'begunAt' | 'price' | 'isAmbiguous'>): void {
    const begunAt = this.#market.closeOf(this.#tradeDate);
    this.#events
      .getOrInsertComputed(symbol, () => [])
      .push({ ...event, begunAt, price: null, isAmbiguous: false });
  }

  claims(): SymbolClaims[] {
    return Array.from(this.#events, ([symbol, events]) => ({
      symbol,
      tradeDate: this.#tradeDate,
      simulated: this.#market.isSimulated(symbol),
      events,
      counts: [],
    }));
  }
}

export const foundOn = (dates: readonly DateClaims[]): FoundClaims => ({
  observed: dates.map(({ tradeDate }) => tradeDate),
  claims: dates.flatMap(({ claims }) => claims),
  measures: new Map(dates.map(({ tradeDate, measures }) => [tradeDate, measures])),
  bins: new Map(dates.map(({ tradeDate, bins }) => [tradeDate, bins])),
});
