import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { Bar } from '../../../src/market/observations.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import type { MarketOfDouble } from './alpaca.ts';

/** A simulated market, for a double to send. */
export async function marketOfDouble(
  end: string,
  days: number,
  minuteSessions: number,
): Promise<MarketOfDouble> {
  const feed = simulatedFeed({
    symbols: 3,
    seed: 7,
    days,
    end,
    minuteSessions,
    calendar: newYorkCalendar(),
  });
  const minutes = new Map<string, Bar[]>();
  const daily = new Map<string, Bar[]>();
  for (const unit of await feed.units()) {
    for await (const delivery of unit.read()) {
      if (delivery.kind !== 'bars' || !/^[A-Z.]+$/.test(delivery.symbol)) continue;
      const { columns, interval, symbol } = delivery;
      if (interval !== '1d' && interval !== '1m') continue;
      const rows = (interval === '1d' ? daily : minutes).getOrInsertComputed(symbol, () => []);
      for (let row = 0; row < columns.time.length; row++) {
        const { time, open, high, low, close, volume } = columns;
        rows.push({
          time: time[row]!,
          open: open[row]!,
          high: high[row]!,
          low: low[row]!,
          close: close[row]!,
          volume: volume[row]!,
        });
      }
    }
  }
  return { minutes, days: daily };
}
