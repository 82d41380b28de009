import type { Viewer, World } from '../app-context.ts';
import { newestScreenDate } from './visible-date.ts';

/** Reads the date that most screens are about before the first caller asks: of ten thousand stocks that takes a second. */
export async function warmScreens(
  world: Pick<World, 'calendar' | 'clock' | 'screener'>,
  viewer: Viewer,
): Promise<void> {
  const tradeDate = await newestScreenDate(world, viewer);
  if (tradeDate !== null) await world.screener.images.of(tradeDate);
}
