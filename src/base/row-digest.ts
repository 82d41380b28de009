import { hash } from 'node:crypto';

const LANES = 4;

/**
 * Names a set of rows in any order: the sums of the four quarters of their SHA-256, each modulo 2^64. Two stores that
 * sort texts differently agree on it, and no one has to sort.
 */
export class RowDigest {
  readonly #sums = new BigUint64Array(LANES);
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  add(row: string): void {
    const digest = hash('sha256', row, 'buffer');
    for (let lane = 0; lane < LANES; lane++) this.#sums[lane]! += digest.readBigUInt64LE(8 * lane);
    this.#rows++;
  }

  /** Hexadecimal. */
  toString(): string {
    return Buffer.from(this.#sums.buffer).toString('hex');
  }
}
