import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCommand } from '../../support/command.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';

describe.skipIf(testsRunOn !== 'embedded')('a data directory that is not whole', () => {
  let store: TestStore;
  let directory: string;
  let cluster: string;

  beforeEach(async () => {
    store = await makeTestStore('cold');
    directory = store.options.dataDirectory;
    cluster = join(directory, 'postgres');
  });
  afterEach(() => store.remove());

  const emptyFolder = (): void => {
    rmSync(cluster, { recursive: true });
    mkdirSync(cluster);
  };

  const faults: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'without PG_VERSION',
      () => rmSync(join(cluster, 'PG_VERSION')),
      /has no file PG_VERSION.*npm run tigraph -- restore/,
    ],
    [
      'of another PostgreSQL',
      () => writeFileSync(join(cluster, 'PG_VERSION'), '16\n'),
      /says "16".*restore that/,
    ],
    [
      'with an empty PG_VERSION',
      () => writeFileSync(join(cluster, 'PG_VERSION'), ''),
      /says "".*PostgreSQL 18/,
    ],
    [
      'with an empty folder',
      emptyFolder,
      /is empty where the database should be.*npm run tigraph -- restore/,
    ],
    [
      'with a cut control file',
      () => truncateSync(join(cluster, 'global', 'pg_control'), 100),
      /pg_control has 100 bytes and should have 8192.*npm run tigraph -- restore/,
    ],
    [
      'without a control file',
      () => rmSync(join(cluster, 'global', 'pg_control')),
      /pg_control has 0 bytes.*npm run tigraph -- restore/,
    ],
  ];

  it.each(faults)('%s ends in a sentence that says so', async (_, damage, sentence) => {
    damage();
    const before = readdirSync(cluster);
    for (const words of [['client', 'list'], ['verify']]) {
      const { code, stderr } = await callCommand(words, { TIGRAPH_DATA_DIR: directory });
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(sentence)]);
    }
    expect(readdirSync(cluster)).toEqual(before);
  });

  it.each([
    ['is missing', () => rmSync(cluster, { recursive: true })],
    [
      'is empty of a schema',
      async () => {
        const database = await store.open();
        await database.query('drop schema public cascade; create schema public');
        await database.close();
      },
    ],
  ])('keeps the files of a tape whose database %s', async (_, damage) => {
    const segment = join(directory, 'tape', '00000000-1-bars-1d-0123456789abcdef.arrow');
    mkdirSync(join(directory, 'tape'));
    writeFileSync(segment, 'bars');
    await damage();
    const { code, stderr } = await callCommand(['client', 'list'], { TIGRAPH_DATA_DIR: directory });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/holds 1 files of a tape.*npm run tigraph -- restore/),
    });
    expect(existsSync(segment)).toBe(true);
  });

  it('has its damage listed by verify, which then fails', async () => {
    // While it is open both runs are guests of its server. The damage is in a part that this server does not read.
    await store.open();
    const whole = await callCommand(['verify'], { TIGRAPH_DATA_DIR: directory });
    expect(whole).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/pages, .* 0 files of the tape, whole/),
    });
    truncateSync(join(cluster, 'base', '1', '1255'), 400_001);
    const { code, stdout, stderr } = await callCommand(['verify'], { TIGRAPH_DATA_DIR: directory });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('1 damaged') });
    expect(stderr).toMatch(
      /damaged: a part of the database \(base\/1\/1255\): the file ends within a page\n.*npm run tigraph -- restore/,
    );
  });
});
