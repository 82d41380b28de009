import { type FlowSums, flowRows, flowSums } from '../analysis/order-flow/flow-sums.ts';
import { type RowRange, rowsBetween } from '../analysis/sessions.ts';
import type { StockView } from '../market/stock-view.ts';

/** Minutes by which the prints may begin after the bars, or stop before them, and still stand for the session. */
const SLACK_MS = 1_800_000;

/** The classified prints of the trade date as far as they are known. */
export interface SessionFlow {
  /** 04:00-20:00: the closing auction prints after the bell. */
  readonly day: FlowSums;
  /** From 09:30 to the close. */
  readonly regular: FlowSums;
  /** Rows of the view's flow that are `regular`. */
  readonly regularRows: RowRange;
}

/** Null when the tape has no prints of the trade date, or a fragment: part of a session's flow is not its flow. */
export function sessionFlow(view: StockView): SessionFlow | null {
  const { flow, session } = view;
  if (flow.time.length === 0) return null;
  const regularRows = flowRows(flow, session.open, session.close);
  if (!coversRegular(view, regularRows)) return null;
  return {
    day: flowSums(flow, { from: 0, to: flow.time.length }),
    regular: flowSums(flow, regularRows),
    regularRows,
  };
}

/** True when the prints reach within half an hour of both ends of the regular session so far, as the bars have it. */
function coversRegular({ flow, session, asOf, intraday }: StockView, rows: RowRange): boolean {
  const end = Math.min(asOf, session.close);
  if (end <= session.open) return true;
  const bars = rowsBetween(intraday, session.open, session.close);
  const first = bars.from < bars.to ? intraday.time[bars.from]! : session.open;
  const last = bars.from < bars.to ? intraday.time[bars.to - 1]! : end;
  if (rows.from === rows.to) return bars.from === bars.to && end - session.open <= SLACK_MS;
  return flow.time[rows.from]! <= first + SLACK_MS && flow.time[rows.to - 1]! >= last - SLACK_MS;
}
