import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAYS, DOWNLOADS, MINUTES } from '../../../docs/downloads.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { barsIn, deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
const OPEN = Date.parse('2024-06-12T13:30:00Z');

it("takes dividends and splits from the rows of Yahoo's history page", async () => {
  const head = 'Date\tOpen\tHigh\tLow\tClose Close price adjusted for splits.\tVolume\n';
  const rows = [
    'Jun 12, 2024\t10\t11\t9\t10\t1,000',
    'Jun 11, 2024\t4:1 Stock Splits',
    'Jun 11, 2024\t10\t11\t9\t10\t1,000',
    'Jun 10, 2024\t0.25 Dividend',
    'Jun 10, 2024\t10\t11\t9\t10\t1,000',
  ];
  const path = join(root, 'QQAC.txt');
  writeFileSync(path, head + rows.join('\n'));
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar }));
  const [bars] = barsIn(deliveries);
  // In the shares of each day, as traded: four times the price before the split, and four times the dividend.
  expect([...bars!.columns.close]).toEqual([40, 10, 10]);
  expect([...bars!.columns.volume]).toEqual([250, 1000, 1000]);
  expect(deliveries.find(({ kind }) => kind === 'actions')).toMatchObject({
    actions: [
      { kind: 'dividend', exDate: Date.parse('2024-06-10'), value: 1 },
      { kind: 'split', exDate: Date.parse('2024-06-11'), value: 4 },
    ],
  });
  expect(refusalsIn(deliveries)).toEqual([]);
});

describe('a download without an option', () => {
  it.each(DOWNLOADS)('of $source comes in as it was', async ({ source, file, text, symbol }) => {
    const folder = join(root, source.replace(/\W/g, ''));
    mkdirSync(folder);
    writeFileSync(join(folder, file), text);
    const deliveries = await deliveriesOf(csvFeed({ paths: [join(folder, file)], calendar, symbol }));
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
