import { crc32 } from 'node:zlib';
import { isCoded } from '../base/errors.ts';
import type { Queryable } from '../database/database.ts';
import type { SegmentKind } from '../market/series.ts';
import { bodyLength } from '../tape/segment-file.ts';
import type { FileStore } from './file-store.ts';

/** A segment file as the manifest describes it. */
export interface DescribedFile {
  readonly file: string;
  readonly bytes: number;
  /** In the order of their bytes. */
  readonly slices: readonly DescribedSlice[];
}

interface DescribedSlice {
  /** Symbol, and what of it. */
  readonly name: string;
  readonly kind: SegmentKind;
  readonly bodyOffset: number;
  readonly rows: number;
  /** CRC-32 of its bytes. */
  readonly checksum: number;
}

export async function readDescribedFiles(database: Queryable): Promise<DescribedFile[]> {
  const rows = await database.query<Omit<DescribedFile, 'slices'> & { slices: DescribedSlice[] | null }>(
    `select g.file, g.bytes, (
       select json_agg(json_build_object('name', s.name, 'kind', s.kind, 'bodyOffset', s.body_offset, 'rows', s.rows,
         'checksum', s.checksum) order by s.body_offset)
       from (select symbol || ' ' || kind as name, kind, body_offset, rows, checksum from tape_slice where segment_id = g.id
         union all select symbol || ' chains', g.kind, body_offset, rows, checksum from chain_slice where segment_id = g.id
       ) s) as slices
     from tape_segment g order by g.id`,
  );
  return rows.map(({ slices, ...file }) => ({ ...file, slices: slices ?? [] }));
}

/**
 * What is wrong with a segment file, in a few words; null where it holds what the manifest says. Between the slices are the
 * descriptions that Arrow's readers need; of those only the length counts.
 *
 * @throws CodedError tape_unavailable
 */
export async function faultOfFile(tape: FileStore, described: DescribedFile): Promise<string | null> {
  const checksums = described.slices.map(() => 0);
  let at = 0;
  let first = 0;
  try {
    for await (const piece of tape.read(described.file)) {
      const end = at + piece.length;
      for (let index = first; index < described.slices.length; index++) {
        const { from, to } = rangeOf(described.slices[index]!);
        if (from >= end) break;
        if (to <= end) first = index + 1;
        const part = piece.subarray(Math.max(0, from - at), Math.min(piece.length, to - at));
        checksums[index] = crc32(part, checksums[index]!);
      }
      at = end;
    }
  } catch (error) {
    if (isCoded(error) && error.code !== 'tape_damaged') throw error;
    return `cannot be read: ${(error as Error).message}`;
  }
  if (at !== described.bytes) return `has ${at} bytes in place of ${described.bytes}`;
  const changed = described.slices.filter(({ checksum }, index) => checksum !== checksums[index]);
  if (changed.length === 0) return null;
  const others = changed.length === 1 ? '' : ` and ${changed.length - 1} more`;
  return `does not hold what was written: ${changed[0]!.name}${others}`;
}

const rangeOf = ({ bodyOffset: from, kind, rows }: DescribedSlice) => ({
  from,
  to: from + bodyLength(kind, rows),
});
