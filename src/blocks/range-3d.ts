import { threeDayRange } from '../analysis/range-3d.ts';
import { sessionSoFar } from '../analysis/view-bars.ts';
import { flag, number, record } from '../base/schema.ts';
import { nestedBlock } from './block.ts';

const Range3D = record(
  'Range3D',
  'Range of the three completed sessions before the trade date.',
  {
    high: number('Highest high of the three sessions, USD.'),
    low: number('Lowest low of the three sessions, USD.'),
    break_high: flag('Broke the 3-day high today.'),
    break_low: flag('Broke the 3-day low today.'),
  },
  ['high', 'low'],
);

/** Null with fewer than three sessions before the trade date. */
export const range3d = nestedBlock({
  name: 'range_3d',
  ofBars: true,
  schema: Range3D,
  derive(view) {
    const range = threeDayRange(view.daily, view.priorRow, sessionSoFar(view));
    if (range === null) return null;
    const { high, low, breakHigh, breakLow } = range;
    return { high, low, break_high: breakHigh, break_low: breakLow };
  },
});
