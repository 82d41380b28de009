import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { isTextFile, type TextFile, unverifiedFiles } from '../../../src/files/archive.ts';
import { readingOf } from '../../../src/files/bars/bar-reading.ts';
import { asTable } from '../../../src/files/bars/bars-json.ts';
import { isRefused } from '../../../src/files/findings.ts';
import { temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const folder = temporaryFolder();
const HEAD = 'date,open,high,low,close,volume';

/** Reads a file as the importer does, and counts the bytes that it takes. */
async function readingWithCount(path: string) {
  let bytes = 0;
  let opened = 0;
  const [found] = await Array.fromAsync(unverifiedFiles(path, path));
  const file = found as TextFile;
  expect(isTextFile(file)).toBe(true);
  const counted: TextFile = {
    ...file,
    async *chunks() {
      opened++;
      for await (const chunk of file.chunks()) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    async piece(place, wanted) {
      const piece = await file.piece!(place, wanted);
      bytes += piece.length;
      return piece;
    },
  };
  const table = await asTable(counted);
  const read = isRefused(table) ? table : await readingOf(table, { calendar });
  // A stream that is left early may have read one chunk ahead.
  return { read, bytes: bytes + opened * 2 ** 16 };
}

const sessions = (from: string, to: string, step: number, zone: string): string[] => {
  const offsets = new Map<string, number>();
  return calendar.sessionsBetween(from, to).flatMap((date) => {
    const { open, close } = calendar.session(date)!;
    const offset = offsets.getOrInsertComputed(
      date,
      () => Temporal.Instant.fromEpochMilliseconds(open).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6,
    );
    return Array.from({ length: (close - open) / step }, (_, at) =>
      new Date(open + at * step + offset).toISOString().slice(0, 19).replace('T', ' '),
    );
  });
};

it.each([
  ['minutes that name no clock', sessions('2023-01-03', '2023-12-29', 60_000, 'America/New_York'), HEAD, ''],
  ['minutes in UTC', sessions('2023-01-03', '2023-12-29', 60_000, 'UTC').map((time) => `${time}Z`), HEAD, ''],
  [
    'days with splits',
    Array.from({ length: 40_000 }, (_, at) =>
      new Date(Date.parse('1900-01-01') + at * 86_400_000).toISOString().slice(0, 10),
    ),
    `${HEAD},split`,
    ',1',
  ],
])('works out the reading of %s from a mebibyte at most', async (_what, times, head, more) => {
  const path = join(folder, 'QZEA.csv');
  const rows = times.map(
    (time, at) => `${time},${100 + (at % 7)}.25,109.50,90.75,${100 + (at % 5)}.50,${1000 + at}${more}`,
  );
  const text = `${head}\n${rows.join('\n')}\n`;
  expect(text.length).toBeGreaterThan(1.5 * 2 ** 20);
  writeFileSync(path, text);
  const { read, bytes } = await readingWithCount(path);
  expect(isRefused(read), JSON.stringify(read)).toBe(false);
  expect(bytes).toBeLessThanOrEqual(2 ** 20);
});

it("tells London's clock from UTC by days in the midst of a file, whose first and last lie in winter", async () => {
  const rows = (zone: string): string =>
    sessions('2023-01-03', '2024-01-31', 60_000, zone)
      .map((time) => `${time},100,101,99,100,1000\n`)
      .join('');
  const path = join(folder, 'QZEB.csv');
  writeFileSync(path, `${HEAD}\n${rows('Europe/London')}`);
  expect((await readingWithCount(path)).read).toMatchObject({ reason: 'ambiguous' });
  writeFileSync(path, `${HEAD}\n${rows('UTC')}`);
  expect((await readingWithCount(path)).read).toMatchObject({ parts: { clock: { value: 'UTC' } } });
});

it('says that the last row runs: its session is not over, or was not when the file was written', async () => {
  const path = join(folder, 'QZEC.csv');
  writeFileSync(path, `${HEAD}\n2024-06-11,10,11,9,10,1000\n2024-06-12,10,11,9,10,1000\n`);
  const lastRow = async (now: string) => {
    const [file] = await Array.fromAsync(unverifiedFiles(path, path));
    const read = await readingOf(file as TextFile, { calendar, now: Date.parse(now) });
    return isRefused(read) ? read : read.parts.lastRow;
  };
  expect(await lastRow('2024-06-12T16:00:00Z')).toMatchObject({ value: 'running' });
  expect(await lastRow('2024-06-13T16:00:00Z')).toMatchObject({ value: 'final' });
  const noon = new Date('2024-06-12T16:00:00Z');
  utimesSync(path, noon, noon);
  expect(await lastRow('2024-06-13T16:00:00Z')).toMatchObject({
    value: 'running',
    evidence: expect.stringContaining('written while the session of 2024-06-12 ran'),
  });
});

it('takes the basis of prices from a name that states it, unless the rows contradict it', async () => {
  const prices = async (name: string, close: number) => {
    const path = join(folder, name);
    const rows = `2024-06-10,10,11,9,10,1000,0\n2024-06-11,${close},${close},${close},${close},1000,2\n`;
    writeFileSync(path, `${HEAD},split\n${rows}`);
    const { read } = await readingWithCount(path);
    return isRefused(read) ? read.example : read.parts.prices.value;
  };
  expect(await prices('QZED_1day_adjsplit.txt', 10)).toBe('split-adjusted');
  expect(await prices('QZED_1day_adjsplitdiv.txt', 10)).toBe('adjusted');
  expect(await prices('QZED_1day_UNADJUSTED.txt', 5)).toBe('traded');
  expect(await prices('QZED_1day_UNADJUSTED.txt', 10)).toContain('contradicts: ⟨prices⟩ decides');
  expect(await prices('QZED_1day_adjsplit.txt', 5)).toContain('contradicts: ⟨prices⟩ decides');
});
