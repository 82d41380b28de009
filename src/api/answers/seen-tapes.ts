import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf } from '../../base/calendar.ts';
import { IMPATIENT_MS } from '../../market/segments/segment-store.ts';
import {
  oldestDay,
  readStockView,
  SegmentReader,
  type SymbolTape,
  slicesOfView,
} from '../../market/tape/index.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';

/** The tapes of symbols with a visible bar. A stock whose first bar lies within the delay looks unknown. */
export async function seenTapes(
  context: Pick<AppContext, 'tape' | 'tapes' | 'calendar' | 'clock'>,
  symbols: readonly string[],
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<SymbolTape[]> {
  const seen: SymbolTape[] = [];
  for (const tape of await context.tapes.symbolTapes(symbols, options)) {
    if (await isSeen(context, tape, feed)) seen.push(tape);
  }
  return seen;
}

async function isSeen(
  { tape: { location }, calendar, clock }: Pick<AppContext, 'tape' | 'calendar' | 'clock'>,
  tape: SymbolTape,
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
): Promise<boolean> {
  const first = oldestDay(tape);
  if (first === null) return false;
  const tradeDate = dateOf(first * DAY_MS);
  const session = calendar.session(tradeDate);
  if (session === null) return true;
  const asOf = asOfInstant(session, visibleInstant(feed, clock.now()));
  if (asOf === null || asOf >= session.postClose) return asOf !== null;
  // Its first session is running: only the rows tell whether a bar is visible.
  const reader = new SegmentReader(location);
  reader.retryFor(IMPATIENT_MS);
  try {
    await reader.fetchAhead(() => slicesOfView(tape, first, first, asOf));
    return readStockView(reader, tape, calendar, tradeDate, asOf) !== null;
  } finally {
    reader.close();
  }
}
