import { lastAtr } from '../analysis/indicators/true-range.ts';
import { dateOf, dayOf } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { DAY_MS } from '../base/dates.ts';
import { inOrder } from '../base/in-order.ts';
import type { DailyPrices } from '../tape/daily-prices.ts';
import type { SymbolTape } from '../tape/index.ts';
import type { SymbolClaims } from './events.ts';
import type { FoundClaims, Pass, RecordGround, RecordKind } from './kind.ts';

/** What kinds of claims read of the tape. */

const SYMBOLS_AT_ONCE = 16;

export const earlier = (one: string, other: string): string => (one < other ? one : other);

/** ATR(14) of the history that a view of a day has, whose row is given, in the shares of that day or another. */
export const atrAt = (prices: DailyPrices, row: number, day: number, basisDay = day): number =>
  lastAtr(prices.inSharesOf(basisDay), { from: prices.firstRow(row, day), to: row + 1 });

const bySymbolName = (one: SymbolClaims, other: SymbolClaims): number => (one.symbol < other.symbol ? -1 : 1);

/** Daily bars of every symbol from before the first date to the end of the last one's horizon. */
export async function tapesAround(
  { market, calendar }: RecordGround,
  dates: readonly string[],
  horizon: number,
  lastDay: number,
) {
  const [begin, end] = [dates[0]!, dates.at(-1)!];
  const first = calendar.sessionAt(Math.max(0, calendar.sessionIndex(begin) - horizon))!.tradeDate;
  const last = calendar.sessionAt(calendar.sessionIndex(end) + horizon)?.tradeDate ?? end;
  const span = [first, earlier(last, dateOf(lastDay * DAY_MS))];
  return market.marketTapes(span.map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.end })));
}

/** Some stocks with minutes on some dates. */
export interface MinutesWork {
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending. */
  readonly dates: readonly string[];
}

/**
 * Claims of the stocks with minutes on some dates, some stocks at once.
 *
 * @param partOf what the work of some stocks has beside their tapes
 */
export async function findByMinute<Part>(
  { tape, deriver }: RecordGround,
  kind: RecordKind<MinutesWork & Part>,
  dates: readonly string[],
  { stocksByMinute }: Pass,
  partOf: (symbols: readonly string[]) => Part,
): Promise<FoundClaims> {
  const [first, last] = [dayOf(dates[0]!), dayOf(dates.at(-1)!)];
  const symbols = (await stocksByMinute())
    .filter(({ days, isRunning }) => isRunning || days.some((day) => day >= first && day <= last))
    .map(({ symbol }) => symbol)
    .sort();
  const parts = await inParts(symbols, async (names) =>
    deriver.claims(kind, { tapes: await tape.symbolTapes(names), dates, ...partOf(names) }),
  );
  return joined(parts);
}

/** What is found of symbols, some at once. */
export async function inParts<Found>(
  symbols: readonly string[],
  find: (symbols: readonly string[]) => Promise<Found>,
): Promise<Found[]> {
  const parts: Found[] = [];
  for await (const part of inOrder(chunks(symbols, SYMBOLS_AT_ONCE), find)) parts.push(part);
  return parts;
}

/** The claims of some symbols and those of others. */
export const joined = (parts: readonly FoundClaims[]): FoundClaims => ({
  observed: [...new Set(parts.flatMap(({ observed }) => observed))].sort(),
  claims: parts.flatMap(({ claims }) => claims).sort(bySymbolName),
  measures: new Map(),
});

/** Claims whose dates are those that were observed. */
export const observedIn = (claims: readonly SymbolClaims[]): FoundClaims => ({
  observed: [...new Set(claims.map(({ tradeDate }) => tradeDate))].sort(),
  claims,
  measures: new Map(),
});
