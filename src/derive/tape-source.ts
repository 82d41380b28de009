import type { Calendar } from '../base/calendar.ts';
import { isCoded } from '../base/errors.ts';
import type { SegmentReader } from '../market/tape/index.ts';

/** What a thread derives from. */
export interface TapeSource {
  readonly reader: SegmentReader;
  readonly calendar: Calendar;
}

/** Nothing of a symbol whose file is damaged; its own derivation reports that. */
export function unlessDamaged<Row>(read: () => Row[]): Row[] {
  try {
    return read();
  } catch (error) {
    if (isCoded(error, 'tape_damaged')) return [];
    throw error;
  }
}
