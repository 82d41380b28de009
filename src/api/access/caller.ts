import { CodedError } from '../../base/errors.ts';
import { mayName, type Viewer } from './viewer.ts';
import type { Scope } from './scopes.ts';

/** Whose calls are counted and written down: the holder of a token, or a client that asks for one. */
export interface Holder {
  readonly clientId: string;
  readonly grantId: string | null;
  readonly agentId: string;
  /** Calls that the grant allows in a minute and in a day; null for no limit. */
  readonly callsPerMinute: number | null;
  readonly callsPerDay: number | null;
}

/** A viewer with a name: which feed is seen, what may be asked, and in whose name. */
export interface Caller extends Viewer {
  /** Null for a caller without a token. */
  readonly holder: Holder | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** A caller without a token: the delayed feed, every symbol, nothing to count. */
export const anonymousCaller = (delayMs: number): Caller => ({
  source: 'delayed',
  delayMs,
  holder: null,
  scopes: new Set(),
  symbols: null,
});

/**
 * For operations whose symbols do not stand in the address.
 *
 * @param symbols in capitals
 * @throws CodedError symbol_not_granted
 */
export function requireSymbols(caller: Caller, symbols: Iterable<string>): void {
  for (const symbol of symbols) {
    if (!mayName(caller, symbol)) {
      throw new CodedError('symbol_not_granted', `The grant does not cover ${symbol}`);
    }
  }
}
