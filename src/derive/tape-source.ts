import type { Calendar } from '../base/calendar.ts';
import type { SegmentReader } from '../market/tape/index.ts';

/** What a thread derives from. */
export interface TapeSource {
  readonly reader: SegmentReader;
  readonly calendar: Calendar;
}
