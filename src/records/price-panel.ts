import { DAY_MS } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { asBars, rowAtOrAfter } from '../market/series.ts';
import type { SegmentReader, SymbolTape, Tape } from '../tape/index.ts';
import { isSimulated } from '../tape/index.ts';
import { adjustForSplits } from '../tape/read-view.ts';

/** An evaluated date and the end of its horizon, as days since 1970-01-01. */
export interface HorizonDay {
  readonly day: number;
  readonly endDay: number;
}

/** Returns of every stock on every evaluated date, one row per date; NaN for none. */
export interface PricePanel {
  /** Simple return from the date's close to the close that ends its horizon, on one share basis, without dividends. */
  readonly forward: Float64Array;
  /** Stock-dates with a close and no close at the end of the horizon. */
  readonly withoutReturn: number;
  readonly simulated: boolean;
}

const DOLLAR_VOLUME_SESSIONS = 20;
/** Calendar days with at least that many sessions. */
const DOLLAR_VOLUME_REACH_DAYS = 45;
const SYMBOLS_AT_ONCE = 200;

/**
 * Reads the daily bars of the symbols once.
 *
 * @param top number of stocks with the greatest mean dollar volume over 20 sessions that each date keeps
 */
export async function readPricePanel(
  tape: Tape,
  reader: SegmentReader,
  symbols: readonly string[],
  days: readonly HorizonDay[],
  top: number | null,
  signal: AbortSignal,
): Promise<PricePanel> {
  const forward = new Float64Array(days.length * symbols.length).fill(Number.NaN);
  const traded = top === null ? null : new Float64Array(forward.length).fill(Number.NaN);
  const columnOf = new Map(symbols.map((symbol, column) => [symbol, column]));
  let withoutReturn = 0;
  let simulated = false;
  for (const names of chunks(symbols, SYMBOLS_AT_ONCE)) {
    signal.throwIfAborted();
    for (const of of await tape.symbolTapes(names, { signal })) {
      const column = columnOf.get(of.symbol)!;
      simulated ||= isSimulated(of);
      await reader.fetchAhead(() => of.slices.filter(({ kind }) => kind === 'bars-1d'));
      for (const [date, { close, end, dollarVolume }] of pricesOf(reader, of, days).entries()) {
        const cell = date * symbols.length + column;
        if (Number.isNaN(close)) continue;
        if (Number.isNaN(end)) withoutReturn++;
        forward[cell] = end / close - 1;
        if (traded !== null) traded[cell] = dollarVolume;
      }
    }
  }
  if (traded !== null) keepMostTraded(forward, traded, symbols.length, top!);
  return { forward, withoutReturn, simulated };
}

function pricesOf(reader: SegmentReader, tape: SymbolTape, days: readonly HorizonDay[]) {
  const [first, last] = [days[0]!.day, days.at(-1)!.endDay];
  const rows = asBars(reader.rows(tape, 'bars-1d', first - DOLLAR_VOLUME_REACH_DAYS, last));
  const { time, close, volume } = adjustForSplits(rows, tape.actions, last);
  const rowOn = (day: number): number => {
    const row = rowAtOrAfter(time, day * DAY_MS);
    return time[row] === day * DAY_MS ? row : -1;
  };
  return days.map(({ day, endDay }) => {
    const row = rowOn(day);
    let dollars = 0;
    const from = Math.max(0, row - DOLLAR_VOLUME_SESSIONS + 1);
    for (let at = from; at <= row; at++) dollars += close[at]! * volume[at]!;
    return {
      close: close[row] ?? Number.NaN,
      end: close[rowOn(endDay)] ?? Number.NaN,
      dollarVolume: dollars / (row - from + 1),
    };
  });
}

/** Removes all but the most traded stocks of each date; their rank was known at its close. */
function keepMostTraded(forward: Float64Array, traded: Float64Array, stocks: number, top: number): void {
  for (let from = 0; from < forward.length; from += stocks) {
    const order = Array.from({ length: stocks }, (_, column) => from + column)
      .filter((cell) => !Number.isNaN(traded[cell]!))
      .sort((a, b) => traded[b]! - traded[a]! || a - b);
    for (const cell of order.slice(top)) forward[cell] = Number.NaN;
  }
}
