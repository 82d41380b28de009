import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import type { SegmentReader, SymbolTape } from '../market/tape/index.ts';
import { neighbouringDays, readIntraday } from '../market/tape/read-view.ts';

/** Tapes whose newest session at an instant is wanted. */
export interface SessionsRequest {
  readonly tapes: readonly SymbolTape[];
  /** Epoch milliseconds. */
  readonly asOf: number;
}

/** The newest session of each tape, in order, of which a bar was final at an instant; null without one. */
export const newestSessions = (
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, asOf }: SessionsRequest,
): (string | null)[] => tapes.map((tape) => newestSession(reader, calendar, tape, asOf));

function newestSession(
  reader: SegmentReader,
  calendar: Calendar,
  tape: SymbolTape,
  asOf: number,
): string | null {
  const today = calendar.tradeDateOf(asOf);
  const day = midnightUtc(today) / DAY_MS;
  if (hasBar(reader, calendar, tape, today, asOf)) return today;
  const { before } = neighbouringDays(reader, tape, day);
  return before === null ? null : dateOf(before * DAY_MS);
}

/** Whether a bar of a session was final: a minute at its end, a day at the close. */
function hasBar(
  reader: SegmentReader,
  calendar: Calendar,
  tape: SymbolTape,
  tradeDate: string,
  asOf: number,
): boolean {
  const session = calendar.session(tradeDate);
  if (session === null) return false;
  const day = midnightUtc(tradeDate) / DAY_MS;
  if (readIntraday(reader, tape, day, session, asOf).interval !== null) return true;
  return asOf >= session.close && reader.rows(tape, 'bars-1d', day, day).time.length > 0;
}
