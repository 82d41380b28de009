import { LRUCache } from 'lru-cache';
import { Changes } from '../../base/kept-until.ts';
import type { Scope } from '../../base/scope.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Change } from '../../database/changes.ts';
import type { ScreenRow, StockDayName } from '../../derive/stock-day.ts';

export type RowValues = Pick<ScreenRow, 'catalogue' | 'packed' | 'texts'>;

/** A stock-day as of an instant; final as of the end of its trade date. */
export interface HistoryDay extends StockDayName {
  readonly asOf: number;
  readonly isFinal: boolean;
}

/** How far a derivation in the background has come. */
export interface Derivation {
  readonly days: readonly HistoryDay[];
  derived: number;
}

/** The row of a day, and whether its session had been measured against the peers of the stock. */
export interface DerivedRow {
  readonly row: RowValues;
  readonly hasPeers: boolean;
}

interface KeptRow extends HistoryDay, DerivedRow {}

/** A year of some forty stocks. */
const BYTES_MAX = 48 * 1_048_576;
const KEY_BYTES = 300;
/** Stocks whose histories are derived or wait for it; others are derived when they are asked for again. */
const DERIVATIONS_MAX = 16;

/**
 * Rows of stock-days that no pass has stored, derived for histories, in memory: a read must not decide which stocks a
 * screen of a past date finds. A change of the tape drops them, but a minute of the running session only what is not final.
 */
export class HistoryRows {
  readonly #scope: Scope;
  readonly #onError: (error: unknown) => void;
  readonly #rows = new LRUCache<string, KeptRow>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ row }) => row.packed.byteLength + row.texts.length + KEY_BYTES,
  });
  readonly #derivations = new Map<string, Derivation>();
  readonly #oneByOne = new Semaphore(1, DERIVATIONS_MAX);
  readonly #changes = new Changes();

  constructor(scope: Scope, onError: (error: unknown) => void) {
    this.#scope = scope;
    this.#onError = onError;
  }

  get(day: HistoryDay): DerivedRow | undefined {
    return this.#rows.get(keyOf(day));
  }

  /** Before the tape is read: tells whether what is derived from it may be kept. */
  keptUntil(): () => boolean {
    return this.#changes.keptUntil();
  }

  keep(day: HistoryDay, derived: DerivedRow, isCurrent: () => boolean): void {
    if (isCurrent()) this.#rows.set(keyOf(day), { ...day, ...derived });
  }

  derivationOf(symbol: string): Derivation | null {
    return this.#derivations.get(symbol) ?? null;
  }

  /**
   * Derives days of a stock in the background, one stock at a time.
   *
   * @param derive calls back after each day
   * @returns null where too many stocks wait
   */
  begin(
    symbol: string,
    days: readonly HistoryDay[],
    derive: (signal: AbortSignal, onDay: () => void) => Promise<void>,
  ): Derivation | null {
    if (this.#derivations.size >= DERIVATIONS_MAX) return null;
    const derivation = { days, derived: 0 };
    this.#derivations.set(symbol, derivation);
    const onDay = (): void => void derivation.derived++;
    void this.#scope
      .run(`history of ${symbol}`, ({ signal }) => this.#oneByOne.run(() => derive(signal, onDay)))
      .catch((error) => {
        if (!this.#scope.signal.aborted) this.#onError(error);
      })
      .finally(() => this.#derivations.delete(symbol));
    return derivation;
  }

  announce({ symbols, dates, origin }: Change): void {
    if (dates === null && origin === null) {
      this.#changes.note(null);
      this.#rows.clear();
      return;
    }
    for (const [key, { symbol, tradeDate, isFinal }] of this.#rows.entries()) {
      const isNamed = symbols === null || symbols.includes(symbol);
      if (isNamed && (dates === null ? !isFinal : dates.includes(tradeDate))) this.#rows.delete(key);
    }
  }
}

const keyOf = ({ symbol, tradeDate, asOf }: HistoryDay): string => `${symbol}|${tradeDate}|${asOf}`;
