import { LRUCache } from 'lru-cache';
import { Changes } from '../../base/kept-until.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { StockDayName } from '../../derive/stock-day.ts';

/** Some seven hundred stocks. */
const BYTES_MAX = 32 * 1_048_576;

/** A derived stock-day of a running session. */
interface NewestDay extends StockDayName {
  readonly asOf: number;
  /** Block name to wire JSON, of every block. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Answers of the newest minute of stocks, whose running session stores numbers alone, until the next one is announced. */
export class NewestDays {
  readonly #days = new LRUCache<string, NewestDay>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ facts }) => Object.values(facts).reduce((sum, { length }) => sum + length, 1),
  });
  readonly #changes = new Changes();

  constructor(metrics: Metrics) {
    metrics.gauge(
      'tigraph_newest_days_bytes',
      'Answers of the newest minute that are kept, bytes.',
      () => this.#days.calculatedSize,
    );
  }

  get(symbol: string, { tradeDate, asOf }: Omit<NewestDay, 'symbol' | 'facts'>): NewestDay['facts'] | null {
    const day = this.#days.get(symbol);
    return day?.tradeDate === tradeDate && day.asOf === asOf ? day.facts : null;
  }

  /** Before the tape is read: tells of each of some stocks whether what is derived from it may be kept. */
  keptUntil(symbols: readonly string[]): (symbol: string) => boolean {
    const current = new Map(symbols.map((symbol) => [symbol, this.#changes.keptUntil(symbol)]));
    return (symbol) => current.get(symbol)!();
  }

  keep(day: NewestDay): void {
    this.#days.set(day.symbol, day);
  }

  /** @param symbols null for all */
  announce(symbols: readonly string[] | null): void {
    this.#changes.note(symbols);
    if (symbols === null) this.#days.clear();
    else for (const symbol of symbols) this.#days.delete(symbol);
  }
}
