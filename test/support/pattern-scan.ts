import { cup, cupAndHandle } from '../../src/analysis/patterns/cup-and-handle.ts';
import type { PatternReading, SwingPoint } from '../../src/analysis/patterns/finding.ts';
import {
  flagOrPennant,
  isFlagPossible,
  type Pole,
  pole,
} from '../../src/analysis/patterns/flags-pennants.ts';
import { REPLACES, SWING_READERS } from '../../src/analysis/patterns/history.ts';
import { isExpired, type LivePattern, livePattern } from '../../src/analysis/patterns/lifecycle.ts';
import {
  MAJOR_SWING,
  MINOR_SWING,
  meanTrueRange,
  RANGE_ROWS,
  swingPoints,
} from '../../src/analysis/patterns/pivots.ts';
import type { BarColumns } from '../../src/market/observations.ts';
import { prefix } from './bar-columns.ts';

/** Chart patterns that are served at the last row, by a walk that at each row knows no more than the rows up to it. */
export function scanRowByRow(bars: BarColumns): LivePattern[] {
  const range = meanTrueRange(bars);
  const zigzags = [MINOR_SWING, MAJOR_SWING].map((multiple) => swingPoints(bars, range, multiple));
  let opened: { readonly reading: PatternReading; readonly row: number; isReplaced: boolean }[] = [];
  let poles: Pole[] = [];
  const cups: NonNullable<ReturnType<typeof cup>>[] = [];
  const last = bars.close.length - 1;
  for (let row = RANGE_ROWS; row <= last; row++) {
    const scan = { bars, range, first: 0, row };
    const known = prefix(bars, row + 1);
    const asOf = (of: (typeof opened)[number]) => livePattern(of.reading, 'chart', known, of.row)!;
    const open = (reading: PatternReading | null): void => {
      if (reading === null) return;
      const rows = ({ pivots }: PatternReading) => pivots.map((pivot) => pivot.row);
      const lastRow = (of: PatternReading) => of.pivots.at(-1)!.row;
      const shared = ({ pivots }: PatternReading) =>
        reading.pivots.filter((one) => pivots.some((two) => one.row === two.row && one.kind === two.kind));
      const isSame = (of: (typeof opened)[number]) =>
        !of.isReplaced && asOf(of).status !== 'failed' && shared(of.reading).length >= 2;
      const isReplaceable = (of: (typeof opened)[number]) =>
        of.reading.type === REPLACES[reading.type] &&
        asOf(of).status === 'forming' &&
        lastRow(of.reading) <= lastRow(reading);
      const alike = opened.filter(({ reading: { type } }) => type === reading.type);
      if (alike.some((of) => String(rows(of.reading)) === String(rows(reading)))) return;
      if (alike.some((of) => isSame(of) && !isReplaceable(of))) return;
      if (livePattern(reading, 'chart', known, row) === null) return;
      for (const of of opened) if (isReplaceable(of) && isSame(of)) of.isReplaced = true;
      opened.push({ reading, row, isReplaced: false });
    };
    for (const swings of zigzags) {
      const seen: SwingPoint[] = swings.filter(({ confirmedRow }) => confirmedRow <= row);
      if (seen.at(-1)?.confirmedRow !== row) continue;
      for (const read of SWING_READERS) open(read(seen, seen.length, scan));
      const found = cup(seen, seen.length, scan);
      if (found !== null) cups.push(found);
    }
    for (const waiting of cups) if (waiting.readyRow === row) open(cupAndHandle(waiting, scan));
    const found = pole(scan, 1) ?? pole(scan, -1);
    if (found !== null) poles.push(found);
    poles = poles.filter((at) => {
      if (!isFlagPossible(at, scan)) return false;
      const reading = flagOrPennant(at, scan);
      open(reading);
      return reading === null;
    });
  }
  opened = opened.filter(({ isReplaced }) => !isReplaced);
  return opened
    .map(({ reading, row }) => livePattern(reading, 'chart', bars, row)!)
    .filter((live) => !isExpired(live, last));
}
