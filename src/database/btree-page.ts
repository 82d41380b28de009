import { PAGE_BYTES } from './page-checksum.ts';

/** What a page of a B-tree names, by the layout of `nbtree.h` and `itup.h`. */

const HEADER_BYTES = 24;
/** At the end of a page: left neighbour, right neighbour, level, flags. */
const OPAQUE_BYTES = 16;
const FLAGS_AT = 12;
const IS_LEAF = 1;
/** Deleted, meta and half-dead pages have no entries of rows. */
const IS_WITHOUT_ROWS = 0b1_1100;
/** An entry of several rows: the place of their list is where else the block is. */
const HAS_OTHER_TID = 0x2000;
const ROWS_OF_LIST = 0x0fff;
const POINTER_BYTES = 6;

/** The blocks that a page names as its neighbours; 0 for none. */
export function neighboursOf(pages: DataView, page: number): number[] {
  const opaque = (page + 1) * PAGE_BYTES - OPAQUE_BYTES;
  return [pages.getUint32(opaque, true), pages.getUint32(opaque + 4, true)];
}

/** The blocks of the table in which the rows of a sound page's entries lie. */
export function* rowBlocksOf(pages: DataView, page: number): Iterable<number> {
  const start = page * PAGE_BYTES;
  const opaque = start + PAGE_BYTES - OPAQUE_BYTES;
  const flags = pages.getUint16(opaque + FLAGS_AT, true);
  if ((flags & IS_LEAF) === 0 || (flags & IS_WITHOUT_ROWS) !== 0) return;
  const end = start + pages.getUint16(start + 12, true);
  // Where there is a right neighbour the first entry is a bound.
  const first = pages.getUint32(opaque + 4, true) === 0 ? 0 : 1;
  for (let line = start + HEADER_BYTES + first * 4; line < end; line += 4) {
    const entry = start + (pages.getUint32(line, true) & 0x7fff);
    if ((pages.getUint16(entry + POINTER_BYTES, true) & HAS_OTHER_TID) === 0) {
      yield blockAt(pages, entry);
      continue;
    }
    const rows = pages.getUint16(entry + 4, true) & ROWS_OF_LIST;
    const list = entry + blockAt(pages, entry);
    for (let row = 0; row < rows; row++) yield blockAt(pages, list + row * POINTER_BYTES);
  }
}

const blockAt = (pages: DataView, pointer: number): number =>
  pages.getUint16(pointer, true) * 65_536 + pages.getUint16(pointer + 2, true);
