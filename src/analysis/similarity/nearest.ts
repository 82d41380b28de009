import { type KernelMemory, kernelMemory, openKernels, PAGE_BYTES } from '../kernels/kernels.ts';
import { STATE_WIDTH } from './states.ts';

/** Rows that the states of a calendar year may take. */
export const YEAR_ROWS = 256;
/** Years of a block. */
export const BLOCK_YEARS = 512;
export const BLOCK_ROWS = BLOCK_YEARS * YEAR_ROWS;
const STATE_BYTES = STATE_WIDTH * Int16Array.BYTES_PER_ELEMENT;
const [DAYS, RANKS] = [BLOCK_ROWS * STATE_BYTES, BLOCK_ROWS * (STATE_BYTES + 4)];
const BLOCK_PAGES = Math.ceil((RANKS + BLOCK_YEARS * 4) / PAGE_BYTES);
export const BLOCK_BYTES = BLOCK_PAGES * PAGE_BYTES;

/** States side by side, `YEAR_ROWS` for each year of a stock; what a year does not fill is left empty. */
export interface StateBlock {
  /** `STATE_WIDTH` whole numbers of -10,000 to 10,000 a row. */
  readonly states: Int16Array;
  /** Day of each row, since 1970-01-01; 0 where it is empty. */
  readonly days: Int32Array;
  /** For each year the place of its stock in the order of names. */
  readonly ranks: Int32Array;
}

/** Blocks in memory that threads share, behind a page that a search writes into: one search at a time. */
export interface StateMemory {
  readonly memory: KernelMemory;
  readonly blocks: number;
}

export const openStateMemory = (blocksMax: number): StateMemory => ({
  memory: kernelMemory(PAGE_BYTES, PAGE_BYTES + blocksMax * BLOCK_BYTES),
  blocks: 0,
});

/** The same memory with one block more. */
export function addBlock({ memory, blocks }: StateMemory): StateMemory {
  memory.grow(BLOCK_PAGES);
  return { memory, blocks: blocks + 1 };
}

const addressOf = (block: number): number => PAGE_BYTES + block * BLOCK_BYTES;

export function blockAt({ memory: { buffer } }: StateMemory, block: number): StateBlock {
  const address = addressOf(block);
  return {
    states: new Int16Array(buffer, address, BLOCK_ROWS * STATE_WIDTH),
    days: new Int32Array(buffer, address + DAYS, BLOCK_ROWS),
    ranks: new Int32Array(buffer, address + RANKS, BLOCK_YEARS),
  };
}

/** The rows nearest to a state, nearest first. */
export interface NearestRows {
  /** Rows that were compared. */
  readonly candidates: number;
  /** Counted through all blocks. */
  readonly rows: Float64Array;
  /** Squared distances, whole numbers. */
  readonly squares: Float64Array;
}

/** In the first page: the state, then what the kernel writes: a count, and two numbers for each row. */
const [OWN, OUT] = [0, STATE_BYTES];
/** The largest of 32 bits. */
const DAY_MAX = 2_147_483_647;
/** Rows of one call, whose results fit the page. The largest distance that counts falls between calls. */
const CALL_ROWS = 2_048;

/**
 * The rows up to a day that are nearest to a state; every row is compared. Distances are sums of squares of integers,
 * exact in any order of summation; equal ones go by day, then by name, so the result does not depend on the order of
 * the rows.
 *
 * @param own `STATE_WIDTH` integers
 * @param until the last day that counts
 * @param count maximum number of rows
 */
export function nearestRows(states: StateMemory, own: Int16Array, until: number, count: number): NearestRows {
  const { nearest } = openKernels(states.memory);
  const { buffer } = states.memory;
  new Int16Array(buffer, OWN, STATE_WIDTH).set(own);
  const found = new Float64Array(buffer, OUT, 1 + 2 * CALL_ROWS);
  const best = new Best(count);
  let candidates = 0;
  for (let block = 0; block < states.blocks; block++) {
    const { days, ranks } = blockAt(states, block);
    const address = addressOf(block);
    for (let from = 0; from < BLOCK_ROWS; from += CALL_ROWS) {
      const [ofStates, ofDays] = [address + STATE_BYTES * from, address + DAYS + 4 * from];
      const written = nearest(ofStates, ofDays, CALL_ROWS, OWN, Math.min(until, DAY_MAX), best.worst, OUT);
      candidates += found[0]!;
      for (let at = 0; at < written; at++) {
        const [row, square] = [from + found[1 + 2 * at]!, found[2 + 2 * at]!];
        if (square > best.worst) continue;
        best.add(square, days[row]!, ranks[Math.floor(row / YEAR_ROWS)]!, block * BLOCK_ROWS + row);
      }
    }
  }
  return { candidates, rows: best.rows(), squares: best.squares() };
}

class Best {
  readonly #count: number;
  readonly #rows: { square: number; day: number; rank: number; row: number }[] = [];
  /** Distance beyond which a row is not among the best. */
  worst = Number.POSITIVE_INFINITY;

  constructor(count: number) {
    this.#count = count;
  }

  add(square: number, day: number, rank: number, row: number): void {
    const best = this.#rows;
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle]!;
      const isAfter = other.square - square || other.day - day || other.rank - rank;
      if (isAfter > 0) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, { square, day, rank, row });
    if (best.length > this.#count) best.pop();
    if (best.length === this.#count) this.worst = best.at(-1)!.square;
  }

  rows = (): Float64Array => Float64Array.from(this.#rows, ({ row }) => row);
  squares = (): Float64Array => Float64Array.from(this.#rows, ({ square }) => square);
}
