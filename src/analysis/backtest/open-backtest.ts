import type { BarColumns, QuoteBarColumns } from '../../market/observations.ts';
import { dayType } from '../day-type.ts';
import { intradayBars, MINUTE_MS, rowAtOrAfter, tradeDay } from '../sessions.ts';
import { type VolumeProfile, volumeProfile } from '../volume-profile.ts';
import { BLOCK_COUNT, blockOfDay } from './blocks.ts';
import { EntryLogBuilder } from './entry-log.ts';
import { type EntryTables, enterSession, entryTables } from './first-touch.ts';
import { walkCells } from './grid-walk.ts';
import {
  type BacktestPartial,
  DAY_KINDS,
  FIGURE_COUNT,
  groupCount,
  groupOf,
  type SessionOutcome,
} from './partial.ts';
import {
  type BacktestSession,
  confluenceZones,
  halfSpreads,
  mirrored,
  priorDailyAtr,
  regularMinutes,
  sessionColumns,
} from './session-columns.ts';
import { signalSides } from './signals.ts';
import { type BacktestSpec, cellCount, checkSpec, type OwnSignal } from './spec.ts';

export interface Backtest {
  /**
   * Finds the entries of one session and simulates them in every cell. Sessions must ascend, each at most once.
   *
   * @param quotes of the trade date, for fills that pay half of the spread
   * @throws RangeError for a session that is not of the spec or not after the last one
   */
  session(day: BacktestSession, quotes?: QuoteBarColumns): SessionOutcome;
  /** The result of the sessions so far; a copy, so that more may follow. */
  partial(): BacktestPartial;
}

/**
 * The backtest of one symbol: `session` for each day, ascending, then `partial`. The caller slices time and cancels.
 *
 * @param own entries of the caller, ascending
 * @throws RangeError for a spec that is not as its fields say
 */
export function openBacktest(spec: BacktestSpec, symbol: string, own: readonly OwnSignal[] = []): Backtest {
  checkSpec(spec);
  return new SymbolBacktest(spec, symbol, own);
}

/** Maximum bytes of the partial of one symbol without its entries. */
export function partialBytesMax(spec: BacktestSpec): number {
  const rows = spec.tradeDays.length * spec.signalTypes.length * 2;
  const figures = FIGURE_COUNT * (groupCount(spec) + BLOCK_COUNT);
  return 8 * cellCount(spec) * (rows + figures) + 5 * rows + spec.tradeDays.length;
}

/** A profile with the first time and last close of its bars, which identify them; a split changes the close. */
interface RememberedProfile {
  readonly time: number;
  readonly close: number;
  readonly profile: VolumeProfile | null;
}

class SymbolBacktest implements Backtest {
  readonly #spec: BacktestSpec;
  readonly #symbol: string;
  readonly #dayPlaces: ReadonlyMap<number, number>;
  readonly #inverseStops: Float64Array;
  readonly #tables: EntryTables;
  readonly #exitBar: Int32Array;
  readonly #own: readonly OwnSignal[];
  readonly #log: EntryLogBuilder;
  readonly #outcomes = { walked: 0, no_minute_bars: 0, fragment: 0, no_daily_atr: 0, no_quotes: 0 };
  readonly #walked: Uint8Array;
  readonly #rows: DayRows;
  /** Figures of the current block by group, the sums of all blocks before it by group, and the sums of each block. */
  readonly #running: Float64Array;
  /** Groups with figures in the current block: most signal types of most days have none. */
  readonly #runningGroups = new Set<number>();
  readonly #groupFigures: Float64Array;
  readonly #blockFigures: Float64Array;
  #lastDay = -1;
  #block = 0;
  #lastProfile: RememberedProfile | null = null;

  constructor(spec: BacktestSpec, symbol: string, own: readonly OwnSignal[]) {
    const cells = cellCount(spec);
    this.#own = own;
    this.#log = new EntryLogBuilder(spec);
    this.#spec = spec;
    this.#symbol = symbol;
    this.#dayPlaces = new Map(spec.tradeDays.map((day, place) => [day, place]));
    this.#inverseStops = Float64Array.from(spec.stops, (stop) => 1 / stop);
    this.#tables = entryTables(spec);
    this.#exitBar = new Int32Array(cells);
    this.#walked = new Uint8Array(spec.tradeDays.length);
    this.#rows = new DayRows(cells);
    this.#running = new Float64Array(groupCount(spec) * cells * FIGURE_COUNT);
    this.#groupFigures = new Float64Array(this.#running.length);
    this.#blockFigures = new Float64Array(BLOCK_COUNT * cells * FIGURE_COUNT);
  }

  session(day: BacktestSession, quotes?: QuoteBarColumns): SessionOutcome {
    const place = this.#dayPlaces.get(tradeDay(day.session));
    if (place === undefined) throw new RangeError('the session is not of the run');
    if (place <= this.#lastDay) throw new RangeError('sessions must come in ascending order');
    this.#lastDay = place;
    const outcome = this.#walk(day, place, quotes);
    this.#outcomes[outcome]++;
    return outcome;
  }

  partial(): BacktestPartial {
    const groupFigures = this.#groupFigures.slice();
    const blockFigures = this.#blockFigures.slice();
    this.#addRunning(groupFigures, blockFigures);
    return {
      spec: this.#spec,
      symbol: this.#symbol,
      outcomes: { ...this.#outcomes },
      walked: this.#walked.slice(),
      ...this.#rows.copied(),
      groupFigures,
      blockFigures,
      entries: this.#log.log(),
    };
  }

  #walk(day: BacktestSession, place: number, quotes: QuoteBarColumns | undefined): SessionOutcome {
    const bars = regularMinutes(day.intraday, day.intradayInterval, day.session);
    if (bars === null) return 'no_minute_bars';
    if (!day.intradayWhole) return 'fragment';
    const dailyAtr = priorDailyAtr(day);
    if (!(dailyAtr > 0)) return 'no_daily_atr';
    const { signalTypes, tradeDays, halfSpread } = this.#spec;
    const spreads = quotes === undefined ? null : halfSpreads(bars, quotes, day.session.close);
    if (halfSpread && spreads === null) return 'no_quotes';
    this.#enterBlock(blockOfDay(place, tradeDays.length));
    this.#walked[place] = 1;
    const zones = signalTypes.includes('level_confluence')
      ? confluenceZones(day, this.#priorProfile(day), dailyAtr)
      : [];
    const columns = sessionColumns(bars, day.session.open, dailyAtr, zones, halfSpread ? spreads : null);
    const shorts = mirrored(columns);
    let kind = -1;
    for (const [type, name] of signalTypes.entries()) {
      const own = name === 'own' ? ownEntries(this.#own, bars.time, day.session.open) : null;
      const sides = name === 'own' ? own!.sides : signalSides(name, columns, shorts);
      enterSession(sides, columns, shorts, this.#spec, this.#tables, own === null ? 1 : 0);
      if (this.#tables.count === 0) continue;
      if (kind === -1) kind = this.#dayKind(day, bars);
      this.#walkType(place, type, kind);
      const knownAt = (entryBar: number): number =>
        own === null ? bars.time[entryBar - 1]! + MINUTE_MS : own.times[entryBar]!;
      this.#log.add(this.#tables, bars.time, columns, shorts, { day: place, type, kind, name, knownAt });
    }
    return 'walked';
  }

  /** Simulates the entries of the tables in every cell, into one row for each direction that has an entry. */
  #walkType(place: number, type: number, kind: number): void {
    const { isLong, count } = this.#tables;
    const longs = groupOf(type, kind, 0);
    const shorts = groupOf(type, kind, 1);
    let longEntries = 0;
    for (let at = 0; at < count; at++) longEntries += isLong[at]!;
    const longFrom = longEntries > 0 ? this.#rows.add(place, longs) : -1;
    const shortFrom = longEntries < count ? this.#rows.add(place, shorts) : -1;
    const groupSize = cellCount(this.#spec) * FIGURE_COUNT;
    if (longFrom >= 0) this.#runningGroups.add(longs);
    if (shortFrom >= 0) this.#runningGroups.add(shorts);
    // Add both rows before reading the array: adding one may replace it.
    const { dayR } = this.#rows;
    walkCells(
      this.#tables,
      this.#inverseStops,
      this.#exitBar,
      { figures: this.#running, figuresFrom: longs * groupSize, dayR, dayFrom: longFrom },
      { figures: this.#running, figuresFrom: shorts * groupSize, dayR, dayFrom: shortFrom },
    );
  }

  /** The figures of a block are added to the sums once, at its end, so that a trade is written once. */
  #enterBlock(block: number): void {
    if (block === this.#block) return;
    this.#addRunning(this.#groupFigures, this.#blockFigures);
    this.#running.fill(0);
    this.#runningGroups.clear();
    this.#block = block;
  }

  #addRunning(groupFigures: Float64Array, blockFigures: Float64Array): void {
    const running = this.#running;
    const size = blockFigures.length / BLOCK_COUNT;
    const block = blockFigures.subarray(this.#block * size, (this.#block + 1) * size);
    for (const group of this.#runningGroups) {
      const from = group * size;
      for (let at = 0; at < size; at++) {
        groupFigures[from + at]! += running[from + at]!;
        block[at]! += running[from + at]!;
      }
    }
  }

  /** Index in `DAY_KINDS` of the whole session. */
  #dayKind(day: BacktestSession, bars: BarColumns): number {
    const priorValue = this.#priorProfile(day);
    const developingValue = this.#profile(bars);
    const whole = dayType({
      bars: intradayBars(bars, '1m', day.session.close),
      session: day.session,
      priorValue,
      developingValue,
    });
    return DAY_KINDS.indexOf(whole?.dayType ?? 'unknown');
  }

  #priorProfile(day: BacktestSession): VolumeProfile | null {
    if (!day.priorIntradayWhole) return null;
    const bars = regularMinutes(day.priorIntraday, day.priorIntradayInterval, day.priorSession);
    return bars === null ? null : this.#profile(bars);
  }

  /** Keeps the last profile: the next session needs it twice as that of its prior session. */
  #profile(bars: BarColumns): VolumeProfile | null {
    const time = bars.time[0]!;
    const close = bars.close.at(-1)!;
    const last = this.#lastProfile;
    if (last !== null && last.time === time && last.close === close) return last.profile;
    const profile = volumeProfile(bars, { from: 0, to: bars.time.length });
    this.#lastProfile = { time, close, profile };
    return profile;
  }
}

/** Sides and times of own entries by the bar at whose open they enter: the first that begins at their time or later. */
function ownEntries(own: readonly OwnSignal[], bars: Float64Array, open: number) {
  const sides = new Int8Array(bars.length);
  const times = new Float64Array(bars.length);
  for (const [time, side] of own) {
    const bar = time < open ? bars.length : rowAtOrAfter(bars, time);
    // Of two entries of one bar the first counts.
    if (bar === bars.length || sides[bar] !== 0) continue;
    sides[bar] = side;
    times[bar] = time;
  }
  return { sides, times };
}

/** Rows of R by cell, with the trade day and group of each, in arrays that grow. */
class DayRows {
  readonly #cells: number;
  #day = new Uint32Array(64);
  #group = new Uint8Array(64);
  #dayR: Float64Array;
  #count = 0;

  constructor(cells: number) {
    this.#cells = cells;
    this.#dayR = new Float64Array(64 * cells);
  }

  /** Adds a row of zeros and returns its offset in `dayR`, which may be another array afterwards. */
  add(day: number, group: number): number {
    if (this.#count === this.#day.length) this.#grow();
    this.#day[this.#count] = day;
    this.#group[this.#count] = group;
    return this.#count++ * this.#cells;
  }

  get dayR(): Float64Array {
    return this.#dayR;
  }

  copied(): { rowDay: Uint32Array; rowGroup: Uint8Array; dayR: Float64Array } {
    return {
      rowDay: this.#day.slice(0, this.#count),
      rowGroup: this.#group.slice(0, this.#count),
      dayR: this.#dayR.slice(0, this.#count * this.#cells),
    };
  }

  #grow(): void {
    const [day, group, dayR] = [this.#day, this.#group, this.#dayR];
    this.#day = new Uint32Array(day.length * 2);
    this.#group = new Uint8Array(group.length * 2);
    this.#dayR = new Float64Array(dayR.length * 2);
    this.#day.set(day);
    this.#group.set(group);
    this.#dayR.set(dayR);
  }
}
