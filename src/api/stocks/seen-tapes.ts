import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf } from '../../base/calendar.ts';
import { oldestDay, readStockView, SegmentReader, type SymbolTape } from '../../market/tape/index.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';

/** The tapes of symbols with a visible bar. A stock whose first bar lies within the delay looks unknown. */
export async function seenTapes(
  context: Pick<AppContext, 'tape' | 'tapes' | 'calendar' | 'clock'>,
  symbols: readonly string[],
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<SymbolTape[]> {
  const tapes = await context.tapes.symbolTapes(symbols, options);
  return tapes.filter((tape) => isSeen(context, tape, feed));
}

function isSeen(
  { tape: { directory }, calendar, clock }: Pick<AppContext, 'tape' | 'calendar' | 'clock'>,
  tape: SymbolTape,
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
): boolean {
  const first = oldestDay(tape);
  if (first === null) return false;
  const tradeDate = dateOf(first * DAY_MS);
  const session = calendar.session(tradeDate);
  if (session === null) return true;
  const asOf = asOfInstant(session, visibleInstant(feed, clock.now()));
  if (asOf === null || asOf >= session.postClose) return asOf !== null;
  // Its first session is running: only the rows tell whether a bar is visible.
  const reader = new SegmentReader(directory);
  try {
    return readStockView(reader, tape, calendar, tradeDate, asOf) !== null;
  } finally {
    reader.close();
  }
}
