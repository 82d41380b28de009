import { printable } from '../base/printable.ts';
import { isRefused, type Reading } from '../market/feeds/bar-reading.ts';
import type { CsvFeed } from '../market/feeds/csv.ts';
import { count, table } from './print.ts';

/** Files of a folder that are shown a line each; the rest is counted. */
const SHOWN_MAX = 40;

const NAMES: Readonly<Record<keyof Reading, string>> = {
  symbol: 'symbol',
  interval: 'bars of',
  stamps: 'times are',
  clock: 'clock',
  prices: 'prices are',
  range: 'from',
  currency: 'currency',
  lastRow: 'last row',
};
const PARTS = Object.keys(NAMES) as (keyof Reading)[];

/** Prints how each file is going to be read; returns how many are refused. */
export async function showReadings(feed: CsvFeed, asJson: boolean): Promise<number> {
  const files = await Array.fromAsync(feed.readings());
  const refused = files.filter(({ read }) => isRefused(read));
  if (asJson) {
    const shown = files.map(({ where, read }) => ({
      file: where,
      ...(isRefused(read) ? { refused: read } : read.reading),
    }));
    console.log(JSON.stringify(shown, null, 2));
    return refused.length;
  }
  const readings = files.flatMap(({ where, read }) =>
    isRefused(read) ? [] : [{ where, reading: read.reading }],
  );
  const [first] = readings;
  const isText = (): boolean => true;
  if (readings.length === 1) {
    const rows = PARTS.map((part) => {
      const { value, evidence, sure } = first!.reading[part];
      return [`  ${NAMES[part]}`, value, sure, printable(evidence)];
    });
    console.log(`${printable(first!.where)} is read as`);
    for (const line of table(rows, isText)) console.log(line);
  } else if (first !== undefined) {
    const shown = readings.slice(0, SHOWN_MAX);
    const rows = shown.map(({ where, reading }) => [
      printable(where),
      ...PARTS.map((part) => reading[part].value),
    ]);
    for (const line of table([['file', ...PARTS.map((part) => NAMES[part])], ...rows], isText))
      console.log(line);
    if (readings.length > SHOWN_MAX)
      console.log(`and ${count(readings.length - SHOWN_MAX)} more; --json shows all, with reasons`);
  }
  for (const { where, read } of refused)
    if (isRefused(read)) console.log(`${printable(where)} is not read: ${printable(read.example)}`);
  return refused.length;
}
