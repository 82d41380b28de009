import type { SessionBars } from '../../src/analysis/records/level-events.ts';

/**
 * What became of a level, read off the rows by its definition: every question looks back over all rows, and nothing is
 * carried from one to the next but the test that is open.
 */
export interface SeenLevel {
  readonly bars: SessionBars;
  readonly atr: number;
  /** Where the level was at the end of each row; NaN for nowhere. */
  readonly path: readonly number[];
  readonly isFixed: boolean;
  readonly fromMinute: number;
}

interface OpenTest {
  readonly price: number;
  readonly side: number;
  readonly begun: number;
  readonly isEvent: boolean;
}

const DUST = 1e-9;
const isAtLeast = (price: number, other: number): boolean => price >= other - Math.abs(other) * DUST;
const isAtMost = (price: number, other: number): boolean => price <= other + Math.abs(other) * DUST;
const sideOf = (price: number, level: number): number =>
  Number.isNaN(level) || (isAtLeast(price, level) && isAtMost(price, level)) ? 0 : Math.sign(price - level);

/** State, and the rows of the first touch and of the newest decision, over the first `count` rows. */
export function levelStateOf(
  { bars, atr, path, isFixed, fromMinute }: SeenLevel,
  count: number,
  isClosed: boolean,
): [state: string, touched: number, decided: number, holds: number] {
  const { minute, open, high, low, close } = bars;
  const before = (row: number): number => (isFixed ? path[0]! : (path[row - 1] ?? Number.NaN));
  const away = (row: number): number => close[row]! - path[row]!;
  const isReached = (row: number, side: number): boolean =>
    (side > 0 && isAtMost(low[row]!, before(row))) || (side < 0 && isAtLeast(high[row]!, before(row)));
  /** Rows of the events of the records: closes within them arm nothing. */
  const within = new Set<number>();
  let armsFrom = 0;
  const armed = (row: number): number => {
    for (let back = row - 1; back >= armsFrom; back--) {
      if (within.has(back)) return 0;
      if (Math.abs(away(back)) >= 0.15 * atr) {
        const side = Math.sign(away(back));
        const rest = Array.from({ length: row - 1 - back }, (_, at) => away(back + 1 + at));
        return isFixed || rest.every((each) => each * side > 0) ? side : 0;
      }
    }
    return 0;
  };
  const sideBefore = (row: number): number => {
    for (let back = row - 1; back >= 0; back--) {
      if (Number.isNaN(away(back))) break;
      if (sideOf(close[back]!, path[back]!) !== 0) return sideOf(close[back]!, path[back]!);
    }
    return sideOf(open[row]!, before(row));
  };
  let test: OpenTest | null = null;
  let [touched, held, holds] = [-1, -1, 0];
  for (let row = 0; row < count; row++) {
    const wasEvent: boolean = test?.isEvent === true;
    if (wasEvent && minute[row]! - minute[row - 1]! > 5) {
      test = { ...test!, isEvent: false };
      armsFrom = row;
    }
    if (test?.isEvent !== true && minute[row]! >= fromMinute) {
      const armedSide: number = wasEvent ? 0 : armed(row);
      const side = sideBefore(row);
      const isBegun = side === 0 && isAtMost(low[row]!, before(row)) && isAtLeast(high[row]!, before(row));
      if (minute[row]! < 330 && isReached(row, armedSide))
        test = { price: before(row), side: armedSide, begun: row, isEvent: true };
      else if (test === null && (isReached(row, side) || isBegun))
        test = { price: before(row), side, begun: row, isEvent: false };
    }
    if (test === null) continue;
    if (touched < 0) touched = row;
    const { price, side, begun, isEvent }: OpenTest = test;
    const isUp = isAtLeast(high[row]!, price + 0.25 * atr);
    const isDown = isAtMost(low[row]!, price - 0.25 * atr);
    const beyond: number = (price - close[row]!) * side;
    if ((side > 0 && isDown) || (side < 0 && isUp)) return ['broken', touched, row, holds];
    const isHeld = row > begun && ((side > 0 && isUp) || (side < 0 && isDown));
    if (isHeld) {
      [held, holds] = [row, holds + 1];
      if (isEvent) {
        armsFrom = row;
        within.clear();
      }
    }
    if ((isHeld || !isEvent) && beyond >= 0.15 * atr) return ['broken', touched, row, holds];
    if (isHeld) test = beyond > 0 ? { price, side, begun: row, isEvent: false } : null;
    else if (isEvent) within.add(row);
    else if (side === 0) test = { price, side: sideOf(close[row]!, price), begun, isEvent };
  }
  if (isClosed && test !== null) {
    const last = count - 1;
    const isLost = (test.price - close[last]!) * test.side > 0;
    return [isLost ? 'broken' : 'held', touched, last, isLost ? holds : holds + 1];
  }
  return [held >= 0 ? 'held' : touched >= 0 ? 'touched' : 'untouched', touched, held, holds];
}
