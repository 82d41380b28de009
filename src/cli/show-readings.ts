import { printable } from '../base/printable.ts';
import type { Findings } from '../files/bars/bar-reading.ts';
import type { FileReading } from '../files/bars/csv.ts';
import type { ContentReading } from '../files/content-reading.ts';
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
} satisfies Record<keyof Findings, string>;
const PARTS = Object.keys(NAMES) as (keyof Findings)[];
const CONTENT_NAMES: Readonly<Record<string, string>> = {
  ...NAMES,
  taken: 'taken at',
  known: 'known from',
  left_out: 'left out',
  absent: 'no value',
};

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
        : { ...(read.what !== 'bars' && { what: read.what }), ...read.parts }),
    }));
    console.log(inOptions(JSON.stringify(shown, null, 2)));
    return refused;
  }
  const read = files.flatMap(({ where, read: one }) => (isRefused(one) ? [] : [{ where, ...one }]));
  const [first] = read;
  if (first === undefined) return refused;
  const isText = (): boolean => true;
  if (files.length === 1) {
    const { where, what, parts } = first;
    const rows = Object.entries(parts).map(([part, { value, evidence, sure }]) => [
      `  ${CONTENT_NAMES[part] ?? part}`,
      value,
      sure,
      inOptions(printable(evidence)),
    ]);
    console.log(`${printable(where)} is read as${what === 'bars' ? '' : ` ${what}`}`);
    for (const line of table(rows, isText)) console.log(line);
    return refused;
  }
  const rows = files.slice(0, SHOWN_MAX).map(({ where, read: one }) => {
    const { what, parts }: ContentReading = isRefused(one) ? { what: 'not read', parts: {} } : one;
    const { range = parts.taken ?? parts.known } = parts;
    const of: ContentReading['parts'] = { ...parts, ...(range && { range }) };
    return [printable(where), what, ...PARTS.map((part) => of[part]?.value ?? '')];
  });
  for (const line of table([['file', 'what', ...PARTS.map((part) => NAMES[part])], ...rows], isText))
    console.log(line);
  if (files.length > SHOWN_MAX)
    console.log(`and ${count(files.length - SHOWN_MAX)} more; --json shows all, with reasons`);
  return refused;
}

type RefusedReading = NoReading & { readonly where: string };

/** Says of each file that is not read why, and what to do. */
export function showRefused(refused: readonly RefusedReading[]): void {
  for (const { where, example } of refused)
    console.log(`${printable(where)} is not read: ${inOptions(printable(example))}`);
}
