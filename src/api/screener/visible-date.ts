import { asOfInstant } from '../../base/as-of.ts';
import type { Viewer, AppContext } from '../app-context.ts';

type DateContext = Pick<AppContext, 'calendar' | 'clock' | 'screener'>;

/**
 * A date is shown whole or not at all: rows of a running session speak for real time, and a viewer with delay who was
 * shown those that happen to be old enough would be shown the stocks that did not trade.
 *
 * @param newestAsOf the latest instant that a row of the date speaks for
 */
export function maySeeDate(
  { calendar, clock }: Pick<DateContext, 'calendar' | 'clock'>,
  { delayMs }: Viewer,
  tradeDate: string,
  newestAsOf: number,
): boolean {
  const session = calendar.session(tradeDate);
  const visible = session === null ? null : asOfInstant(session, clock.now(), delayMs);
  return visible !== null && newestAsOf <= visible;
}

/**
 * The newest trade date that the viewer may see and that is no fragment: its rows number at least half of those of the
 * stored date before it. A pass that has just begun a date, or a single stock derived ahead, is not the market.
 *
 * @returns null where there is no date to be seen
 */
export async function newestScreenDate(context: DateContext, viewer: Viewer): Promise<string | null> {
  let newest: { readonly tradeDate: string; readonly rows: number } | null = null;
  let first: string | null = null;
  for await (const date of context.screener.images.datesUntil(
    context.calendar.tradeDateOf(context.clock.now()),
  )) {
    if (newest !== null && 2 * newest.rows >= date.rows) return newest.tradeDate;
    const isSeen = maySeeDate(context, viewer, date.tradeDate, date.newestAsOf);
    if (isSeen) first ??= date.tradeDate;
    newest = isSeen ? date : null;
  }
  return newest?.tradeDate ?? first;
}
