import type { ResultCache } from './result-cache.ts';
import type { ColumnCache } from './column-cache.ts';
import type { Screener } from '../../workers/task-threads.ts';

/** What screens stand on. */
export interface ScreenerContext {
  readonly thread: Screener;
  readonly images: ColumnCache;
  readonly held: ResultCache;
}
