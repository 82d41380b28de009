import type { SessionBounds } from '../../market/observations.ts';
import { type IntradayBars, MINUTE_MS, priceRange, type RowRange, windowRows } from '../sessions.ts';

export type OpeningRangeStatus =
  | 'inside'
  | 'breakout_up'
  | 'breakout_down'
  | 'failed_breakout_up'
  | 'failed_breakout_down';

/** Where a bar closed: beyond the high, beyond the low, or on neither (the edges themselves are within). */
export type ClosePosition = 'above' | 'within' | 'below';

/**
 * What a close makes of the status. A break is a close beyond the range, a failure is a close back inside it; the
 * newest event decides, so a failed break up can still become a break up again or a break down, and a close that goes
 * through the whole range in one bar is a break on the other side. Nothing leads back to `inside`: a range that has
 * been broken once stays broken or failed for the session.
 */
const NEXT: Readonly<Record<OpeningRangeStatus, Readonly<Record<ClosePosition, OpeningRangeStatus>>>> = {
  inside: { above: 'breakout_up', within: 'inside', below: 'breakout_down' },
  breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
  breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
  failed_breakout_up: { above: 'breakout_up', within: 'failed_breakout_up', below: 'breakout_down' },
  failed_breakout_down: { above: 'breakout_up', within: 'failed_breakout_down', below: 'breakout_down' },
};

export function nextOpeningRangeStatus(status: OpeningRangeStatus, close: ClosePosition): OpeningRangeStatus {
  return NEXT[status][close];
}

/** An opening range in dollars and what became of it. */
export interface OpeningRange {
  readonly minutes: number;
  /** NaN until a bar of the window exists. */
  readonly high: number;
  readonly low: number;
  /** True from the first bar until the window closes: the range may still grow. */
  readonly developing: boolean;
  /** Null until the window closes. */
  readonly status: OpeningRangeStatus | null;
  /** End of the bar that made the status what it is (the window's end for `inside`), epoch ms; NaN without one. */
  readonly statusSince: number;
  /** How often price broke out on each side; a second break up after a failure counts again. */
  readonly breaksUp: number;
  readonly breaksDown: number;
}

/**
 * Range of the first minutes after 09:30 New York and the status of its breaks by the closes of the regular session.
 * The definition asks for one-minute closes; where the tape has only longer bars that fit the window, their closes
 * decide, and a break shorter than a bar is not seen. Source: Toby Crabel, "Day Trading with Short Term Price
 * Patterns and Opening Range Breakout".
 */
export function openingRange(bars: IntradayBars, session: SessionBounds, minutes: number): OpeningRange {
  const end = session.open + minutes * MINUTE_MS;
  const { high, low } = priceRange(bars.columns, windowRows(bars, session.open, end));
  const exists = !Number.isNaN(high);
  const developing = exists && bars.asOf < end;
  if (!exists || developing) {
    return {
      minutes,
      high,
      low,
      developing,
      status: null,
      statusSince: Number.NaN,
      breaksUp: 0,
      breaksDown: 0,
    };
  }
  const changes = statusChanges(bars, windowRows(bars, end, session.close) ?? { from: 0, to: 0 }, high, low);
  const last = changes.at(-1);
  return {
    minutes,
    high,
    low,
    developing,
    status: last?.status ?? 'inside',
    statusSince: last === undefined ? end : bars.columns.time[last.row]! + bars.barMs,
    breaksUp: changes.filter(({ status }) => status === 'breakout_up').length,
    breaksDown: changes.filter(({ status }) => status === 'breakout_down').length,
  };
}

/** A close that changed the status of an opening range, by its row. */
export interface StatusChange {
  readonly row: number;
  readonly status: OpeningRangeStatus;
}

/** The changes of the status over the closes of some rows, which is `inside` before the first of them. */
export function statusChanges(bars: IntradayBars, rows: RowRange, high: number, low: number): StatusChange[] {
  const { close } = bars.columns;
  const changes: StatusChange[] = [];
  let status: OpeningRangeStatus = 'inside';
  let position: ClosePosition = 'within';
  for (let row = rows.from; row < rows.to; row++) {
    const price = close[row]!;
    const now: ClosePosition = price > high ? 'above' : price < low ? 'below' : 'within';
    // Only a close that changes sides can change the status.
    if (now === position) continue;
    position = now;
    status = nextOpeningRangeStatus(status, now);
    changes.push({ row, status });
  }
  return changes;
}
