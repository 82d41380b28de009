import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason, RefusalTally } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { pricedTickerOf } from '../fields.ts';
import { type Cells, readTable } from './contracts.ts';

/** A daily volatility above 1,000 % a year is an error of the source. */
const VOLATILITY_MAX = 10;
/** Days of all symbols together; a hundred years of three thousand symbols would be less. */
const DAYS_MAX = 5_000_000;

/** Sources that yield to any other for the same day: they measure from a delayed chain. */
const WEAKER_SOURCES: ReadonlySet<string> = new Set(['yf']);

export const isVolatilityHeader = (names: readonly string[]): boolean =>
  names.includes('date') && names.includes('iv') && (names.includes('ticker') || names.includes('symbol'));

/**
 * Daily volatility, one row for each symbol and date: `date`, `ticker` or `symbol`, `iv`, `hv`, `source`. Days without a
 * session are refused, because they repeat the day before. Of two sources for a day the weaker one is refused; a source
 * may state a day once.
 */
export async function* volatilityTable(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  interface Day {
    readonly implied: number;
    readonly realised: number;
    readonly isWeaker: boolean;
  }
  const bySymbol = new Map<string, Map<number, Day>>();
  let days = 0;
  const take = (cells: Cells): RefusalReason | null => {
    const symbol = pricedTickerOf(cells.text('ticker') || cells.text('symbol'));
    if (symbol === null) return 'bad_symbol';
    const time = midnightUtc(cells.text('date'));
    if (Number.isNaN(time)) return 'bad_time';
    if (!calendar.isSession(dateOf(time))) return 'outside_session';
    const [implied, realised] = [cells.number('iv'), cells.number('hv')] as const;
    const fault = volatilityFault(implied, realised);
    if (fault !== null) return fault;
    const own = bySymbol.getOrInsertComputed(symbol, () => new Map<number, Day>());
    const isWeaker = WEAKER_SOURCES.has(cells.text('source').toLowerCase());
    const known = own.get(time);
    if (known !== undefined && known.isWeaker === isWeaker) return 'duplicate';
    if (known === undefined && days++ >= DAYS_MAX) return 'too_large';
    if (known === undefined || known.isWeaker) own.set(time, { implied, realised, isWeaker });
    // One of the two is refused, whichever came first.
    return known === undefined ? null : 'duplicate';
  };
  yield* readTable(
    file,
    tally,
    () => null,
    take,
    function* (isEnd): Generator<Delivery> {
      if (!isEnd) return;
      for (const [symbol, own] of bySymbol) {
        const sorted = [...own].sort(([a], [b]) => a - b);
        const columns = {
          time: Float64Array.from(sorted, ([time]) => time),
          implied: Float64Array.from(sorted, ([, day]) => day.implied),
          realised: Float64Array.from(sorted, ([, day]) => day.realised),
        };
        yield { kind: 'volatility', symbol, columns };
      }
    },
  );
}

/** @param realised NaN where it is not stated */
function volatilityFault(implied: number, realised: number): RefusalReason | null {
  if (implied === Number.POSITIVE_INFINITY || realised === Number.POSITIVE_INFINITY) return 'not_a_number';
  if (Number.isNaN(implied)) return 'missing_value';
  if (implied < 0 || realised < 0) return 'negative_amount';
  return implied === 0 || implied > VOLATILITY_MAX || realised > VOLATILITY_MAX ? 'out_of_range' : null;
}
