import type { Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { nextTurn } from '../../base/timers.ts';
import { GrowingColumns } from '../../market/column-builder.ts';
import type { Delivery } from '../../market/feed.ts';
import { FlowSums, LeeReady, type PrintSide } from '../../market/flow-minute-builder.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import { PRINT } from '../../market/sale-conditions.ts';

/** A print as a vendor says it. */
export interface VendorPrint {
  readonly kind: 'print';
  readonly symbol: string;
  /** Of `printKey`. */
  readonly key: number;
  /** Epoch milliseconds, with a fraction. */
  readonly time: number;
  readonly price: number;
  readonly size: number;
  /** Bits of `PRINT`. */
  readonly print: number;
}

/** The best bid and ask of all exchanges from an instant on, dollars; NaN for a side without one. */
export interface VendorQuote {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
}

export type VendorTick = VendorPrint | VendorQuote;

/** A print that was cancelled, or what is to be counted in its place. */
export interface PrintChange {
  readonly key: number;
  readonly to: Pick<VendorPrint, 'key' | 'price' | 'size' | 'print'> | null;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A print's identity within its symbol and day: ids are texts of any length, beyond 2^53 too, and unique within an
 * exchange and a tape. A number keeps millions of them apart in a tenth of the memory.
 */
export function printKey(venue: unknown, tape: unknown, id: unknown): number {
  const text = `${venue} ${tape} ${id}`;
  let one = FNV_OFFSET;
  let other = FNV_PRIME;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, FNV_PRIME);
    other = Math.imul(other ^ code, 0x5bd1e995) ^ (other >>> 15);
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}

/** Why a print cannot be; null where it can. */
export function refusePrint({
  time,
  price,
  size,
}: Pick<VendorPrint, 'time' | 'price' | 'size'>): RefusalReason | null {
  if (!Number.isFinite(time)) return 'bad_time';
  if (!Number.isFinite(price * size)) return 'not_finite';
  if (price <= 0) return 'price_not_positive';
  return size > 0 ? null : 'no_shares';
}

/**
 * The order flow of a running session, from the prints and quotes that a vendor streams of all exchanges. A minute has a
 * row once all its prints are here; a late, cancelled or corrected one makes the row anew.
 */
export class VendorFlow {
  readonly #session: Session;
  readonly #symbols: ReadonlyMap<string, SymbolFlow>;
  /** Minutes of the day whose prints are all here. */
  readonly #whole = new Set<number>();

  constructor(symbols: readonly string[], session: Session) {
    this.#session = session;
    this.#symbols = new Map(symbols.map((symbol) => [symbol, new SymbolFlow(session)]));
  }

  get symbols(): readonly string[] {
    return [...this.#symbols.keys()];
  }

  push(tick: VendorTick): void {
    const { preOpen, postClose } = this.#session;
    if (tick.time >= preOpen && tick.time < postClose) this.#symbols.get(tick.symbol)?.push(tick);
  }

  change(symbol: string, change: PrintChange): void {
    this.#symbols.get(symbol)?.change(change, this.#whole);
  }

  /**
   * Rows of the minutes up to an instant, and of older ones that have changed.
   *
   * @param upTo instant from which on the prints are new
   * @param ticks in place of what was streamed since `from`; null where that is whole, `unknown` where neither is
   */
  async take(
    { from, upTo, at }: { readonly from: number; readonly upTo: number; readonly at: number },
    ticks: readonly VendorTick[] | 'unknown' | null,
  ): Promise<Delivery[]> {
    const { midnight } = this.#session;
    if (ticks !== null) {
      for (const flow of this.#symbols.values()) flow.drop(from, at);
      if (ticks !== 'unknown') for (const tick of ticks) this.push(tick);
    }
    if (ticks !== 'unknown') {
      // Before its begin another process has classified them, from quotes that are not known here.
      for (let time = this.#whole.size === 0 ? upTo : from; time < at; time += MINUTE_MS) {
        this.#whole.add((time - midnight) / MINUTE_MS);
      }
    }
    const rows: Delivery[] = [];
    for (const [symbol, flow] of this.#symbols) {
      const columns = flow.take(at, this.#whole);
      if (columns !== null) rows.push({ kind: 'flow-minutes', symbol, columns });
      // A busy minute of 30 stocks takes a tenth of a second.
      await nextTurn();
    }
    return rows;
  }
}

/** More would be hundreds of megabytes; the older half then cannot change any more. */
const PRINTS_MAX = 1 << 20;
const ROWS_FIRST = 256;

/** In `print` of a tick: a quote, whose bid and ask are its price and size. */
const QUOTE = -1;

class SymbolFlow {
  readonly #midnight: number;
  readonly #sums: FlowSums;
  readonly #rule = new LeeReady();
  /** What has not been classified yet, as it came. */
  readonly #ticks = new GrowingColumns(['time', 'key', 'price', 'size', 'print'], ROWS_FIRST);
  /** Classified prints; one that was cancelled has no shares. */
  readonly #prints = new GrowingColumns(
    ['minute', 'key', 'price', 'size', 'print', 'side', 'isLocked'],
    ROWS_FIRST,
  );
  /** Place of the first print of each minute. */
  readonly #firstOf = new Map<number, number>();
  /** Whose prints are forgotten, up to this minute. */
  #forgottenTo = -1;
  /** When the newest classified print was, milliseconds since midnight. */
  #newest = 0;
  /** Minutes whose row has to be made anew. */
  readonly #changed = new Set<number>();

  constructor(session: Session) {
    this.#midnight = session.midnight;
    this.#sums = new FlowSums(session);
  }

  push(tick: VendorTick): void {
    const time = tick.time - this.#midnight;
    if (tick.kind === 'print') {
      const { key, price, size, print } = tick;
      if ((print & PRINT.noTrade) === 0) this.#ticks.push({ time, key, price, size, print });
      return;
    }
    const { bid, ask } = tick;
    this.#ticks.push({ time, key: 0, price: bid, size: ask, print: QUOTE });
  }

  /** Forgets what has come of a stretch. */
  drop(from: number, to: number): void {
    const { time } = this.#ticks.columns;
    const isKept = (at: number): boolean =>
      time[at]! < from - this.#midnight || time[at]! >= to - this.#midnight;
    this.#ticks.keep(places(this.#ticks.rows).filter(isKept));
  }

  change({ key, to }: PrintChange, whole: ReadonlySet<number>): void {
    const waiting = this.#ticks.columns;
    for (let at = 0; at < this.#ticks.rows; at++) {
      if (waiting.print[at] !== QUOTE && waiting.key[at] === key) changeAt(waiting, at, to);
    }
    const { columns, rows: length } = this.#prints;
    for (let at = 0; at < length; at++) {
      if (columns.key[at] !== key || !this.#isHeld(columns.minute[at]!, whole)) continue;
      // Its aggressor is that of the original.
      changeAt(columns, at, to);
      this.#changed.add(columns.minute[at]!);
    }
  }

  take(at: number, whole: ReadonlySet<number>) {
    this.#classify(at - this.#midnight, whole);
    const changed = [...this.#changed].sort((a, b) => a - b);
    this.#changed.clear();
    for (const minute of changed) this.#sum(minute);
    if (this.#prints.rows > PRINTS_MAX) this.#forgetHalf();
    return changed.length === 0 ? null : this.#sums.columns(changed);
  }

  /** Classifies what came before an instant, in the order of time; a quote does not count for a print of its instant. */
  #classify(before: number, whole: ReadonlySet<number>): void {
    const { time, key, price, size, print } = this.#ticks.columns;
    const all = places(this.#ticks.rows);
    const due = all.filter((at) => time[at]! < before);
    if (due.length === 0) return;
    const isQuote = (at: number): number => (print[at] === QUOTE ? 1 : 0);
    due.sort((a, b) => time[a]! - time[b]! || isQuote(a) - isQuote(b) || a - b);
    for (const at of due) {
      if (print[at] === QUOTE) {
        this.#rule.quote(price[at]!, size[at]!);
        continue;
      }
      if (size[at] === 0) continue;
      const minute = this.#sums.minuteOf(time[at]!, print[at]!);
      const side = this.#rule.sideOf(price[at]!, print[at]!);
      const isLocked = this.#rule.isLocked ? 1 : 0;
      const setsLast = (print[at]! & (PRINT.setsNoPrice | PRINT.setsNoLast)) === 0;
      if (setsLast && time[at]! >= this.#newest) this.#rule.moveTo(price[at]!);
      this.#newest = Math.max(this.#newest, time[at]!);
      // Of a minute of which not all is here a row would be a part.
      if (!this.#isHeld(minute, whole)) continue;
      if (!this.#firstOf.has(minute)) this.#firstOf.set(minute, this.#prints.rows);
      const row = { key: key[at]!, price: price[at]!, size: size[at]!, print: print[at]! };
      this.#prints.push({ minute, ...row, side, isLocked });
      this.#changed.add(minute);
    }
    this.#ticks.keep(all.filter((at) => time[at]! >= before));
  }

  #isHeld = (minute: number, whole: ReadonlySet<number>): boolean =>
    minute > this.#forgottenTo && whole.has(minute);

  /** Sums a minute, each of its prints once. */
  #sum(minute: number): void {
    this.#sums.clear(minute);
    const { columns, rows: length } = this.#prints;
    const { key, price, size, print, side, isLocked } = columns;
    const seen = new Set<number>();
    for (let at = this.#firstOf.get(minute) ?? length; at < length; at++) {
      if (columns.minute[at] !== minute || seen.has(key[at]!)) continue;
      seen.add(key[at]!);
      if (size[at]! > 0)
        this.#sums.add(minute, price[at]!, size[at]!, print[at]!, side[at] as PrintSide, isLocked[at] === 1);
    }
  }

  #forgetHalf(): void {
    const half = this.#prints.rows >> 1;
    this.#prints.keep(places(this.#prints.rows).slice(half));
    for (const [minute, first] of this.#firstOf) {
      if (first < half) {
        this.#firstOf.delete(minute);
        this.#forgottenTo = Math.max(this.#forgottenTo, minute);
      } else this.#firstOf.set(minute, first - half);
    }
  }
}

const places = (length: number): number[] => Array.from({ length }, (_, at) => at);

function changeAt(
  columns: Readonly<Record<'key' | 'price' | 'size' | 'print', Float64Array>>,
  at: number,
  to: PrintChange['to'],
): void {
  if (to === null) columns.size[at] = 0;
  else for (const name of ['key', 'price', 'size', 'print'] as const) columns[name][at] = to[name];
}
