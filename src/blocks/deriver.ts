import type { ErrorCode } from '../base/errors.ts';
import type { StockDay } from '../base/stock-day.ts';
import type { SymbolTape } from '../market/tape/symbol-tape.ts';

/** Stock-days of one symbol to derive, each as of an instant. */
export interface DeriveJob {
  readonly tape: SymbolTape;
  readonly days: readonly { readonly tradeDate: string; readonly asOf: number }[];
}

/** One derived stock-day. */
export interface DerivedDay extends StockDay {
  readonly kind: 'derived';
}

/** The symbol has no bar of that date that was final by then. Neighbouring dates with one, where there are any. */
export interface MissingDay {
  readonly kind: 'missing';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The derivation of this day broke: a defect or a damaged tape, kept to the one day that it concerns. */
export interface FailedDay {
  readonly kind: 'failed';
  readonly symbol: string;
  readonly tradeDate: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type DayOutcome = DerivedDay | MissingDay | FailedDay;

/** Runs derivations away from the event loop. Aborting ends the work itself, not only the wait for it. */
export interface Deriver {
  derive(jobs: readonly DeriveJob[], options?: { readonly signal?: AbortSignal }): Promise<DayOutcome[]>;
  close(): Promise<void>;
}
