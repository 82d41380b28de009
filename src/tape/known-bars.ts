import { DAY_MS } from '../base/dates.ts';
import type { Known, KnownBars } from '../market/known-bars.ts';
import { type BarColumns, barColumns } from '../market/observations.ts';
import { asBars, barSeries } from '../market/series.ts';
import { SegmentReader, type Tape } from './index.ts';
import { holdsDays, isSimulated } from './symbol-tape.ts';

const NOTHING: Known = { bars: barColumns(() => new Float64Array(0)), splits: [] };
/** Calendar days at either end of a range that are read: enough to compare, and few where a file has years. */
const COMPARED_DAYS = 30;

export const knownOnTape =
  ({ location, symbolTapes }: Pick<Tape, 'location' | 'symbolTapes'>): KnownBars =>
  async (symbol, interval, from, to) => {
    const [tape] = await symbolTapes([symbol]);
    if (tape === undefined) return NOTHING;
    const [first, last] = [from / DAY_MS, to / DAY_MS];
    const kind = barSeries(interval);
    const parts =
      interval === '1d' || last - first <= 2 * COMPARED_DAYS
        ? [[first, last] as const]
        : [[first, first + COMPARED_DAYS] as const, [last - COMPARED_DAYS, last] as const];
    const reader = new SegmentReader(location);
    try {
      const read: BarColumns[] = [];
      for (const [start, end] of parts) {
        await reader.fetchAhead(() =>
          tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, start, end)),
        );
        read.push(asBars(reader.rows(tape, kind, start, end)));
      }
      const bars = barColumns((name) => Float64Array.from(read.flatMap((part) => [...part[name]])));
      const splits = tape.actions.filter((action) => action.kind === 'split');
      return { bars, splits, simulated: isSimulated(tape) };
    } finally {
      reader.close();
    }
  };
