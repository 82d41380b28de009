import { intradayBars, type MergedBar, regularBar } from '../analysis/sessions.ts';
import type { Bar } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';

/**
 * The regular session as the daily series has it, running or complete, else its intraday bars as one; null before its
 * first trade.
 */
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

/**
 * Until when a session that is over is known, epoch milliseconds, where its feed stopped and no daily bar tells the
 * rest; null otherwise. Its close, its whole volume and all that follows from them are not known.
 */
export function incompleteAfter({ intradayCutAt, todayRow }: StockView): number | null {
  return todayRow < 0 ? intradayCutAt : null;
}
