import type { Members } from '../json.ts';

/**
 * Where a source writes what of a contract: names of columns in lower case, or paths of members as `cellsOfMembers` reads
 * them. A source names the contract by its symbol, or by expiration, strike and right. What it does not state is left out.
 */
export interface ContractNames {
  readonly symbol?: string;
  readonly root?: string;
  readonly expiration?: string;
  readonly strike?: string;
  readonly right?: string | 1 | -1;
  /** Shares of a contract, or `REGULAR`. */
  readonly size?: string;
  readonly bid?: string;
  readonly ask?: string;
  readonly last?: string;
  readonly volume?: string;
  /** The time of the day's bar that has the volume, where that may be an older day. */
  readonly volumeTime?: string;
  readonly openInterest?: string;
  readonly iv?: string;
  readonly isIvPercent?: boolean;
  readonly delta?: string;
  readonly gamma?: string;
}

/** How a source writes chains. */
export interface ChainLayout {
  /** Who writes it, as people call it. */
  readonly source: string;
  /** The contracts of a row: one, or the call and the put of a strike. */
  readonly contracts: readonly ContractNames[];
  /** The symbol of the underlying; without it that of the contract's root. */
  readonly underlying?: string;
  /** That symbol itself, where no row has it. */
  readonly symbol?: string;
  readonly price?: string;
  readonly style?: string;
  /** Times of what the chain holds: it counts from the newest. */
  readonly times: readonly string[];
  /** Whether times without a zone are of UTC. */
  readonly isUtc?: boolean;
  /** The New York time of a trade, which no chain precedes. */
  readonly traded?: string;
  /** The trade date of a row; an instant that the caller states must lie on it. */
  readonly day?: string;
  /** How long after the newest of `times` the quotes were delivered, at the least. */
  readonly delayMs?: number;
  /** Columns that tell apart the chains of a symbol, whose rows follow each other; `[]`: the instant. Without it a file has one. */
  readonly key?: readonly string[];
}

/** A layout of tables, recognised by the columns that it must have. */
export interface ChainTable extends ChainLayout {
  readonly columns: readonly string[];
  /** The symbol in the name of a file whose rows have none. */
  readonly symbolIn?: (fileName: string) => string | null;
  /** Why a header that has the columns is refused all the same, as a sentence; null when it is not. */
  readonly faultOf?: (names: readonly string[]) => string | null;
}

/** A layout of JSON objects. */
export interface ChainJson extends ChainLayout {
  /** The contracts of an object of this layout; null for an object of another. */
  readonly contractsIn: (file: Members) => readonly unknown[] | null;
}
