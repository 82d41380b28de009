import { appendFileSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';

const directory = mkdtempSync(join(tmpdir(), 'changing-'));
afterAll(() => rmSync(directory, { recursive: true }));
const HEAD = 'date,open,high,low,close,volume';
const ROWS = ['2024-03-04,10,11,9,10,100', '2024-03-05,10,11,9,10,100', '2024-03-06,10,11,9,10,100'];

async function unitOf(path: string) {
  writeFileSync(path, `${[HEAD, ...ROWS].join('\n')}\n`);
  // Disks count time in steps of milliseconds.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const [unit] = await csvFeed({ paths: [path], calendar: newYorkCalendar(), symbol: 'ACME' }).units();
  return unit!;
}

describe('a file of values within one another', () => {
  it.each([
    ['lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('is refused in a sentence: %s', async (_, text) => {
    const path = join(directory, 'deep.json');
    writeFileSync(path, text);
    const { readings } = await anyFiles([path], { calendar: newYorkCalendar() });
    expect((await Array.fromAsync(readings()))[0]!.read).toMatchObject({
      example: expect.stringContaining('lie within one another deeper'),
    });
  });
});

describe('a file that changes while it is read', () => {
  const path = join(directory, 'ACME.csv');
  const changes: readonly (readonly [string, () => void])[] = [
    ['grows', () => appendFileSync(path, '2024-03-07,10,11,9,10,100\n')],
    ['is written anew', () => writeFileSync(path, `${[HEAD, ...ROWS].join('\n')}\n`)],
    [
      'gives its name to another',
      () => {
        writeFileSync(`${path}.new`, [HEAD, ...ROWS].join('\n'));
        renameSync(`${path}.new`, path);
      },
    ],
  ];

  it.each(changes)('is refused in a sentence where it %s', async (_, change) => {
    for (const place of ['before its rows', 'between its rows']) {
      const unit = await unitOf(path);
      await unit.fingerprint();
      if (place === 'before its rows') change();
      const reading = async () => {
        for await (const delivery of unit.read())
          if (place !== 'before its rows' && delivery.kind === 'bars') change();
      };
      await expect(reading(), place).rejects.toThrow('ACME.csv has changed while it was read');
    }
  });

  it('is read where it does not change', async () => {
    const unit = await unitOf(path);
    await unit.fingerprint();
    expect(await Array.fromAsync(unit.read())).toMatchObject([{ kind: 'bars', symbol: 'ACME' }]);
  });
});
