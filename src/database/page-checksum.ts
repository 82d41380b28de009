/** Bytes of a page of a relation. */
export const PAGE_BYTES = 8_192;

/** Algorithm and constants are PostgreSQL's: `src/include/storage/checksum_impl.h`, a parallel FNV-1a hash. */
const SUMS = 32;
const FNV_PRIME = 16_777_619;
const BASE_OFFSETS = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
);
/** Word and 16-bit half of the page header that hold the checksum itself. */
const CHECKSUM_WORD = 2;
const CHECKSUM_HALF = 4;

/**
 * The checksum that belongs into the header of a page. Needs a machine of little-endian order, as the embedded server.
 *
 * @param words the page as 2,048 words
 * @param block number of the page in its relation
 */
function checksumOf(words: Uint32Array, block: number): number {
  const sums = Int32Array.from(BASE_OFFSETS);
  for (let row = 0; row < words.length + 2 * SUMS; row += SUMS) {
    for (let at = 0; at < SUMS; at++) {
      // Two rows of zeros follow the page.
      const word = row >= words.length ? 0 : words[row + at]!;
      const mixed = sums[at]! ^ (row + at === CHECKSUM_WORD ? word & 0xffff_0000 : word);
      sums[at] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
    }
  }
  const folded = sums.reduce((all, sum) => all ^ sum, block) >>> 0;
  return (folded % 65_535) + 1;
}

/**
 * Whether a page holds what PostgreSQL wrote.
 *
 * @param page 8,192 bytes, at a multiple of four in their memory
 */
export function isIntact(page: Uint8Array, block: number): boolean {
  const words = new Uint32Array(page.buffer, page.byteOffset, PAGE_BYTES / 4);
  const stored = new Uint16Array(page.buffer, page.byteOffset, PAGE_BYTES / 2)[CHECKSUM_HALF]!;
  return checksumOf(words, block) === stored;
}
