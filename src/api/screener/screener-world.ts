import type { HeldScreens } from './held-screens.ts';
import type { ImageMemory } from './image-memory.ts';
import type { Screener } from '../../workers/screen-tasks.ts';

/** What screens stand on. */
export interface ScreenerWorld {
  readonly thread: Screener;
  readonly images: ImageMemory;
  readonly held: HeldScreens;
}
