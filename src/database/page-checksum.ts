/**
 * PostgreSQL's pages and their checksums, by the layout of `bufpage.h` and the algorithm of `checksum_impl.h`: 32 sums of
 * FNV-1a side by side over the words of a page.
 */
export const PAGE_BYTES = 8_192;

const WORDS = PAGE_BYTES / 4;
const FNV_PRIME = 16_777_619;
const ROUNDS_OF_ZEROS = 2;
/** The word whose lower half holds the checksum, which counts as zero. */
const CHECKSUM_WORD = 2;
const BASE = Uint32Array.of(
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
const LANES = BASE.length;
const sums = new Uint32Array(LANES);

function mix(lane: number, word: number): void {
  const mixed = sums[lane]! ^ word;
  sums[lane] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
}

/** The checksum of a page, 1 to 65535. @param words of whole pages @param block number of the page in its relation */
function checksumOf(words: Uint32Array, page: number, block: number): number {
  const from = page * WORDS;
  sums.set(BASE);
  for (let at = 0; at < WORDS; at++) {
    const word = words[from + at]!;
    mix(at % LANES, at === CHECKSUM_WORD ? word & 0xffff0000 : word);
  }
  for (let at = 0; at < ROUNDS_OF_ZEROS * LANES; at++) mix(at % LANES, 0);
  const folded = sums.reduce((all, sum) => all ^ sum, 0);
  return (((folded ^ block) >>> 0) % 65_535) + 1;
}

/** What a page is: `empty` has only zeros, as one that was appended and never written. */
export type PageState = 'sound' | 'empty' | 'damaged';

export function pageState(words: Uint32Array, page: number, block: number): PageState {
  const from = page * WORDS;
  if (words[from + CHECKSUM_WORD] === 0 && words.subarray(from, from + WORDS).every((word) => word === 0))
    return 'empty';
  const stored = words[from + CHECKSUM_WORD]! & 0xffff;
  return stored === checksumOf(words, page, block) ? 'sound' : 'damaged';
}
