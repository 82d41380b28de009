import { printable } from '../base/printable.ts';
import type { Reading, ReadingPlan } from '../market/feeds/bar-reading.ts';
import type { FileReading } from '../market/feeds/csv.ts';
import { isRefused, type NoReading } from '../market/feeds/findings.ts';
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

const isReading = (read: FileReading['read']): read is { reading: Reading; plan: ReadingPlan } =>
  'reading' in read;

/** Prints how each file is going to be read; returns those that are not. */
export async function showReadings(
  readings: AsyncIterable<FileReading>,
  asJson: boolean,
): Promise<RefusedReading[]> {
  const files = await Array.fromAsync(readings);
  const refused = files.flatMap(({ where, read }) => (isRefused(read) ? [{ where, ...read }] : []));
  if (asJson) {
    const shown = files.map(({ where, read }) => ({
      file: where,
      ...(isRefused(read) ? { refused: read } : isReading(read) ? read.reading : read),
    }));
    console.log(JSON.stringify(shown, null, 2));
    return refused;
  }
  const read = files.filter((file) => !isRefused(file.read));
  const [first] = read;
  const isText = (): boolean => true;
  if (read.length === 1 && isReading(first!.read)) {
    const { reading } = first!.read;
    const rows = PARTS.map((part) => {
      const { value, evidence, sure } = reading[part];
      return [`  ${NAMES[part]}`, value, sure, printable(evidence)];
    });
    console.log(`${printable(first!.where)} is read as`);
    for (const line of table(rows, isText)) console.log(line);
  } else if (first !== undefined) {
    const rows = read.slice(0, SHOWN_MAX).map(({ where, read }) => {
      const cells = isReading(read)
        ? ['bars', ...PARTS.map((part) => read.reading[part].value)]
        : 'what' in read
          ? [read.what]
          : [];
      return [
        printable(where),
        ...cells,
        ...Array.from({ length: PARTS.length + 1 - cells.length }, () => ''),
      ];
    });
    for (const line of table([['file', 'what', ...PARTS.map((part) => NAMES[part])], ...rows], isText))
      console.log(line);
    if (read.length > SHOWN_MAX)
      console.log(`and ${count(read.length - SHOWN_MAX)} more; --json shows all, with reasons`);
  }
  return refused;
}

type RefusedReading = NoReading & { readonly where: string };

/** Says of each file that is not read why, and what to do. */
export function showRefused(refused: readonly RefusedReading[]): void {
  for (const { where, example } of refused)
    console.log(`${printable(where)} is not read: ${printable(example)}`);
}
