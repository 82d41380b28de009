import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { WAIT_MS } from '../../../src/api/imports/imports.ts';
import { nextTurn, SteppedTimers } from '../../../src/base/timers.ts';
import { takeLock } from '../../../src/database/lock.ts';
import { appOn, freshStore, serverOf } from '../../support/app.ts';
import { zipOf } from '../../unit/market/zip-of.ts';

/** Readings that take longer than a call waits: only the test's time passes, and none of it is needed to read. */

const store = await freshStore();
const uploads = join(store.options.dataDirectory, 'uploads');
mkdirSync(join(uploads, 'killed', '0123'), { recursive: true });
writeFileSync(join(uploads, 'killed', '0123', 'part.csv'), 'date');
mkdirSync(join(uploads, 'running'));
const running = takeLock(join(uploads, 'running.lock'))!;
afterAll(() => running.release());

const timers = new SteppedTimers(Date.parse('2024-03-13T15:00:00Z'));
const app = await appOn(store, { TIGRAPH_NOW: '2024-03-13T15:00:00Z' }, { timers });
const server = await serverOf(app);
const port = await server
  .listen({ port: 0, host: '127.0.0.1' })
  .then(() => (server.server.address() as AddressInfo).port);

const call = async (method: string, path: string, body?: object, signal?: AbortSignal) => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/internal/imports${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal && { signal }),
  });
  const told = (await answer.json()) as Readonly<Record<string, unknown>>;
  return { ...told, status: answer.status } as Readonly<Record<string, unknown>>;
};

const FILES = 220;
const rows =
  'Date,Open,High,Low,Close,Volume\n2024-03-05,1,2,1,2,100\n2024-03-06,1,2,1,2,100\n2024-03-07,1,2,1,2,100\n';
const letters = (file: number): string => String.fromCharCode(65 + Math.floor(file / 26), 65 + (file % 26));
const archive = zipOf(
  Array.from({ length: FILES }, (_, file) => ({ name: `Q${letters(file)}.csv`, data: rows })),
);

/** Calls that wait for a reading. */
let waiting = 0;
const { after } = timers;
Object.assign(timers, {
  after(delayMs: number, callback: () => void) {
    if (delayMs !== WAIT_MS) return after(delayMs, callback);
    waiting++;
    let isOver = false;
    const end = (): void => {
      if (!isOver) waiting--;
      isOver = true;
    };
    const cancel = after(delayMs, () => {
      end();
      callback();
    });
    return () => {
      end();
      cancel();
    };
  },
});

/**
 * Time passes until a promise settles.
 *
 * @param isDue whether it may pass: no more than a call waits, or a reading would be one that nobody asks after
 */
async function passing<T>(promise: Promise<T>, isDue = (): boolean => waiting > 0): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) {
    if (isDue()) await timers.advance(1_000, nextTurn);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}

const readingNow = () => app.context.scope.running().filter((name) => name.includes('reading of'));

async function uploaded(signal?: AbortSignal) {
  const { id } = await call('POST', '', { name: 'many.zip', bytes: archive.length });
  const part = { offset: 0, base64: archive.toString('base64') };
  return { id: id as string, last: call('POST', `/${id}/parts`, part, signal) };
}

it('goes on behind its call, is joined and not begun again, and has an end', async () => {
  const { id, last } = await uploaded();
  const first = await passing(last);
  expect(first).toMatchObject({ status: 200, state: 'reading' });
  expect(await passing(call('POST', `/${id}/reading`, {}))).toMatchObject({ status: 200, state: 'reading' });
  expect(readingNow()).toHaveLength(1);
  expect(await call('POST', `/${id}/start`)).toMatchObject({ status: 409, detail: 'The file is being read' });
  await app.idle();
  const read = await call('GET', `/${id}`);
  expect(read).toMatchObject({ state: 'read', files: FILES, files_refused: 0, message: null });
  expect(read.readings).toHaveLength(200);
  expect(await call('DELETE', `/${id}`)).toMatchObject({ state: 'cancelled' });
}, 60_000);

it('ends when it is cancelled', async () => {
  const { id, last } = await uploaded();
  await passing(last);
  expect(await call('DELETE', `/${id}`)).toMatchObject({
    state: 'cancelled',
    message: 'Nothing was written.',
  });
  expect(readingNow()).toEqual([]);
  expect(readdirSync(uploads).some((name) => existsSync(join(uploads, name, id)))).toBe(false);
}, 60_000);

it('ends with the last caller who waits for it, and can be begun again', async () => {
  const leaving = new AbortController();
  const { id, last } = await uploaded(leaving.signal);
  while (readingNow().length === 0) await nextTurn();
  leaving.abort();
  await expect(last).rejects.toThrow();
  await app.idle();
  const { state, files, message } = await call('GET', `/${id}`);
  expect({ state, files, message }).toEqual({
    state: 'read',
    files: 0,
    message: 'The reading has ended before its end: read the file again.',
  });
  expect(await call('POST', `/${id}/start`)).toMatchObject({ status: 409, detail: message });
  await passing(call('POST', `/${id}/reading`, {}));
  await app.idle();
  expect(await call('GET', `/${id}`)).toMatchObject({ state: 'read', files: FILES });
}, 60_000);

it('ends once nobody asks after it', async () => {
  const { id, last } = await uploaded();
  await passing(last);
  await timers.advance(200_000, nextTurn);
  await app.idle();
  expect(await call('GET', `/${id}`)).toMatchObject({ state: 'read', files: 0 });
}, 60_000);

it('is no work of files that a killed process has left, whose folder is gone', () => {
  expect(readdirSync(uploads).filter((name) => /^(?:killed|running)/.test(name))).toEqual([
    'running',
    'running.lock',
  ]);
});

it('ends with the server', async () => {
  const { last } = await uploaded();
  await passing(last);
  expect(readingNow()).toHaveLength(1);
  await passing(server.close(), () => true);
  expect(readingNow()).toEqual([]);
}, 60_000);
