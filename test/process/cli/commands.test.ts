import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshStore } from '../../support/app.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const CSV = [
  'date,open,high,low,close,volume',
  '2024-03-01,10,11,9,10.5,1000',
  '2024-03-04,10.5,12,10,11.5,1200',
  '2024-03-05,11.5,12,11,11.8,900',
].join('\n');

function workplace() {
  const directory = temporaryDirectory();
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  return {
    file,
    settings: {
      TIGRAPH_DATA_DIR: join(directory, 'data'),
      LOG_LEVEL: 'warn',
      PORT: '0',
      QUERY_TIMEOUT_MS: '60000',
    },
  };
}

/** Gives the commands of a test a database whose server is up: each of them is its guest, and starts none. */
async function serveDatabase(settings: { TIGRAPH_DATA_DIR: string; DATABASE_URL?: string }): Promise<void> {
  const store = await freshStore();
  await store.open();
  settings.TIGRAPH_DATA_DIR = store.options.dataDirectory;
  settings.DATABASE_URL = store.options.databaseUrl ?? '';
}

describe('the command line', () => {
  it('helps, and refuses what it does not know with a way out', async () => {
    const help = await callCommand(['help'], {});
    expect(help.code).toBe(0);
    for (const word of ['serve', 'import', 'simulate', 'sync', 'real-data']) {
      expect(help.stdout).toContain(word);
    }
    expect((await callCommand(['import', '--help'], {})).stdout).toMatch(/lean[\s\S]*csv[\s\S]*facts/);
    expect((await callCommand(['help', 'sync'], {})).stdout).toMatch(/--symbols <list>/);
    expect((await callCommand([], {})).code).toBe(2);
    const unknown = await callCommand(['dance'], {});
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('dance');
    expect(unknown.stderr.split('\n').length).toBeLessThan(5);
    expect((await callCommand(['synk'], {})).stderr).toContain('Did you mean sync?');
  });

  it.each([
    [['sync', '--date', '2024-02-30'], {}, /'2024-02-30' is invalid. It is not a date/],
    [['sync', '--from', '2024-03-05'], {}, /--to is missing/],
    [['sync', '--bogus'], {}, /'--bogus'\nSee npm run tigraph -- sync --help/],
    [
      ['import', 'parquet', 'x'],
      {},
      /unknown command 'parquet', and there is no file or folder of that name\nSee npm run tigraph -- import --help/,
    ],
    [['import', 'csv'], {}, /missing required argument 'files'/],
    [['import', 'csv', 'x.csv', '--interval', '7m'], {}, /7m is none of 1m/],
    [['simulate', '--symbols', 'many'], {}, /It must be a whole number/],
  ])('%j is a wrong call', async (words, settings, sentence) => {
    const { code, stderr } = await callCommand(words, {
      TIGRAPH_DATA_DIR: temporaryDirectory(),
      ...settings,
    });
    expect([1, 2]).toContain(code);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('stops at a wrong setting with a sentence that names it', async () => {
    const { code, stderr } = await runCommand(['serve'], { PORT: 'eighty' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tigraph: PORT cannot be "eighty"/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('imports, derives, and says by its exit code that something was refused', async () => {
    const { file, settings } = workplace();
    await serveDatabase(settings);
    const clean = await callCommand(['import', 'csv', file('GOOD.csv', CSV)], settings);
    expect(clean).toMatchObject({ code: 0, stderr: expect.not.stringContaining('refused') });
    expect(clean.stdout).toContain('3 rows kept\n  symbol GOOD, from the name of the file\nDerive what');
    const dirty = file(
      'BAD.csv',
      `${CSV}\n2024-03-06,ten,12,11,11,5\n2024-03-05,11.5,12,11,11.8,900\n2024-03-07,5,4,6,5,10\n`,
    );
    const refused = await callCommand(['import', 'csv', dirty], settings);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('3 rows kept');
    expect(refused.stdout).toMatch(/not_a_number.*BAD\.csv:5/);
    expect(refused.stdout).toMatch(/high_below_low.*BAD\.csv:7/);
    const wrongKind = await callCommand(
      ['import', 'csv', file('page.csv', '<html><body>no</body></html>')],
      settings,
    );
    expect(wrongKind.code).toBe(3);
    expect(wrongKind.stdout).toContain('page.csv');
    expect(wrongKind.stdout).not.toMatch(/symbol|Derive/);
    const synced = await callCommand(['sync'], settings);
    expect(synced).toMatchObject({ code: 0 });
    expect(synced.stdout).toContain('2 stock-days derived, 2 written');
    expect((await callCommand(['sync'], settings)).stdout).toContain('0 stock-days derived');
  });
});
