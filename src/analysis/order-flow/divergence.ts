export type CvdDivergence = 'bullish_div' | 'bearish_div' | 'none';

/** A swing is the extreme of so many minutes on both sides, and therefore known so many minutes later. */
export const SWING_MINUTES = 10;
/** Of two swings closer than this only the further one counts. */
export const SEPARATION_MINUTES = 15;
/** Minutes after its swing for which a divergence holds. */
export const HOLDS_MINUTES = 60;

/** Columns of one session, row for row: extremes of price in dollars, and CVD at the end of the row in shares. */
type SwingColumns = Readonly<Record<'high' | 'low' | 'cvd', Float64Array>>;

/**
 * Divergence between the last two swings of price and CVD at those swings: a lower low in price with a higher low in CVD
 * is bullish, a higher high in price with a lower high in CVD is bearish. CVD's low of a swing is its lowest within the
 * swing's width, since volume turns a little before or after price. It holds for 60 minutes from the later swing and
 * ends when price passes that swing; of a bullish and a bearish one the later counts.
 *
 * @param barMs length of a row in milliseconds
 * @returns null while there are fewer rows than two swings need
 */
export function cvdDivergence({ high, low, cvd }: SwingColumns, barMs: number): CvdDivergence | null {
  const rowsOf = (minutes: number): number => Math.max(1, Math.ceil((minutes * 60_000) / barMs));
  const [width, separation, holds] = [
    rowsOf(SWING_MINUTES),
    rowsOf(SEPARATION_MINUTES),
    rowsOf(HOLDS_MINUTES),
  ];
  if (!(cvd.length > 2 * width + separation)) return null;
  const bullish = divergentSwing(low, cvd, width, separation, holds);
  // A high is a low of the mirrored price, and CVD is mirrored with it.
  const bearish = divergentSwing(high.map(negated), cvd.map(negated), width, separation, holds);
  if (bullish === bearish) return 'none';
  return bullish > bearish ? 'bullish_div' : 'bearish_div';
}

const negated = (value: number): number => -value;

/** Row of the later of the last two swing lows where price made a lower low and CVD a higher one; -1 for none. */
function divergentSwing(
  low: Float64Array,
  cvd: Float64Array,
  width: number,
  separation: number,
  holds: number,
): number {
  const swings = swingLows(low, width, separation);
  const [before, last] = [swings.at(-2), swings.at(-1)];
  if (before === undefined || last === undefined || low.length - 1 - last > holds) return -1;
  if (!(low[last]! < low[before]!)) return -1;
  for (let row = last + 1; row < low.length; row++) if (low[row]! < low[last]!) return -1;
  return lowestNear(cvd, last, width) > lowestNear(cvd, before, width) ? last : -1;
}

/** Rows under the `width` rows before them and not above those after them, ascending, `separation` rows apart. */
export function swingLows(low: Float64Array, width: number, separation: number): number[] {
  const swings: number[] = [];
  for (let row = width; row < low.length - width; row++) {
    if (!isSwingLow(low, row, width)) continue;
    const last = swings.at(-1);
    if (last === undefined || row - last >= separation) swings.push(row);
    else if (low[row]! < low[last]!) swings[swings.length - 1] = row;
  }
  return swings;
}

function isSwingLow(low: Float64Array, row: number, width: number): boolean {
  for (let near = 1; near <= width; near++) {
    if (low[row - near]! <= low[row]! || low[row + near]! < low[row]!) return false;
  }
  return true;
}

function lowestNear(column: Float64Array, row: number, width: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let near = row - width; near <= row + width; near++) lowest = Math.min(lowest, column[near]!);
  return lowest;
}
