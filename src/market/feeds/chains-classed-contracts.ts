import { ContractColumnBuilder, type ContractColumns, type ContractRow } from '../chains.ts';

/**
 * The contracts of one underlying, gathered in any order. Where an index has two classes of one expiration, strike and
 * right (`SPX`, settled at the open, and `SPXW`, settled at the close), they are one contract here: quoted as the class
 * that settles at the close, with the volume and open interest of both, so that what is summed over a chain is whole and
 * what is priced to the close is what was quoted to it.
 */
export class ClassedContracts {
  /** The class that settles at the open, by the plain name of its index. */
  readonly #morning: string;
  readonly #rows: { root: string; row: ContractRow }[] = [];
  /** Rows of the underlying's own class and of others, by contract; only built once there are others. */
  readonly #placeOf = new Map<string, number>();

  constructor(underlying: string) {
    this.#morning = underlying.replace('^', '');
  }

  get rows(): number {
    return this.#rows.length;
  }

  add(root: string, row: ContractRow): void {
    const key = `${row.expiration} ${row.strike} ${row.right}`;
    const place = this.#placeOf.get(key);
    const known = place === undefined ? undefined : this.#rows[place]!;
    if (known === undefined || known.root === root) {
      // The validation refuses what one class repeats.
      if (known === undefined) this.#placeOf.set(key, this.#rows.length);
      this.#rows.push({ root, row });
      return;
    }
    const quoted = root === this.#morning ? known : { root, row };
    this.#rows[place!] = {
      root: quoted.root,
      row: {
        ...quoted.row,
        volume: sumOfKnown(known.row.volume, row.volume),
        openInterest: sumOfKnown(known.row.openInterest, row.openInterest),
      },
    };
  }

  take(): ContractColumns {
    const builder = new ContractColumnBuilder();
    for (const { row } of this.#rows) builder.push(row);
    return builder.take();
  }
}

const sumOfKnown = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);
