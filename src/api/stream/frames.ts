import type { Static } from 'typebox';
import type { SessionEvent } from '../../analysis/session-events.ts';
import { instantText } from '../../base/wire.ts';
import { joinStock, type Source } from '../../derive/compose.ts';
import type { StreamGap } from './schema.ts';

/** Server-sent events as text (WHATWG HTML, section 9.2). A frame is made once for all readers. */

export interface StockState {
  readonly symbol: string;
  readonly source: Source;
  readonly simulated: boolean;
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** JSON text of the fields that are always served. */
  readonly core: string;
}

export const HEARTBEAT = Buffer.from(':\n\n');

/** Tells readers how long to wait before they reconnect. */
export const retryFrame = (retryMs: number): Buffer => Buffer.from(`retry: ${retryMs}\n\n`);

/** A position without an event: clients keep the id of a block without data. */
export const positionFrame = (position: string): Buffer => Buffer.from(`id: ${position}\n\n`);

export function snapshotFrame(state: StockState, seq: number): Buffer {
  return frame(
    'snapshot',
    null,
    `{${headOf(state, seq)},"stock":${joinStock({ core: state.core, includes: {} }, state)}}`,
  );
}

/** @param changed the changed fields as members of an object */
export function changeFrame(state: StockState, seq: number, position: string, changed: string): Buffer {
  return frame('change', position, `{${headOf(state, seq)},"changed":{${changed}}}`);
}

/** @param before instant of the state before the event, epoch milliseconds */
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

/** Events that a reader missed; snapshots of the same symbols follow. */
export type Gap = Static<typeof StreamGap>;

export const gapFrame = (gap: Gap): Buffer => frame('gap', null, JSON.stringify(gap));

/** The last event of a stream: why it ends. */
export const closeFrame = (event: 'unauthorized' | 'closing', code: string, detail: string): Buffer =>
  frame(event, null, JSON.stringify({ code, detail }));

export const CLOSING_FRAME = closeFrame(
  'closing',
  'shutting_down',
  'The service is closing; come back in a moment',
);

const headOf = ({ symbol, simulated, tradeDate, asOf }: StockState, seq: number): string =>
  `"seq":${seq},"symbol":${JSON.stringify(symbol)},"simulated":${simulated},"trade_date":"${tradeDate}","as_of":"${instantText(asOf)}"`;

/** JSON text has no line break, so it fits one data line. */
function frame(event: string, position: string | null, data: string): Buffer {
  const id = position === null ? '' : `id: ${position}\n`;
  return Buffer.from(`event: ${event}\n${id}data: ${data}\n\n`);
}
