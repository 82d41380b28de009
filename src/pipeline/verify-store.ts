import { join } from 'node:path';
import pg from 'pg';
import { isCoded } from '../base/errors.ts';
import { type DamagedPage, damagedPages } from '../database/cluster-pages.ts';
import { type Database, hasCluster, type Queryable } from '../database/database.ts';
import { CLUSTER, refuseIncomplete } from '../database/embedded-host.ts';
import type { SegmentLocation } from '../market/segments/segment-store.ts';
import { type PlacedSlice, SegmentReader } from '../market/tape/index.ts';
import type { OnStep } from './take-backup.ts';

/** What was read of a part of a store, and what of it is damaged: a sentence each. */
export interface Checked {
  readonly read: number;
  readonly damage: readonly string[];
}

/** Pages of a table that one statement reads: on the embedded database all others wait for it. */
const PAGES_AT_ONCE = 1_000;

/**
 * Compares the pages of an embedded database with their checksums, whether its server runs or not. Names relations by
 * their files: the database need not start.
 *
 * @throws CodedError data_directory_unusable
 */
export async function verifyPages(dataDirectory: string, onStep: OnStep = () => {}): Promise<Checked> {
  refuseIncomplete(dataDirectory);
  if (!hasCluster(dataDirectory)) return { read: 0, damage: [] };
  let read = 0;
  const found: DamagedPage[] = [];
  const pages = damagedPages(join(dataDirectory, CLUSTER), (done, file) => {
    read = done;
    onStep({ done, total: done, detail: `pages of ${file}` });
  });
  for await (const page of pages) found.push(page);
  const damage = Array.from(
    Map.groupBy(found, ({ file, what }) => `${file}\n${what}`).values(),
    (same) =>
      `${CLUSTER}/${same[0]!.file}: ${same.length === 1 ? 'page' : `${same.length} pages, the first`} ${same[0]!.block} ${same[0]!.what}`,
  );
  return { read, damage };
}

/** The relation of a file of `verifyPages`; the sentence unchanged where the database does not know it. */
export async function named(database: Queryable, sentence: string): Promise<string> {
  const file = /\/(\d+)(?:_\w+)?(?:\.\d+)?:/.exec(sentence)?.[1];
  if (file === undefined) return sentence;
  const [row] = await database.query<{ name: string | null }>(
    'select pg_filenode_relation(0, $1::oid)::text as name',
    [file],
  );
  return row?.name ? `${row.name}, ${sentence}` : sentence;
}

/** Reads every row of every table, with what of it is stored apart. */
export async function verifyRows(database: Queryable, onStep: OnStep = () => {}): Promise<Checked> {
  const tables = await database.query<{ name: string; pages: number }>(
    `select relname::text as name, (pg_relation_size(oid) / 8192)::integer as pages from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  );
  let read = 0;
  const damage: string[] = [];
  for (const [done, { name, pages }] of tables.entries()) {
    onStep({ done, total: tables.length, detail: `rows of ${name}` });
    try {
      for (let page = 0; page <= pages; page += PAGES_AT_ONCE) {
        const [row] = await database.query<{ rows: number }>(
          `select count(t::text) as rows from ${pg.escapeIdentifier(name)} t
           where ctid >= $1::tid and ctid < $2::tid`,
          [`(${page},0)`, `(${page + PAGES_AT_ONCE},0)`],
        );
        read += row!.rows;
      }
    } catch (error) {
      if (isCoded(error, 'database_unavailable')) throw error;
      damage.push(`table ${name} cannot be read: ${(error as Error).cause ?? (error as Error).message}`);
    }
  }
  return { read, damage };
}

/** Compares everything in the files of the tape with the checksums of the manifest. */
export async function verifyTape(
  database: Database,
  location: SegmentLocation,
  onStep: OnStep = () => {},
): Promise<Checked> {
  const slices = await database.query<PlacedSlice>(
    `select g.file, s.* from tape_segment g join (
       select segment_id as "segmentId", kind, body_offset as "bodyOffset", rows, checksum from tape_slice
       union all
       select segment_id, 'chains', body_offset, rows, checksum from chain_slice) s on s."segmentId" = g.id
     order by g.id, s."bodyOffset"`,
  );
  const files = [...Map.groupBy(slices, ({ file }) => file)];
  const damage: string[] = [];
  const reader = new SegmentReader(location);
  try {
    for (const [done, [file, own]] of files.entries()) {
      onStep({ done, total: files.length, detail: `file ${file}` });
      try {
        await reader.fetchAhead(() => own);
        for (const slice of own) reader.check(slice);
      } catch (error) {
        if (!isCoded(error, 'tape_damaged')) throw error;
        damage.push(`tape/${file}: ${error.message}`);
      }
    }
  } finally {
    reader.close();
  }
  return { read: files.length, damage };
}
