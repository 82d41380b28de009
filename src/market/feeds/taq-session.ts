import type { Calendar, Session } from '../../base/calendar.ts';
import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery } from '../feed.ts';
import { FlowMinuteBuilder } from '../flow-minute-builder.ts';
import type { RefusalReason } from '../refusals.ts';
import { fieldText } from './fields.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { tickerOf } from './ticker.ts';
import { WaitingTrades } from './waiting-trades.ts';

/** The one stock and day that a pair of files is of, as its first trade tells them. */
export interface TaqSession {
  readonly session: Session;
  readonly symbol: string;
  /** The symbol as the file writes it. */
  readonly written: Uint8Array;
  readonly trades: WaitingTrades;
  readonly flow: FlowMinuteBuilder;
}

export function taqSession(
  calendar: Calendar,
  time: number,
  written: Uint8Array,
): TaqSession | RefusalReason {
  const session = calendar.sessionHolding(time);
  if (session === null) return 'outside_session';
  const symbol = tickerOf(fieldText(written, 0, written.length));
  if (symbol === null) return 'bad_symbol';
  const flow = new FlowMinuteBuilder(session.midnight);
  return { session, symbol, written: written.slice(), trades: new WaitingTrades(), flow };
}

/** Refuses rows of another stock or day, and rows older than the one before them. */
export function sessionCheck({ session, written }: TaqSession) {
  let previous = Number.NEGATIVE_INFINITY;
  return (time: number, bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (!isWritten(written, bytes, start, end)) return 'bad_symbol';
    if (time < session.preOpen || time >= session.postClose) return 'outside_session';
    if (time < previous) return 'out_of_order';
    previous = time;
    return null;
  };
}

function isWritten(written: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== written.length) return false;
  for (let at = 0; at < written.length; at++) if (bytes[start + at] !== written[at]) return false;
  return true;
}

/** Flow of the session, and bars of the prints that set a price: no other file tells what this stock cost. */
export function* sessionDeliveries(
  { symbol, trades, flow }: TaqSession,
  key: string,
  tally: RefusalTally,
): Generator<Delivery> {
  trades.pour(Number.POSITIVE_INFINITY, flow);
  const { time, open, high, low, close, volume } = flow.bars();
  const bars = new BarColumnBuilder();
  for (let row = 0; row < time.length; row++) {
    const [o, h, l, c, v] = [open[row]!, high[row]!, low[row]!, close[row]!, volume[row]!];
    const reason = bars.push(time[row]!, o, h, l, c, v);
    if (reason !== null) tally.note(reason, key, `${o},${h},${l},${c},${v}`);
  }
  if (bars.rows > 0) yield { kind: 'bars', symbol, interval: '1m', columns: bars.take() };
  const columns = flow.columns();
  if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol, columns };
}
