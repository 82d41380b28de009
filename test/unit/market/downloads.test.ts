import { describe, expect, it } from 'vitest';
import { DAYS, DOWNLOADS, MINUTES } from '../../../docs/downloads.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { barsIn, deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
const OPEN = Date.parse('2024-06-12T13:30:00Z');

describe('a download without an option', () => {
  it.each(DOWNLOADS)('of $source comes in as it was', async ({ file, text, symbol }) => {
    const path = fileIn(root, file, text);
    const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar, symbol }));
    expect(refusalsIn(deliveries)).toEqual([]);
    const [bars, ...others] = barsIn(deliveries);
    expect(others).toEqual([]);
    expect(bars?.symbol).toBe('QQAA');
    const rows = Array.from(bars!.columns.time, (time, row) => {
      const { open, high, low, close, volume } = bars!.columns;
      return [time, open[row], high[row], low[row], close[row], volume[row]];
    });
    expect(rows).toEqual(
      bars!.interval === '1d'
        ? DAYS.map(([date, ...values]) => [Date.parse(date), ...values])
        : MINUTES.map(([minute, ...values]) => [OPEN + minute * 60_000, ...values]),
    );
  });
});
