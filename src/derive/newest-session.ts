import { DAY_MS, dateOf, midnightUtc } from '../base/calendar.ts';
import type { SymbolTape } from '../tape/index.ts';
import { neighbouringDays, readIntraday } from '../tape/read-view.ts';
import type { TapeSource } from './tape-source.ts';

/** Tapes whose newest session at an instant is wanted. */
export interface SessionsRequest {
  readonly tapes: readonly SymbolTape[];
  /** Epoch milliseconds. */
  readonly asOf: number;
}

/** The newest session of each tape, in order, of which a bar was final at an instant; null without one. */
export const newestSessions = (source: TapeSource, { tapes, asOf }: SessionsRequest): (string | null)[] =>
  tapes.map((tape) => newestSession(source, tape, asOf));

function newestSession(source: TapeSource, tape: SymbolTape, asOf: number): string | null {
  const today = source.calendar.tradeDateOf(asOf);
  if (hasBar(source, tape, today, asOf)) return today;
  const { before } = neighbouringDays(source.reader, tape, midnightUtc(today) / DAY_MS);
  return before === null ? null : dateOf(before * DAY_MS);
}

/** Whether a bar of a session was final: a minute at its end, a day at the close. */
function hasBar(
  { reader, calendar }: TapeSource,
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
