import type { Calendar, Session } from '../base/calendar.ts';
import { isCoded } from '../base/errors.ts';
import type { SegmentReader } from '../tape/index.ts';

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

/** Rows of each symbol; those of the rest are left out once the work is called off. */
export function rowsOfEach<Tape, Row>(
  tapes: readonly Tape[],
  isCalledOff: () => boolean,
  read: (tape: Tape) => Row[],
): Row[] {
  const rows: Row[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return rows;
    rows.push(...unlessDamaged(() => read(tape)));
  }
  return rows;
}

/** So many sessions before a date, the nearest first; fewer where the calendar begins. */
export const sessionsBefore = (calendar: Calendar, date: string, count: number): Session[] =>
  Array.from({ length: count }, (_, at) => calendar.sessionAt(calendar.sessionIndex(date) - 1 - at)).filter(
    (session) => session !== null,
  );
