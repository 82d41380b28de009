import { dropDaysBefore } from '../graph/drop-days.ts';
import { monthsLater } from '../graph/months.ts';
import type { PassContext } from './detector.ts';
import { newestDate } from './topology-pass.ts';

/**
 * The first trade date whose stock-days are kept: that many whole months before the month of the newest completed session
 * on the tape. A day before it is derived when it is asked for, to the same bytes.
 *
 * @returns null where all are kept
 */
export async function oldestKept(context: PassContext, now: number): Promise<string | null> {
  const { keepMonths } = context;
  const newest = keepMonths === undefined ? null : await newestDate(context, now);
  return newest === null ? null : monthsLater(newest, -keepMonths!);
}

/** A pass that drops the stock-days before the oldest that are kept, once for each such date. */
export function openRetention(context: PassContext): (signal: AbortSignal) => Promise<void> {
  let droppedBefore: string | null = null;
  return async (signal) => {
    const oldest = await oldestKept(context, context.clock.now());
    if (oldest === null || oldest === droppedBefore) return;
    if ((await dropDaysBefore(context.database, oldest, signal)) !== null) droppedBefore = oldest;
  };
}
