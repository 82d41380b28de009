import { printable } from '../base/printable.ts';
import type { Reading } from '../files/bars/bar-reading.ts';
import type { FileReading } from '../files/bars/csv.ts';
import { inOptions } from '../files/choices.ts';
import { isRefused, type NoReading } from '../files/findings.ts';
import { count, table } from './print.ts';

/** Files of a folder that are shown a line each; the rest is counted. */
const SHOWN_MAX = 40;

const NAMES = {
  symbol: 'symbol',
  interval: 'bars of',
  stamps: 'times are',
  clock: 'clock',
  prices: 'prices are',
  volumes: 'volumes are',
  range: 'from',
  currency: 'currency',
  lastRow: 'last row',
} satisfies Record<keyof Reading, string>;
const PARTS = Object.keys(NAMES) as (keyof Reading)[];
const CONTENT_NAMES: Readonly<Record<string, string>> = {
  ...NAMES,
  taken: 'taken at',
  known: 'known from',
  left_out: 'left out',
  absent: 'no value',
};

type Findings = Readonly<Record<string, Reading['symbol']>>;

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
      ...(isRefused(read)
        ? { refused: read }
        : 'reading' in read
          ? read.reading
          : { what: read.what, ...read.parts }),
    }));
    console.log(inOptions(JSON.stringify(shown, null, 2)));
    return refused;
  }
  const read = files.filter((file) => !isRefused(file.read));
  const [first] = read;
  const isText = (): boolean => true;
  const [only] = files.length === 1 && first !== undefined ? contentsOf(first.read) : [];
  if (only !== undefined) {
    const rows = Object.entries(only.parts).map(([part, { value, evidence, sure }]) => [
      `  ${CONTENT_NAMES[part] ?? part}`,
      value,
      sure,
      inOptions(printable(evidence)),
    ]);
    console.log(`${printable(first!.where)} is read as${only.what === 'bars' ? '' : ` ${only.what}`}`);
    for (const line of table(rows, isText)) console.log(line);
  } else if (first !== undefined) {
    const rows = files.slice(0, SHOWN_MAX).flatMap(({ where, read }) =>
      (isRefused(read) ? [{ what: 'not read', parts: {} as Partial<Findings> }] : contentsOf(read)).map(
        ({ what, parts }) => {
          const of: Partial<Findings> = { range: parts.taken ?? parts.known, ...parts };
          return [printable(where), what, ...PARTS.map((part) => of[part]?.value ?? '')];
        },
      ),
    );
    for (const line of table([['file', 'what', ...PARTS.map((part) => NAMES[part])], ...rows], isText))
      console.log(line);
    if (files.length > SHOWN_MAX)
      console.log(`and ${count(files.length - SHOWN_MAX)} more; --json shows all, with reasons`);
  }
  return refused;
}

/** What was worked out of a file that is read. */
function contentsOf(read: FileReading['read']): { what: string; parts: Findings }[] {
  if (isRefused(read)) return [];
  return 'reading' in read ? [{ what: 'bars', parts: { ...read.reading } }] : [read];
}

type RefusedReading = NoReading & { readonly where: string };

/** Says of each file that is not read why, and what to do. */
export function showRefused(refused: readonly RefusedReading[]): void {
  for (const { where, example } of refused)
    console.log(`${printable(where)} is not read: ${inOptions(printable(example))}`);
}
