import { dailyEnd, intradayEnd } from '../analysis/view-bars.ts';
import { dateTime, nullableDateTime } from '../base/schema.ts';
import { instantOrNull, instantText } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { flatBlock } from './block.ts';

/** Age of the answer. A bar counts at its end, a daily bar at its session's close, nothing after the as-of instant. */
export const freshness = flatBlock({
  name: 'freshness',
  flat: {
    updated_at: dateTime(
      'Instant of the newest observation that the answer rests on; the as-of instant when there is none.',
    ),
    quote_timestamp: nullableDateTime('Latest quote (SLA under 5 seconds).'),
    bar_1min_timestamp: nullableDateTime('End of the latest 1-minute bar (SLA under 5 minutes).'),
    bar_daily_timestamp: nullableDateTime(
      'Latest daily bar: close of the last completed session, or while the session runs the end of the newest bar in it (SLA under 4 hours during market hours).',
    ),
  },
  derive(view) {
    const quote = byThen(view.quoteTime, view);
    const minute = byThen(minuteEnd(view), view);
    const daily = byThen(dailyNowEnd(view), view);
    const intraday = byThen(newestIntradayEnd(view), view);
    const newest = Math.max(quote ?? 0, daily ?? 0, intraday ?? 0);
    return {
      updated_at: instantText(newest === 0 ? view.asOf : newest),
      quote_timestamp: instantOrNull(quote),
      bar_1min_timestamp: instantOrNull(minute),
      bar_daily_timestamp: instantOrNull(daily),
    };
  },
});

/** At most the as-of instant. */
function byThen(instant: number | null, view: StockView): number | null {
  return instant === null ? null : Math.min(instant, view.asOf);
}

function newestIntradayEnd(view: StockView): number | null {
  return (
    intradayEnd(view.intraday, view.intradayInterval) ??
    intradayEnd(view.priorIntraday, view.priorIntradayInterval)
  );
}

function minuteEnd(view: StockView): number | null {
  const today = view.intradayInterval === '1m' ? intradayEnd(view.intraday, '1m') : null;
  if (today !== null) return today;
  return view.priorIntradayInterval === '1m' ? intradayEnd(view.priorIntraday, '1m') : null;
}

function dailyNowEnd(view: StockView): number | null {
  if (view.running === null) return dailyEnd(view, view.daily.time.length - 1);
  const newest = intradayEnd(view.intraday, view.intradayInterval);
  return newest === null ? view.asOf : Math.min(newest, view.session.close);
}
