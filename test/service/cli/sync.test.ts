import { expect, it } from 'vitest';
import { bring, freshStore, openTestApp } from '../../support/app.ts';
import { callCommand } from '../../support/command.ts';
import { dailyBars } from '../../support/market.ts';

/** `tigraph sync` where there is nothing to derive, or not for all. */

async function sync(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { dataDirectory, databaseUrl } = store.options;
  return callCommand(['sync', ...words], {
    TIGRAPH_DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl ?? '',
    TIGRAPH_NOW: '2024-04-02T12:00:00Z',
    TIGRAPH_WORKERS: '1',
  });
}

const store = await freshStore();
const app = await openTestApp(store);
await bring(app, [dailyBars('ACME', '2024-01-02', '2024-03-28')]);
await app.close();

it.each([
  [
    ['--date', '2024-03-29'],
    '--date 2024-03-29 is not a trade date (Good Friday); the nearest session is 2024-03-28',
  ],
  [['--date', '2024-03-30'], '--date 2024-03-30 is not a trade date (weekend); the nearest session is'],
  [
    ['--from', '2024-03-29', '--to', '2024-03-31'],
    'the exchange held no session from 2024-03-29 to 2024-03-31',
  ],
  [['--date', '2024-04-03'], 'the session of 2024-04-03 has not begun yet'],
])('%j says why nothing is derived', async (words, reason) => {
  expect(await sync(...words)).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining(reason),
  });
});

it('derives the symbols that are known and names the others', async () => {
  const { code, stdout, stderr } = await sync('--date', '2024-03-28', '--symbols', 'acme,NOPE');
  expect([code, stderr]).toEqual([3, expect.stringContaining('not on the tape: NOPE')]);
  expect(stdout).toContain('1 stock-days derived');
});

it('names strangers also where only new data is derived', async () => {
  expect(await sync('--symbols', 'NOPE')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('not on the tape: NOPE'),
  });
});

it('names the option that holds no date', async () => {
  for (const words of [
    ['--date', 'friday'],
    ['--from', '2024-03-28', '--to', 'friday'],
  ]) {
    const { code, stderr } = await sync(...words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/'--(date|to) <date>' argument 'friday' is invalid. It is not a date/);
  }
});
