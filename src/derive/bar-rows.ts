import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { isIntraday } from '../market/series.ts';
import type { StockView } from '../market/stock-view.ts';
import type { MarketInstant, SymbolTape } from '../tape/index.ts';
import { readBarsView } from '../tape/read-view.ts';
import { holdsDays } from '../tape/symbol-tape.ts';
import { rowDeriver } from './projection.ts';
import type { ScreenRow } from './stock-day.ts';
import type { TapeSource } from './tape-source.ts';

export interface BarRowsRequest {
  readonly tape: SymbolTape;
  /** Ascending. */
  readonly days: readonly MarketInstant[];
  /** Names of `BAR_FIELDS`; without one the answer tells only which days have a bar. */
  readonly fields: readonly string[];
}

/** No block of bars reads what a `BarsView` lacks, nor the market. */
const NO_MARKET = undefined as never;
/** Sessions whose files are fetched together: some megabytes of minutes. */
const SESSIONS_AT_ONCE = 32;

/**
 * Fields of a stock that follow from its bars, on many dates: for each day a row that has no other field, null without a
 * bar. The blocks of a stock-day derive them from the same view, so the values are those of the stock-day.
 *
 * @param isCalledOff checked now and then; the answer is empty once it is true
 */
export function barRows(
  { reader, calendar }: TapeSource,
  { tape, days, fields }: BarRowsRequest,
  isCalledOff: () => boolean,
): (ScreenRow | null)[] {
  const derive = rowDeriver(new Set(fields));
  const rows: (ScreenRow | null)[] = [];
  for (const part of chunks(days, SESSIONS_AT_ONCE)) {
    if (isCalledOff()) return [];
    const [from, to] = [part[0]!, part.at(-1)!].map(({ tradeDate }) => midnightUtc(tradeDate) / DAY_MS);
    reader.fetch(() => tape.slices.filter((slice) => isIntraday(slice.kind) && holdsDays(slice, from!, to!)));
    for (const { tradeDate, asOf } of part) {
      const view = readBarsView(reader, tape, calendar, tradeDate, asOf);
      rows.push(view === null ? null : derive(view as StockView, NO_MARKET, null));
    }
  }
  return rows;
}
