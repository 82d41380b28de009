import { type EntryTables, NEVER } from './first-touch.ts';
import { INPUTS, writeInputs } from './inputs.ts';
import type { SessionColumns } from './session-columns.ts';
import type { BacktestSpec, EntryType } from './spec.ts';

/** Figures of an entry; prices in dollars, times in epoch milliseconds. */
export const ENTRY_FIGURES = [
  /** When the signal was known. */
  'signalTime',
  /** Start of the bar before the entry, -Infinity without one: a position that ended in a later bar keeps the entry out. */
  'priorBar',
  'entryTime',
  'entry',
  'dailyAtr',
  'halfSpread',
  /** The session's last bar and close. */
  'endTime',
  'end',
  'endHalfSpread',
] as const;
export type EntryFigure = (typeof ENTRY_FIGURES)[number];

/**
 * Every entry of a symbol, by session and signal type, with what each stop and target did: the trades of every cell follow
 * from it. A figure has one value for each entry; what ends in `Time`, `Fill` and `HalfSpread` one for each entry and stop
 * or target, time Infinity where it was not reached.
 */
export interface EntryLog extends Readonly<Record<EntryFigure, Float64Array>> {
  readonly count: number;
  /** Index in the trade days, in the signal types and in `DAY_KINDS`. */
  readonly day: Uint32Array;
  readonly type: Uint8Array;
  readonly kind: Uint8Array;
  readonly isLong: Uint8Array;
  /** `INPUTS.length` values for each entry, NaN for what the signal does not read. */
  readonly inputs: Float64Array;
  readonly stopTime: Float64Array;
  readonly stopFill: Float64Array;
  /** Empty where fills pay no spread. */
  readonly stopHalfSpread: Float64Array;
  readonly targetTime: Float64Array;
  readonly targetFill: Float64Array;
}

/** Where the entries of one session and signal type belong. */
export interface EntryPlace {
  readonly day: number;
  readonly type: number;
  readonly kind: number;
  readonly name: EntryType;
  /** When each signal was known, by the bar of its entry. */
  readonly knownAt: (entryBar: number) => number;
}

type Column = Uint8Array | Uint32Array | Float64Array;
type Mutable = { -readonly [Name in keyof EntryLog]: EntryLog[Name] };

export class EntryLogBuilder {
  readonly #widths: Readonly<Record<Exclude<keyof EntryLog, 'count'>, number>>;
  readonly #columns: Mutable;
  #room = 64;

  constructor({ stops, targets, halfSpread = false }: BacktestSpec) {
    const figures = Object.fromEntries(ENTRY_FIGURES.map((name) => [name, 1])) as Record<EntryFigure, 1>;
    this.#widths = {
      ...figures,
      day: 1,
      type: 1,
      kind: 1,
      isLong: 1,
      inputs: INPUTS.length,
      stopTime: stops.length,
      stopFill: stops.length,
      stopHalfSpread: halfSpread ? stops.length : 0,
      targetTime: targets.length,
      targetFill: targets.length,
    };
    this.#columns = { count: 0 } as Mutable;
    this.#resize(this.#room);
  }

  /**
   * Adds the entries of the tables.
   *
   * @param times start of each bar of the session
   * @param shorts the session upside down
   */
  add(
    tables: EntryTables,
    times: Float64Array,
    session: SessionColumns,
    shorts: SessionColumns,
    place: EntryPlace,
  ): void {
    if (this.#columns.count + tables.count > this.#room) {
      this.#room = 2 * (this.#columns.count + tables.count);
      this.#resize(this.#room);
    }
    const into = this.#columns;
    const { spreads } = session;
    for (let at = 0; at < tables.count; at++) {
      const row = into.count++;
      const isLong = tables.isLong[at] === 1;
      const signalBar = tables.signalBar[at]!;
      const entryBar = signalBar + 1;
      into.day[row] = place.day;
      into.type[row] = place.type;
      into.kind[row] = place.kind;
      into.isLong[row] = tables.isLong[at]!;
      into.signalTime[row] = place.knownAt(entryBar);
      into.priorBar[row] = signalBar < 0 ? Number.NEGATIVE_INFINITY : times[signalBar]!;
      into.entryTime[row] = times[entryBar]!;
      into.entry[row] = session.open[entryBar]!;
      into.dailyAtr[row] = session.dailyAtr;
      into.halfSpread[row] = spreads?.open[entryBar] ?? 0;
      into.endTime[row] = times.at(-1)!;
      into.end[row] = session.close.at(-1)!;
      into.endHalfSpread[row] = spreads?.end ?? 0;
      const inputsFrom = row * INPUTS.length;
      writeInputs(place.name, session, isLong ? session : shorts, signalBar, into.inputs, inputsFrom);
      this.#addLevels('stop', tables, at, row, times, isLong, spreads?.open);
      this.#addLevels('target', tables, at, row, times, isLong, undefined);
    }
  }

  #addLevels(
    level: 'stop' | 'target',
    tables: EntryTables,
    at: number,
    row: number,
    times: Float64Array,
    isLong: boolean,
    spreads: Float64Array | undefined,
  ): void {
    const width = this.#widths[`${level}Time`];
    const reachedAt = tables[`${level}Bar`];
    const fills = tables[`${level}Fill`];
    const into = this.#columns;
    for (let each = 0; each < width; each++) {
      const from = at * width + each;
      const to = row * width + each;
      const bar = reachedAt[from]!;
      const isReached = bar !== NEVER;
      into[`${level}Time`][to] = isReached ? times[bar]! : Number.POSITIVE_INFINITY;
      into[`${level}Fill`][to] = isReached ? (isLong ? fills[from]! : -fills[from]!) : 0;
      if (spreads !== undefined) into.stopHalfSpread[to] = isReached ? spreads[bar]! : 0;
    }
  }

  /** A copy of the entries so far. */
  log(): EntryLog {
    return this.#withRoom(this.#columns.count);
  }

  #resize(rows: number): void {
    Object.assign(this.#columns, this.#withRoom(rows));
  }

  #withRoom(rows: number): EntryLog {
    const columns: Record<string, Column | number> = { count: this.#columns.count };
    for (const [name, width] of Object.entries(this.#widths)) {
      const held = this.#columns[name as 'day'] as Column | undefined;
      const size = rows * width;
      const column = held === undefined ? new (TYPES[name] ?? Float64Array)(size) : held.slice(0, size);
      if (column.length === size) columns[name] = column;
      else {
        const longer = new (column.constructor as Float64ArrayConstructor)(size);
        longer.set(column);
        columns[name] = longer;
      }
    }
    return columns as unknown as EntryLog;
  }
}

const TYPES: Readonly<Record<string, Uint8ArrayConstructor | Uint32ArrayConstructor>> = {
  day: Uint32Array,
  type: Uint8Array,
  kind: Uint8Array,
  isLong: Uint8Array,
};
