import {
  EVENT_SESSIONS,
  type PriceEvent as EventOfRow,
  priceEvents as eventsOf,
  PRICE_EVENT_TYPES,
  withRunningSession,
} from '../analysis/price-events.ts';
import { sessionOfRow } from '../analysis/view-bars.ts';
import { dateOf } from '../base/calendar.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';
import { columnsOf, sessionColumns } from './session-columns.ts';

const PriceEvent = wire.record('PriceEvent', 'Something that price or volume did in one session.', {
  type: wire.oneOf(PRICE_EVENT_TYPES, 'Kind of event.'),
  direction: wire.oneOf(['bullish', 'bearish', 'neutral'], 'Side that it speaks for.'),
  date: wire.date('Session of the event.'),
  known_at: wire.nullableDateTime(
    'Instant that decided it: the open of the session for a gap, else its close.',
  ),
  price: wire.number('The open for a gap, else the close, USD.', wire.NOT_NEGATIVE),
  level: wire.nullableNumber(
    'What was left behind: prior close (gap), extreme (breakout), the slower average (crossover), USD; null for volume.',
  ),
  size_pct: wire.nullableNumber(
    'Distance of price from level (of two averages for their cross; of volume the change of the close), percent, signed.',
  ),
  size_atr: wire.nullableNumber('The same distance in ATR(14) of the session before, signed.'),
  volume_ratio: wire.nullableNumber(
    "The session's volume over the mean of the 20 before; null while the session runs.",
    wire.NOT_NEGATIVE,
  ),
  filled: wire.nullableBoolean('Gaps: whether price has been back at the prior close since.'),
  filled_date: wire.nullableDate('Gaps: session in which it first was.'),
});

/**
 * Events of the last 20 sessions. A running session counts only for its gap; events of its close or volume follow after
 * the close. Null without a daily bar.
 */
export const priceEvents = nestedBlock({
  name: 'price_events',
  include: 'price_events',
  schema: wire.listOf(
    PriceEvent,
    'Recent gaps, breakouts, moving-average crossovers, volume events, the newest first.',
  ),
  reads: [sessionColumns],
  derive(view, known) {
    const { daily, dailyNow } = view;
    if (dailyNow.time.length === 0) return null;
    const runningRow = view.running === null ? -1 : view.todayRow;
    const events =
      dailyNow.time.length === daily.time.length
        ? completedOf(daily, EVENT_SESSIONS).filter((event) => event.row !== runningRow || isGap(event))
        : withRunningSession(
            completedOf(daily, EVENT_SESSIONS - 1),
            dailyNow,
            columnsOf(known).daily.last.atr14,
          );
    return events.map((event) => wireEvent(view, event, runningRow));
  },
  // A later split changes the price, so it belongs to the edge and not to the event.
  leaves: (events, { symbol }) =>
    events.map(({ type, date, direction, known_at, price, filled }) => ({
      type: 'HAS_EVENT',
      label: 'PriceEvent',
      key: `${symbol}|${date}|${type}`,
      props: { symbol, type, direction, date, known_at },
      edgeProps: { price, ...(filled === null ? {} : { filled }) },
    })),
});

const completedOf = onceFor(eventsOf);

function isGap({ type }: EventOfRow): boolean {
  return type === 'gap_up' || type === 'gap_down';
}

function wireEvent(view: StockView, event: EventOfRow, runningRow: number) {
  const { time } = view.dailyNow;
  const session = sessionOfRow(view, event.row);
  return {
    type: event.type,
    direction: event.direction,
    date: dateOf(time[event.row]!),
    known_at: instantOrNull(isGap(event) ? session?.open : session?.close),
    price: event.price,
    level: finiteOrNull(event.level),
    size_pct: finiteOrNull(event.sizePct),
    size_atr: finiteOrNull(event.sizeAtr),
    volume_ratio: event.row === runningRow ? null : finiteOrNull(event.volumeRatio),
    filled: event.filled,
    filled_date: event.filledRow === null ? null : dateOf(time[event.filledRow]!),
  };
}
