import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { testsRunOn } from '../../support/database.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const PAGE = 8_192;
const DAMAGE_BYTES = 3 * PAGE;

describe.skipIf(testsRunOn !== 'embedded')('a damaged store', { timeout: 60_000 }, () => {
  let whole: string;
  /** Files of relations below the data directory, by what they are. */
  const files = { table: '', index: '', toast: '' };

  beforeAll(async () => {
    whole = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
    const settings = { TIGRAPH_DATA_DIR: whole };
    const market = ['--symbols', '6', '--days', '30', '--minutes', '1', '--end', '2026-08-19'];
    expect(await callCommand(['simulate', ...market], settings)).toMatchObject({ code: 0 });
    expect(await callCommand(['sync', '--date', '2026-08-19'], settings)).toMatchObject({ code: 0 });
    const database = await openDatabase({ dataDirectory: whole });
    for (const [what, sql] of Object.entries({
      table: `select pg_relation_filepath(oid) as path from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_relation_size(oid) desc limit 1`,
      index: `select pg_relation_filepath(oid) as path from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace order by pg_relation_size(oid) desc limit 1`,
      toast: `select pg_relation_filepath(oid) as path from pg_class where relkind = 't' order by pg_relation_size(oid) desc limit 1`,
    })) {
      const [row] = await database.query<{ path: string }>(sql);
      files[what as keyof typeof files] = join('postgres', row!.path);
    }
    await database.query('checkpoint');
    await database.close();
  });

  afterAll(() => rmSync(whole, { recursive: true, force: true }));

  /** A copy of the store with some bytes of a file overwritten. */
  function damaged(file: string, at: number, bytes: Uint8Array): string {
    const directory = temporaryDirectory();
    cpSync(whole, directory, { recursive: true });
    overwrite(join(directory, file), at, bytes);
    return directory;
  }

  function overwrite(file: string, at: number, bytes: Uint8Array): void {
    const handle = openSync(file, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  }

  const random = (count: number): Uint8Array => {
    const next = mulberry32(35);
    return Uint8Array.from({ length: count }, () => Math.floor(256 * next()));
  };

  const verify = (directory: string) => callCommand(['verify'], { TIGRAPH_DATA_DIR: directory });

  it('is whole before', async () => {
    expect(await verify(whole)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/verify: .* pages, .* rows and .* files of the tape, whole/),
    });
  });

  it('does not answer from 24 KB of its largest table that something else has written', async () => {
    const directory = damaged(files.table, PAGE, random(DAMAGE_BYTES));
    const { code, stderr } = await verify(directory);
    expect(code).toBe(1);
    expect(stderr).toContain(`${files.table}: 3 pages, the first 1 has a wrong checksum`);
    expect(stderr).toContain('cannot be read');
    expect(stderr).toContain('restore the newest backup');
    const database = await openDatabase({ dataDirectory: directory });
    onTestFinished(() => database.close());
    const [row] = await database.query<{ name: string }>(
      `select relname::text as name from pg_class where pg_relation_filepath(oid) = $1`,
      [files.table.slice('postgres/'.length)],
    );
    await expect(database.query(`select count(*) from ${row!.name}`)).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringMatching(/invalid page.*tigraph verify.*restore the newest backup/),
    });
  });

  it('is found in indexes, in values apart from their rows, in zeros between pages, and in the tape', async () => {
    const names = readdirSync(join(whole, 'tape')).sort();
    const [bars, chains] = ['-bars-1m-', '-chains-'].map(
      (kind) => names.find((name) => name.includes(kind))!,
    );
    const directory = damaged(files.table, PAGE, new Uint8Array(DAMAGE_BYTES));
    const expected = [`${files.table}: 3 pages, the first 1 is empty between others`];
    for (const file of [files.index, files.toast]) {
      const { size } = statSync(join(directory, file));
      overwrite(join(directory, file), size - PAGE + 4_000, random(100));
      expected.push(`${file}: page ${size / PAGE - 1} has a wrong checksum`);
    }
    overwrite(join(directory, 'tape', bars!), 4_096, random(16));
    rmSync(join(directory, 'tape', chains!));
    const { code, stderr } = await verify(directory);
    expect(code).toBe(1);
    for (const sentence of [...expected, `tape/${bars}: `, `tape/${chains}: `])
      expect(stderr).toContain(sentence);
  });

  it('makes a service unready that nobody asks for what is damaged', async () => {
    const directory = damaged(files.table, PAGE, random(DAMAGE_BYTES));
    const { output } = startCommand(['serve'], {
      TIGRAPH_DATA_DIR: directory,
      PORT: '0',
      LOG_LEVEL: 'error',
    });
    await expect.poll(output, { timeout: 20_000 }).toContain('The database is damaged, see tigraph verify');
    const url = /http:\/\/[\d.:]+/.exec(output())![0];
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, ((await ready.json()) as { code: string }).code]).toEqual([503, 'data_damaged']);
  });

  it.each<[string, (cluster: string) => void, RegExp]>([
    [
      'PG_VERSION is missing',
      (cluster) => rmSync(join(cluster, 'PG_VERSION')),
      /without its file PG_VERSION/,
    ],
    [
      'PG_VERSION is foreign',
      (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '15\n'),
      /database of PostgreSQL 15/,
    ],
    [
      'pg_control is cut off',
      (cluster) => truncateSync(join(cluster, 'global', 'pg_control'), 100),
      /pg_control has 100 bytes/,
    ],
    [
      'the database is gone and the tape is not',
      (cluster) => rmSync(cluster, { recursive: true }),
      /holds a tape, and no database/,
    ],
  ])('ends in a sentence where %s', async (_what, spoil, sentence) => {
    const directory = temporaryDirectory();
    cpSync(whole, directory, { recursive: true });
    spoil(join(directory, 'postgres'));
    for (const words of [['sync'], ['verify']]) {
      const { code, stderr } = await callCommand(words, { TIGRAPH_DATA_DIR: directory });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(sentence);
      expect(stderr).toContain('Restore the newest backup');
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
