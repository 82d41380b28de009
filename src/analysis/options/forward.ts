import type { Dividends } from './binomial-tree.ts';

/** The columns of a chain that parity is read from; see market/chains.ts. */
export interface QuoteColumns {
  readonly strike: Float64Array;
  /** 1 for a call, -1 for a put. */
  readonly right: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
}

/** What is known of an expiration before its quotes are read. */
export interface ForwardInputs {
  /** NaN when it is not known. */
  readonly spot: number;
  readonly years: number;
  /** Continuously compounded rate a year, decimal; used unless European quotes tell their own. NaN: not known. */
  readonly rate: number;
  readonly style: 'american' | 'european';
  /** Dividends with an ex-date in the life of the contracts; null when nothing is known of them. */
  readonly dividends: Dividends | null;
}

/** Forward and discount of one expiration, and where they come from. */
export interface ImpliedForward {
  readonly forward: number;
  readonly discount: number;
  /** Strikes at which both rights were quoted on both sides and that were used. */
  readonly pairs: number;
  /**
   * `parity`: forward and rate from the quotes; `parity_at_rate`: the forward from the quotes at the given rate;
   * `dividends`: spot less dividends at the given rate; `spot`: spot at the given rate; `none`: NaN.
   */
  readonly source: 'parity' | 'parity_at_rate' | 'dividends' | 'spot' | 'none';
}

/** Forward and discount of the rows `from` to `to` (exclusive), which are of one expiration, in order of strike. */
export function impliedForward(
  quotes: QuoteColumns,
  from: number,
  to: number,
  inputs: ForwardInputs,
): ImpliedForward {
  return { forward: Number.NaN * (quotes.strike.length + from + to), discount: inputs.rate, pairs: 0, source: 'none' };
}
