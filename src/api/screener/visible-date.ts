import { asOfInstant } from '../../base/as-of.ts';
import { visibleInstant } from '../access/viewer.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';

type DateContext = Pick<AppContext, 'calendar' | 'clock' | 'screener'>;

/**
 * Whether a viewer may see every row of a date. Rows of a running session are real-time; those that are old enough for a
 * delayed viewer would be just the stocks that did not trade.
 *
 * @param newestAsOf latest instant of a row
 */
export function maySeeDate(
  { calendar, clock }: Pick<DateContext, 'calendar' | 'clock'>,
  viewer: Viewer,
  tradeDate: string,
  newestAsOf: number,
): boolean {
  const session = calendar.session(tradeDate);
  const visible = session === null ? null : asOfInstant(session, visibleInstant(viewer, clock.now()));
  return visible !== null && newestAsOf <= visible;
}

/**
 * The newest visible trade date of a market with at least half as many rows as the stored date before it: a date that a pass has just
 * begun is not the market.
 *
 * @returns null without a visible date
 */
export async function newestScreenDate(
  context: DateContext,
  simulated: boolean,
  viewer: Viewer,
): Promise<string | null> {
  let newest: { readonly tradeDate: string; readonly rows: number } | null = null;
  let first: string | null = null;
  for await (const date of context.screener
    .columns(simulated)
    .datesUntil(context.calendar.tradeDateOf(context.clock.now()))) {
    if (newest !== null && 2 * newest.rows >= date.rows) return newest.tradeDate;
    const isVisible = maySeeDate(context, viewer, date.tradeDate, date.newestAsOf);
    if (isVisible) first ??= date.tradeDate;
    newest = isVisible ? date : null;
  }
  return newest?.tradeDate ?? first;
}
