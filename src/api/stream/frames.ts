import type { SessionEvent } from '../../analysis/session-events.ts';
import { joinStock, type Source } from '../../derive/compose.ts';

/**
 * What goes out on a stream, as the bytes that every reader is given: the text form of server-sent events (WHATWG HTML,
 * section 9.2). A frame is made once, whoever reads it.
 */

/** A stock as it was at an instant, in pieces. */
export interface StockState {
  readonly symbol: string;
  readonly source: Source;
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** Text of the fields that are always served. */
  readonly core: string;
}

export const HEARTBEAT = Buffer.from(':\n\n');

/** How long a reader who has lost the connection should wait, for all that have lost it come at once. */
export const retryFrame = (retryMs: number): Buffer => Buffer.from(`retry: ${retryMs}\n\n`);

/** Only the position: what came before it has been told. A block without data is no event, but its id is kept. */
export const positionFrame = (position: string): Buffer => Buffer.from(`id: ${position}\n\n`);

export function snapshotFrame(state: StockState, seq: number): Buffer {
  return frame(
    'snapshot',
    null,
    `{${headOf(state, seq)},"stock":${joinStock({ core: state.core, includes: {} }, state.source)}}`,
  );
}

/** @param changed members of an object: the fields that are another than before */
export function changeFrame(state: StockState, seq: number, position: string, changed: string): Buffer {
  return frame('change', position, `{${headOf(state, seq)},"changed":{${changed}}}`);
}

/** @param before instant of the state that the event is told from, epoch milliseconds */
export function eventFrame(
  state: StockState,
  seq: number,
  position: string,
  event: SessionEvent,
  before: number,
): Buffer {
  const body = JSON.stringify({ before_as_of: instantText(before), ...event }).slice(1);
  return frame('event', position, `{${headOf(state, seq)},${body}`);
}

type GapReason = 'history_gone' | 'slow_reader';

/** What a reader was not told; fresh snapshots of the same symbols follow it. */
export interface Gap {
  readonly reason: GapReason;
  /** The last sequence number that the reader had before the gap; null where that is not known here any more. */
  readonly from: number | null;
  readonly to: number;
  readonly symbols: readonly string[];
}

export const gapFrame = (gap: Gap): Buffer => frame('gap', null, JSON.stringify(gap));

/** The last word on a stream: why it ends. */
export const closeFrame = (event: 'unauthorized' | 'closing', code: string, detail: string): Buffer =>
  frame(event, null, JSON.stringify({ code, detail }));

export const CLOSING_FRAME = closeFrame(
  'closing',
  'shutting_down',
  'The service is closing; come back in a moment',
);

const headOf = ({ symbol, tradeDate, asOf }: StockState, seq: number): string =>
  `"seq":${seq},"symbol":${JSON.stringify(symbol)},"trade_date":"${tradeDate}","as_of":"${instantText(asOf)}"`;

const instantText = (instant: number): string => new Date(instant).toISOString();

/** JSON text has no line break in it, so one data line holds it. */
function frame(event: string, position: string | null, data: string): Buffer {
  const id = position === null ? '' : `id: ${position}\n`;
  return Buffer.from(`event: ${event}\n${id}data: ${data}\n\n`);
}
