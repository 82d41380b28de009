import type { Session } from '../../base/calendar.ts';
import { DAY_MS, midnightUtc } from '../../base/calendar.ts';
import type { RunningBatch } from './commit.ts';
import type { BarSoFar } from './market-tapes.ts';
import { packFacts } from './packed-facts.ts';
import { barsFinalAt, regularBar } from './read-view.ts';
import { RunningColumns } from './running-columns.ts';
import { asBars, columnsOf, type SeriesKind } from './series.ts';
import type { RunningRows, SymbolTape } from './symbol-tape.ts';

/** What is held of one symbol. */
interface Held {
  /** Its tape with the facts that can matter during the session, packed, and without running rows. */
  readonly tape: SymbolTape;
  /** When each of the facts becomes known, ascending. */
  readonly factTimes: Float64Array;
  readonly rows: Map<SeriesKind, RunningColumns>;
}

/** Symbols that are read from the database in one statement. */
const SYMBOLS_AT_ONCE = 200;

/**
 * The tapes of a running session's symbols in the process that writes them, so that no row of the day is read back minute
 * after minute. A symbol is read when it is first asked for and again after somebody else has written of it.
 */
export class RunningCache {
  readonly #session: Session;
  readonly #read: (symbols: readonly string[]) => Promise<SymbolTape[]>;
  readonly #held = new Map<string, Held>();
  readonly #stale = new Set<string>();

  /** @param read the tapes of symbols as they are in the database, with running rows and facts */
  constructor(session: Session, read: (symbols: readonly string[]) => Promise<SymbolTape[]>) {
    this.#session = session;
    this.#read = read;
  }

  /** Adds rows that are on the tape by now; those of symbols that are not held will be read with them. */
  put(batches: readonly RunningBatch[], simulated: boolean): void {
    for (const { symbol, kind, columns } of batches) {
      const held = this.#held.get(symbol);
      if (held === undefined || this.#stale.has(symbol)) continue;
      held.rows.getOrInsertComputed(kind, () => new RunningColumns(kind)).put(columns, simulated);
    }
  }

  /** The symbols' tapes are no longer what is held; null: nobody's is. Answers those that were held. */
  forget(symbols: readonly string[] | null): string[] {
    const held =
      symbols === null ? [...this.#held.keys()] : symbols.filter((symbol) => this.#held.has(symbol));
    for (const symbol of held) this.#stale.add(symbol);
    return held;
  }

  /** The tapes of the symbols that the tape knows, in their order. */
  async tapes(symbols: readonly string[]): Promise<SymbolTape[]> {
    const missing = symbols.filter((symbol) => !this.#held.has(symbol) || this.#stale.has(symbol));
    for (let at = 0; at < missing.length; at += SYMBOLS_AT_ONCE) {
      await this.#hold(missing.slice(at, at + SYMBOLS_AT_ONCE));
    }
    return symbols.flatMap((symbol) => {
      const held = this.#held.get(symbol);
      return held === undefined ? [] : [{ ...held.tape, running: runningOf(held) }];
    });
  }

  /** Symbols of which a fact or an option chain that is held becomes known after one instant, up to and including the other. */
  becomingKnown(after: number, until: number): string[] {
    const symbols: string[] = [];
    for (const [symbol, { tape, factTimes }] of this.#held) {
      const fact = factTimes.findLast((knownAt) => knownAt <= until) ?? after;
      const chain = tape.chains.findLast(({ takenAt }) => takenAt <= until)?.takenAt ?? after;
      if (Math.max(fact, chain) > after) symbols.push(symbol);
    }
    return symbols;
  }

  /** The running rows of a symbol; none of one that is not held. */
  running(symbol: string): RunningRows[] {
    const held = this.#held.get(symbol);
    return held === undefined ? [] : runningOf(held);
  }

  /**
   * What the regular session of a symbol has come to at an instant, from the finest interval that has a bar since the
   * pre-market; null before its first regular trade.
   */
  barSoFar(symbol: string, asOf: number): BarSoFar | null {
    const held = this.#held.get(symbol);
    if (held === undefined) return null;
    const { tradeDate } = this.#session;
    const day = midnightUtc(tradeDate) / DAY_MS;
    for (const interval of ['1m', '5m'] as const) {
      const rows = held.rows.get(`bars-${interval}`)?.rows();
      if (rows === undefined) continue;
      const columns = columnsOf(rows.kind, (_, index) => rows.columns[index]!);
      const bars = barsFinalAt(columns, interval, this.#session, asOf);
      if (bars === null) continue;
      const bar = regularBar(asBars(bars), this.#session, day);
      return bar === null ? null : { tradeDate, high: bar.high, low: bar.low, close: bar.close };
    }
    return null;
  }

  async #hold(symbols: readonly string[]): Promise<void> {
    for (const symbol of symbols) this.#stale.delete(symbol);
    for (const tape of await this.#read(symbols)) {
      const rows = new Map<SeriesKind, RunningColumns>();
      for (const { kind, simulated, columns } of tape.running) {
        const kept = new RunningColumns(kind);
        kept.put(
          columnsOf(kind, (_, index) => columns[index]!),
          simulated,
        );
        rows.set(kind, kept);
      }
      const factTimes = Float64Array.from(tape.facts, ({ knownAt }) => knownAt);
      this.#held.set(tape.symbol, { tape: packFacts({ ...tape, running: [] }), factTimes, rows });
    }
  }
}

const runningOf = ({ rows }: Held): RunningRows[] => Array.from(rows.values(), (columns) => columns.rows());
