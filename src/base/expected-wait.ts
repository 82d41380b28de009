/** Share of the newest measurement in a smoothed one: the last ten or twenty are what counts. */
const NEWEST_SHARE = 0.1;

/** A mean that follows what is measured. @param mean the one so far, null before the first measurement */
export const smoothed = (mean: number | null, measured: number): number =>
  mean === null ? measured : mean + NEWEST_SHARE * (measured - mean);

/**
 * How long a piece of work that comes now waits for its turn, milliseconds: for all that wait already, each of which
 * keeps one of so many places for about `meanMs`. 0 where nothing waits, however slow things have been.
 */
export const expectedWaitMs = (waiting: number, places: number, meanMs: number | null): number =>
  (waiting * (meanMs ?? 0)) / places;
