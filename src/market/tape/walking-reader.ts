import { DAY_MS } from '../../base/calendar.ts';
import { SegmentReader } from './segment-reader.ts';
import { type Columns, isIntraday, rowAtOrAfter, type SeriesKind, sliceRows } from './series.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** Reads of intraday rows that are kept: those of a session and of the one before, of every kind that a view asks for. */
const KEPT_MAX = 8;

/**
 * Reads like any other, for one who walks over the sessions of one symbol after the other: daily rows are read once for
 * all sessions, and those of a session not again as the session before of the next.
 */
export class WalkingReader extends SegmentReader {
  #tape: SymbolTape | null = null;
  readonly #daily = new Map<SeriesKind, Columns>();
  readonly #intraday = new Map<string, Columns>();

  override rows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    if (tape !== this.#tape) {
      this.#tape = tape;
      this.#daily.clear();
      this.#intraday.clear();
    }
    if (!isIntraday(kind)) return this.#dailyRows(tape, kind, fromDay, toDay);
    const key = `${kind} ${fromDay} ${toDay}`;
    const kept = this.#intraday.get(key);
    if (kept !== undefined) return kept;
    const rows = super.rows(tape, kind, fromDay, toDay);
    this.#intraday.set(key, rows);
    if (this.#intraday.size > KEPT_MAX) this.#intraday.delete(this.#intraday.keys().next().value!);
    return rows;
  }

  #dailyRows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    const all = this.#daily.getOrInsertComputed(kind, () =>
      super.rows(tape, kind, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    );
    return sliceRows(
      all,
      rowAtOrAfter(all.time, fromDay * DAY_MS),
      rowAtOrAfter(all.time, (toDay + 1) * DAY_MS),
    );
  }
}
