import { onceFor } from '../base/once-for.ts';
import type { Bar, BarColumns, Interval, SessionBounds } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import { barLengthMs, intradayBars, type MergedBar, regularBar } from './sessions.ts';

/** A close and the instant from which it is known: an intraday bar's end, a daily bar's session close. */
export interface NewestBar {
  readonly close: number;
  readonly end: number;
}

/** End of the last intraday bar, epoch milliseconds; null without bars. */
export function intradayEnd(columns: BarColumns, interval: Interval | null): number | null {
  const last = columns.time.length - 1;
  return interval === null || last < 0 ? null : columns.time[last]! + barLengthMs(interval);
}

/** The session of a daily row, the running one included; null outside the calendar. */
export function sessionOfRow(view: StockView, row: number): SessionBounds | null {
  const day = view.dailyNow.time[row];
  return day === undefined ? null : view.sessionOn(day);
}

/** Close of the regular session of a completed daily row; null outside the calendar. */
export function dailyEnd(view: StockView, row: number): number | null {
  return sessionOfRow(view, row)?.close ?? null;
}

/** The bar that ended last of the day's, the prior day's and the daily bars; of equals the daily one. */
export const newestBar = onceFor((view: StockView): NewestBar | null => {
  const lastDay = view.daily.time.length - 1;
  return [
    barAt(view.daily, dailyEnd(view, lastDay)),
    barAt(view.intraday, intradayEnd(view.intraday, view.intradayInterval)),
    barAt(view.priorIntraday, intradayEnd(view.priorIntraday, view.priorIntradayInterval)),
  ].reduce((newest, bar) => (bar !== null && (newest === null || bar.end > newest.end) ? bar : newest), null);
});

function barAt(columns: BarColumns, end: number | null): NewestBar | null {
  return end === null ? null : { close: columns.close[columns.close.length - 1]!, end };
}

/** The regular session so far from the daily series, else merged from intraday bars; null before its first trade. */
export function sessionSoFar(view: StockView): Bar | MergedBar | null {
  const { dailyNow, todayRow } = view;
  if (todayRow < 0)
    return regularBar(intradayBars(view.intraday, view.intradayInterval, view.asOf), view.session);
  return {
    time: dailyNow.time[todayRow]!,
    open: dailyNow.open[todayRow]!,
    high: dailyNow.high[todayRow]!,
    low: dailyNow.low[todayRow]!,
    close: dailyNow.close[todayRow]!,
    volume: dailyNow.volume[todayRow]!,
  };
}

/** The instant (ms) at which the feed of a past session stopped and no daily bar completes it; else null. */
export function incompleteAfter({ intradayCutAt, todayRow }: StockView): number | null {
  return todayRow < 0 ? intradayCutAt : null;
}
