import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { feedCut } from '../../../src/tape/bad-prints.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { at, type BarRow, barsOf } from '../../support/tape.ts';

const calendar = newYorkCalendar();

/** Dates of a recorded file of bars on which its feed stopped. */
function cutsOf(folder: string, file: string, barMs: number): string[] {
  const text = gunzipSync(readFileSync(resolve(realDataDirectory!, 'intraday', folder, file))).toString();
  const cuts: string[] = [];
  let before: Parameters<typeof feedCut>[3] = null;
  for (const [date, lines] of Map.groupBy(text.trim().split('\n').slice(1), (line) => line.slice(0, 10))) {
    const rows = lines.map((line): BarRow => [at(date, line.slice(11, 16)), 1, 1, 1, 1, 1]);
    const [bars, hours] = [barsOf('bars-1m', rows) as unknown as BarColumns, calendar.session(date)!];
    if (feedCut(bars, hours, barMs, before) !== null) cuts.push(date);
    before = { bars, hours };
  }
  return cuts;
}

describe.skipIf(realDataDirectory === null)('the feed of recorded five-minute bars', () => {
  const files = realDataDirectory === null ? [] : readdirSync(resolve(realDataDirectory, 'intraday/5min'));

  it.each(files)('stopped in %s on its last date and on no other', (file) => {
    expect(cutsOf('5min', file, 300_000)).toEqual(['2026-03-12']);
  });
});
