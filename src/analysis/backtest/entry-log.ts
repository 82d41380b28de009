import { type EntryTables, NEVER } from './first-touch.ts';
import { inputsOf } from './inputs.ts';
import type { SessionColumns } from './session-columns.ts';
import type { BacktestSpec, EntryType } from './spec.ts';

/** Of an entry: one value each; prices in dollars, times in epoch milliseconds. */
const ENTRY_COLUMNS = [
  /** Index in the trade days, in the signal types and in `DAY_KINDS`; 1 for a long. */
  'day',
  'type',
  'kind',
  'isLong',
  /** When the signal was known. */
  'signalTime',
  /** Start of the bar before the entry, -Infinity without one: a position that ended in it or later keeps the entry out. */
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

/** Of an entry and stop or target: when its bar began, Infinity for never, and the fill; of a stop also half the spread, if paid. */
const LEVEL_COLUMNS = ['stopTime', 'stopFill', 'stopHalfSpread', 'targetTime', 'targetFill'] as const;

type Column = (typeof ENTRY_COLUMNS)[number] | (typeof LEVEL_COLUMNS)[number] | 'inputs';

/**
 * Every entry of a symbol, by session and signal type, with what each stop and target did: the trades of every cell follow
 * from it. `inputs` has as many values for each entry as `INPUTS`.
 */
export type EntryLog = Readonly<Record<Column, Float64Array>> & { readonly count: number };

/** Where the entries of one session and signal type belong. */
interface EntryPlace {
  readonly day: number;
  readonly type: number;
  readonly kind: number;
  readonly name: EntryType;
  /** When each signal was known, by the bar of its entry. */
  readonly knownAt: (entryBar: number) => number;
}

export class EntryLogBuilder {
  readonly #stops: number;
  readonly #targets: number;
  readonly #values = Object.fromEntries(
    [...ENTRY_COLUMNS, ...LEVEL_COLUMNS, 'inputs'].map((name) => [name, []]),
  ) as unknown as Readonly<Record<Column, number[]>>;

  constructor({ stops, targets }: BacktestSpec) {
    this.#stops = stops.length;
    this.#targets = targets.length;
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
    { day, type, kind, name, knownAt }: EntryPlace,
  ): void {
    const into = this.#values;
    const { spreads, dailyAtr } = session;
    for (let at = 0; at < tables.count; at++) {
      const isLong = tables.isLong[at]!;
      const signalBar = tables.signalBar[at]!;
      const bar = signalBar + 1;
      const entry = {
        ...{ day, type, kind, isLong, signalTime: knownAt(bar) },
        priorBar: times[signalBar] ?? Number.NEGATIVE_INFINITY,
        ...{ entryTime: times[bar]!, entry: session.open[bar]!, dailyAtr },
        ...{ halfSpread: spreads?.open[bar] ?? 0, endHalfSpread: spreads?.end ?? 0 },
        ...{ endTime: times.at(-1)!, end: session.close.at(-1)! },
      };
      for (const column of ENTRY_COLUMNS) into[column].push(entry[column]);
      into.inputs.push(...inputsOf(name, session, isLong === 1 ? session : shorts, signalBar));
      const side = isLong === 1 ? 1 : -1;
      for (let each = at * this.#stops; each < (at + 1) * this.#stops; each++) {
        const reached = tables.stopBar[each]!;
        into.stopTime.push(times[reached] ?? Number.POSITIVE_INFINITY);
        into.stopFill.push(reached === NEVER ? 0 : side * tables.stopFill[each]!);
        if (spreads !== undefined) into.stopHalfSpread.push(spreads.open[reached] ?? 0);
      }
      for (let each = at * this.#targets; each < (at + 1) * this.#targets; each++) {
        const reached = tables.targetBar[each]!;
        into.targetTime.push(times[reached] ?? Number.POSITIVE_INFINITY);
        into.targetFill.push(reached === NEVER ? 0 : side * tables.targetFill[each]!);
      }
    }
  }

  /** A copy of the entries so far. */
  log(): EntryLog {
    const columns = Object.entries(this.#values).map(([name, values]) => [name, Float64Array.from(values)]);
    return { ...Object.fromEntries(columns), count: this.#values.day.length };
  }
}
