import type { Viewer, AppContext } from '../app-context.ts';
import { newestScreenDate } from './visible-date.ts';

/** Reads the date that most screens are about before the first caller asks: of ten thousand stocks that takes a second. */
export async function warmScreens(
  context: Pick<AppContext, 'calendar' | 'clock' | 'screener'>,
  viewer: Viewer,
): Promise<void> {
  const tradeDate = await newestScreenDate(context, viewer);
  if (tradeDate !== null) await context.screener.images.of(tradeDate);
}
