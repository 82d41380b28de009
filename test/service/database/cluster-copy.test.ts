import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { copyCluster, isBeingCopied } from '../../../src/database/cluster-copy.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { housekeep } from '../../../src/database/housekeeping.ts';
import { takeLock } from '../../../src/database/lock.ts';
import { freshStore } from '../../support/app.ts';
import { testsRunOn } from '../../support/database.ts';
import { temporaryDirectory } from '../../support/tape.ts';

describe.runIf(testsRunOn === 'embedded')('the copy of a running cluster', () => {
  it('holds every commit up to an instant and none after it, while rows are written and the host tidies up', async () => {
    const store = await freshStore('cold');
    const database = await store.open();
    const { dataDirectory } = store.options;
    await database.query('create table numbered (number integer primary key, body text)');
    // A command that was killed has left its backup in the session that all share.
    await database.query(`select pg_backup_start('killed', true)`);

    let committed = -1;
    let isCopied = false;
    const writing = (async () => {
      while (!isCopied) {
        await database.query(`insert into numbered values ($1, repeat('x', 3000))`, [committed + 1]);
        committed++;
      }
    })();
    const client = new pg.Client({ host: dataDirectory, user: 'postgres', database: 'postgres' });
    await client.connect();
    const tidying = (async () => {
      const often = { logBytesMax: 0, changedRowsMin: 500, changedShareMin: 0.1 };
      while (!isCopied) await housekeep(client, () => !isBeingCopied(dataDirectory), often);
    })();
    const copies: { readonly directory: string; readonly before: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const directory = join(temporaryDirectory(), 'copy');
      const before = committed;
      const at = await copyCluster(database, dataDirectory, directory);
      expect(at.getTime()).toBeLessThanOrEqual(Date.now());
      copies.push({ directory, before });
    }
    isCopied = true;
    await Promise.all([writing, tidying]);
    await client.end();

    for (const { directory, before } of copies) {
      const copy = await openDatabase({ dataDirectory: directory });
      const [row] = await copy.query<{ rows: number; newest: number }>(
        'select count(*) as rows, max(number) as newest from numbered',
      );
      await copy.close();
      expect(row!.newest).toBe(row!.rows - 1);
      expect(row!.newest).toBeGreaterThanOrEqual(before);
      expect(row!.newest).toBeLessThanOrEqual(committed);
    }
    await expect(database.query('select pg_backup_stop(false)')).rejects.toMatchObject({ code: '55000' });
    expect(isBeingCopied(dataDirectory)).toBe(false);
  });

  it('is made by one process at a time', async () => {
    const store = await freshStore();
    const database = await store.open();
    const { dataDirectory } = store.options;
    const other = takeLock(join(dataDirectory, 'copying.lock'))!;
    const copying = copyCluster(database, dataDirectory, join(temporaryDirectory(), 'copy'));
    await expect(copying).rejects.toMatchObject({ code: 'conflict' });
    other.release();
  });
});
