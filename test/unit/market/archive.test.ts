import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  isTextFile,
  type TextFile,
  textFiles,
} from '../../../src/files/archive.ts';
import { LINE_BYTES_MAX, lineReader } from '../../../src/files/source-file.ts';
import type { Refused } from '../../../src/market/refusals.ts';
import { temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const folder = temporaryFolder();
const TEXT = 'date,close\n2024-01-02,1\n'.repeat(500);

async function opened(name: string, content: Uint8Array | string, limits: ArchiveLimits = ARCHIVE_LIMITS) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const found: (TextFile | Refused)[] = [];
  const texts: string[] = [];
  for await (const file of textFiles(path, name, limits)) {
    found.push(file);
    if (isTextFile(file)) texts.push(await textOf(file));
  }
  const refused = found.filter((file): file is Refused => !isTextFile(file));
  return { files: found.filter(isTextFile), refused, texts };
}

async function textOf(file: TextFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('readable archives', () => {
  it('reads the same bytes plain, gzipped, and zipped', async () => {
    expect((await opened('a.csv', TEXT)).texts).toEqual([TEXT]);
    expect((await opened('a.csv.gz', gzipSync(TEXT))).texts).toEqual([TEXT]);
    expect((await opened('a.zip', zipOf([{ name: 'a.csv', data: TEXT }]))).texts).toEqual([TEXT]);
  });

  it('reads gzip members that were joined, as log rotation does', async () => {
    const joined = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
    expect((await opened('joined.gz', joined)).texts).toEqual(['one\ntwo\n']);
  });

  it('names the entries of a zip that holds several and keeps their order', async () => {
    const zip = zipOf([
      { name: 'A.csv', data: 'a' },
      { name: 'deep/B.csv', data: 'b' },
    ]);
    const { files, texts } = await opened('two.zip', zip);
    expect(files.map(({ where, name }) => [where, name])).toEqual([
      ['two.zip/A.csv', 'A.csv'],
      ['two.zip/deep/B.csv', 'B.csv'],
    ]);
    expect(texts).toEqual(['a', 'b']);
  });

  it('passes over what file managers add', async () => {
    const zip = zipOf([
      { name: '__MACOSX/._A.csv', data: '\0\0' },
      { name: '.DS_Store', data: '\0' },
      { name: 'A.csv', data: 'a' },
    ]);
    const { files, refused } = await opened('mac.zip', zip);
    expect(files.map(({ name }) => name)).toEqual(['A.csv']);
    expect(refused).toEqual([]);
  });

  it('reads an entry that is larger than what it keeps in memory', async () => {
    const large = Buffer.alloc(40 * 2 ** 20, 'date,close\n2024-01-02,1.2345\n');
    const { refused, texts } = await opened('large.zip', zipOf([{ name: 'A.csv', data: large }]), {
      ...ARCHIVE_LIMITS,
      ratio: 2000,
    });
    expect(refused).toEqual([]);
    expect(texts.map((text) => text.length)).toEqual([large.length]);
  });
});

describe('damaged archives', () => {
  it('refuses a zip cut off anywhere', async () => {
    const zip = zipOf([{ name: 'A.csv', data: TEXT }]);
    for (const length of [4, 40, Math.floor(zip.length / 2), zip.length - 1]) {
      const { files, refused } = await opened('cut.zip', zip.subarray(0, length));
      expect(files).toEqual([]);
      expect(refused).toMatchObject([{ reason: 'broken_archive', where: 'cut.zip', count: 1 }]);
    }
  });

  it('refuses a gzip cut off anywhere without believing its first rows', async () => {
    const gzip = gzipSync(TEXT);
    for (const length of [2, 12, Math.floor(gzip.length / 2), gzip.length - 1]) {
      const { files, refused } = await opened('cut.csv.gz', gzip.subarray(0, length));
      expect(files).toEqual([]);
      expect(refused).toMatchObject([{ reason: 'broken_archive', where: 'cut.csv.gz' }]);
    }
  });

  it('refuses the entry whose bytes were changed and reads the others', async () => {
    const zip = zipOf([
      { name: 'A.csv', data: 'a,1\n'.repeat(100) },
      { name: 'B.csv', data: 'b' },
    ]);
    zip[36]! ^= 0x55;
    const { files, refused } = await opened('changed.zip', zip);
    expect(files.map(({ name }) => name)).toEqual(['B.csv']);
    expect(refused).toMatchObject([{ reason: 'broken_archive', where: 'changed.zip/A.csv' }]);
  });

  it('refuses an archive that is none, is empty, or holds nothing', async () => {
    for (const [name, content] of [
      ['text.csv.gz', TEXT],
      ['text.zip', TEXT],
      ['empty.zip', ''],
      ['nothing.zip', zipOf([])],
    ] as const) {
      const { files, refused } = await opened(name, content);
      expect(files).toEqual([]);
      expect(refused).toMatchObject([{ reason: 'broken_archive', where: name }]);
    }
  });
});

describe('hostile archives', () => {
  it('refuses an entry that names a place outside and reads the others', async () => {
    const zip = zipOf([
      { name: '../../escape.csv', data: 'x' },
      { name: '/etc/escape.csv', data: 'x' },
      { name: 'A.csv', data: 'a' },
    ]);
    const { files, refused } = await opened('escape.zip', zip);
    expect(files.map(({ name }) => name)).toEqual(['A.csv']);
    expect(refused.map(({ reason }) => reason)).toEqual(['broken_archive', 'broken_archive']);
  });

  it('stops at a bomb, in zip and gzip', async () => {
    const zeros = Buffer.alloc(64 * 2 ** 20);
    const zipped = await opened('bomb.zip', zipOf([{ name: 'A.csv', data: zeros }]));
    expect(zipped.refused).toMatchObject([{ reason: 'too_large' }]);
    const gzipped = await opened('bomb.csv.gz', gzipSync(zeros));
    expect(gzipped.refused).toMatchObject([{ reason: 'too_large' }]);
    expect([...zipped.files, ...gzipped.files]).toEqual([]);
  });

  it('stops where many harmless entries make one bomb', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({
      name: `${index}.csv`,
      data: Buffer.alloc(2 ** 20),
    }));
    const { files, refused } = await opened('many.zip', zipOf(entries));
    expect(files.length).toBe(16);
    expect(refused).toMatchObject([{ reason: 'too_large' }]);
  });

  it('does not unpack more than an entry states', async () => {
    const zip = zipOf([{ name: 'A.csv', data: Buffer.alloc(2 ** 20), statedBytes: 10 }]);
    const { files, refused } = await opened('liar.zip', zip);
    expect(files).toEqual([]);
    expect(refused).toMatchObject([{ reason: 'broken_archive' }]);
  });

  it('names what it cannot unpack: an encrypted entry, an unknown method, too many entries', async () => {
    const encrypted = await opened('locked.zip', zipOf([{ name: 'A.csv', data: 'a', flags: 1 }]));
    expect(encrypted.refused).toMatchObject([
      { reason: 'unknown_format', example: 'the entry is encrypted' },
    ]);
    const lzma = await opened('lzma.zip', zipOf([{ name: 'A.csv', data: 'a', method: 14 }]));
    expect(lzma.refused).toMatchObject([{ reason: 'unknown_format', example: 'compression method 14' }]);
    const three = zipOf(['a', 'b', 'c'].map((name) => ({ name, data: name })));
    const crowded = await opened('crowded.zip', three, { ...ARCHIVE_LIMITS, entries: 2 });
    expect(crowded.refused).toMatchObject([{ reason: 'too_large' }]);
  });
});

describe('lines', () => {
  function linesOf(text: string | Uint8Array, chunkBytes: number) {
    const lines: string[] = [];
    const tooLong: number[] = [];
    const bytes = Buffer.from(text);
    const reader = lineReader(
      (chunk, start, end, line) =>
        lines.push(`${line} ${Buffer.from(chunk.subarray(start, end)).toString()}`),
      (line) => tooLong.push(line),
    );
    for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
    reader.end();
    return { lines, tooLong };
  }

  it('cuts the same lines whatever the chunks, with any line ending and a byte-order mark', () => {
    for (const chunkBytes of [1, 2, 3, 7, 1000]) {
      expect(linesOf('\uFEFFone\r\ntwo\n\nfour\r\n\r\nsix', chunkBytes).lines).toEqual([
        '1 one',
        '2 two',
        '4 four',
        '6 six',
      ]);
    }
  });

  it('reports a line over the limit and reads on', () => {
    const text = `a\n${'x'.repeat(1_000_000)}\nc\n${'y'.repeat(LINE_BYTES_MAX)}\n`;
    for (const chunkBytes of [1000, 100_000, 2_000_000]) {
      const { lines, tooLong } = linesOf(text, chunkBytes);
      expect(tooLong).toEqual([2]);
      expect(lines.map((line) => line.slice(0, 3))).toEqual(['1 a', '3 c', '4 y']);
    }
  });
});
