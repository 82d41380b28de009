import type { BarColumns } from '../../market/observations.ts';
import { boundaries } from './boundaries.ts';
import { type Candles, candles } from './candlestick-shapes.ts';
import { CANDLESTICK_LIFE_ROWS, CANDLESTICK_WARM_UP, candlesticks } from './candlesticks.ts';
import { type CupWithoutHandle, cup, cupAndHandle } from './cup-and-handle.ts';
import { doubleTopOrBottom, tripleTopOrBottom } from './double-triple.ts';
import type {
  ChartPatternType,
  PatternReading,
  PatternType,
  Scan,
  SwingPoint,
  SwingReader,
} from './finding.ts';
import { flagOrPennant, isFlagPossible, type Pole, pole } from './flags-pennants.ts';
import { headAndShoulders } from './head-and-shoulders.ts';
import { isBy, isExpired, isSameIdea, type LivePattern, livePattern } from './lifecycle.ts';
import { MAJOR_SWING, MINOR_SWING, meanTrueRange, RANGE_ROWS, swingPoints } from './pivots.ts';
import { rectangle, triangleOrWedge } from './triangles-rectangles.ts';
import { TREND_ROWS, TREND_SLOPE_ROWS, volatilityContraction } from './vcp.ts';

const triangleOrRectangle: SwingReader = (swings, count, scan) => {
  const lines = boundaries(swings, count, scan);
  return lines === null ? null : (rectangle(lines) ?? triangleOrWedge(lines));
};

export const SWING_READERS: readonly SwingReader[] = [
  doubleTopOrBottom,
  tripleTopOrBottom,
  headAndShoulders,
  triangleOrRectangle,
  volatilityContraction,
];
/** Swings that a reader looks at, at most: six declines. */
const SWINGS_READ = 12;

/** A fuller reading takes the place of a forming one on the same swings. */
export const REPLACES: Readonly<Partial<Record<PatternType, ChartPatternType>>> = {
  triple_top: 'double_top',
  triple_bottom: 'double_bottom',
  volatility_contraction: 'volatility_contraction',
};

/** The swings of one size over all rows. */
interface Zigzag {
  readonly multiple: number;
  readonly swings: readonly SwingPoint[];
  /** By row the place of the swing that it confirms; -1 without one. */
  readonly placeAt: Int32Array;
  /** By place of a swing what the readers find there with all swings before it. */
  readonly read: Map<number, LivePattern[]>;
  /** The same of the stretch that was asked for last, whose first swings have a name. */
  own: { readonly name: string; readonly read: Map<number, LivePattern[]> };
}

/** What a stretch has read with the swings of one size so far. */
interface OfZigzag extends ReturnType<typeof swingsFrom> {
  readonly zigzag: Zigzag;
  /** Swings that are read. */
  count: number;
  cups: CupWithoutHandle[];
}

/** The patterns of the stretch that was asked for last, up to a row: the next row goes on from there. */
interface Stretch {
  readonly first: number;
  row: number;
  readonly ofZigzags: readonly OfZigzag[];
  readonly flags: readonly LivePattern[];
  readonly opened: Set<LivePattern>;
  readonly byType: Map<PatternType, LivePattern[]>;
}

interface Flag {
  readonly of: Pole;
  readonly live: LivePattern | null;
}

/**
 * The patterns of any stretch of some daily bars, as one forward scan of it finds them: swings count from the row that
 * confirmed them, and a pattern is opened from what was known at its row. What a reading becomes afterwards, and what a few
 * swings or rows read, is the same in every stretch that has them, and is found once.
 */
export class PatternHistory {
  readonly bars: BarColumns;
  readonly #range: Float64Array;
  readonly #zigzags: readonly Zigzag[];
  readonly #candles: Candles;
  readonly #candlesticks = new Map<number, LivePattern[]>();
  /** By the row from which on its flag may be seen, oldest first. */
  readonly #flags: readonly (readonly Flag[])[];
  #stretch: Stretch | null = null;

  /** @param row the earliest whose candlesticks are wanted */
  constructor(bars: BarColumns, row = 0) {
    this.bars = bars;
    this.#range = meanTrueRange(bars);
    this.#zigzags = [MINOR_SWING, MAJOR_SWING].map((multiple) => {
      const swings = swingPoints(bars, this.#range, multiple);
      const placeAt = new Int32Array(bars.close.length).fill(-1);
      for (const [place, { confirmedRow }] of swings.entries()) placeAt[confirmedRow] = place;
      return { multiple, swings, placeAt, read: new Map(), own: { name: '', read: new Map() } };
    });
    this.#candles = candles(bars, Math.max(CANDLESTICK_WARM_UP, row - CANDLESTICK_LIFE_ROWS) - 4);
    this.#flags = this.#everyFlag();
  }

  /**
   * Served at a row by a scan from the first row of a stretch on, in the order of their opening. Each as of the last of all
   * rows: what lies behind the row has not happened yet.
   */
  servedAt(first: number, row: number): LivePattern[] {
    if (row - first < RANGE_ROWS) return [];
    const own = this.#candlesticksAt(first, row).filter((live) => !isExpired(live, row));
    return [...this.chartPatternsAt(first, row), ...own];
  }

  /** Those of them that are drawn over swings. */
  chartPatternsAt(first: number, row: number): LivePattern[] {
    if (row - first < RANGE_ROWS) return [];
    if (this.#stretch?.first !== first || this.#stretch.row > row) this.#stretch = this.#begin(first);
    const { opened, byType, flags, ofZigzags, row: before } = this.#stretch;
    this.#stretch.row = row;
    const patterns = ofZigzags.flatMap((of) => this.#patternsUpTo(of, first, row));
    // A cup waits from the swing on that finishes it.
    const handles = ofZigzags
      .flatMap((of) => this.#handlesUpTo(of, row))
      .sort((one, other) => finishedAt(one) - finishedAt(other));
    const seen = flags.filter(({ firstSeenRow }) => firstSeenRow > before && firstSeenRow <= row);
    const read = [...patterns, ...handles, ...seen].sort(
      (one, other) => one.firstSeenRow - other.firstSeenRow,
    );
    for (const live of read) {
      const { reading } = live;
      const own = byType.getOrInsertComputed(reading.type, () => []);
      if (own.some((other) => isRepeated(other, live, opened.has(other)))) continue;
      for (const other of byType.get(REPLACES[reading.type]!) ?? [])
        if (isReplaceable(other, live) && isSameIdea(other, reading, live.firstSeenRow)) opened.delete(other);
      own.push(live);
      opened.add(live);
    }
    return [...opened].filter((live) => !isExpired(live, row));
  }

  #begin(first: number): Stretch {
    return {
      first,
      row: -1,
      ofZigzags: this.#zigzags.map((zigzag) => {
        const from = swingsFrom(zigzag, this.bars, this.#range, first);
        const own = from.swings.slice(0, from.own);
        const name = `${from.skipped} ${own.map(({ row, kind, confirmedRow }) => `${row}${kind}${confirmedRow}`)}`;
        if (name !== zigzag.own.name) zigzag.own = { name, read: new Map() };
        return { zigzag, ...from, count: 0, cups: [] };
      }),
      flags: this.#flagsOf(first),
      opened: new Set(),
      byType: new Map(),
    };
  }

  /** What the swings of one size that are confirmed up to a row read, and were not asked for before. */
  #patternsUpTo(of: OfZigzag, first: number, row: number): LivePattern[] {
    const { zigzag, swings, own, skipped } = of;
    const patterns: LivePattern[] = [];
    const scan = this.#scanAt(0, first);
    while (of.count < swings.length && swings[of.count]!.confirmedRow <= row) {
      const at = swings[of.count]!.confirmedRow;
      const count = ++of.count;
      scan.row = at;
      const isShared = first === 0 || count - own >= SWINGS_READ;
      const found = isShared
        ? zigzag.read.getOrInsertComputed(skipped + count, (all) => this.#read(zigzag.swings, all, at))
        : zigzag.own.read.getOrInsertComputed(count, () => this.#read(swings, count, at));
      for (const live of found) if (!lacksTrend(live, first)) patterns.push(live);
      const waiting = cup(swings, count, scan);
      if (waiting !== null) of.cups.push(waiting);
    }
    return patterns;
  }

  /** The handles of its cups that are long enough by a row; those cups wait no more. */
  #handlesUpTo(of: OfZigzag, row: number): LivePattern[] {
    const { ready = [], waiting = [] } = Object.groupBy(of.cups, ({ readyRow }) =>
      readyRow <= row ? 'ready' : 'waiting',
    );
    of.cups = waiting;
    return ready.flatMap((one) => this.#live(cupAndHandle(one, this.#scanAt(one.readyRow)), one.readyRow));
  }

  #read(swings: readonly SwingPoint[], count: number, row: number): LivePattern[] {
    const scan = this.#scanAt(row);
    return SWING_READERS.flatMap((read) => this.#live(read(swings, count, scan), row));
  }

  #live(reading: PatternReading | null, row: number): LivePattern[] {
    const live = reading === null ? null : livePattern(reading, 'chart', this.bars, row);
    return live === null ? [] : [live];
  }

  /** Of each row the first pole of the stretch: upward ones go first. */
  #flagsOf(first: number): LivePattern[] {
    return this.#flags.flatMap(
      (flags) => flags.find(({ of }) => of.baseRow - first >= RANGE_ROWS)?.live ?? [],
    );
  }

  #everyFlag(): Flag[][] {
    const flags: Flag[][] = [];
    const scan = this.#scanAt(0);
    for (scan.row = RANGE_ROWS; scan.row < this.bars.close.length; scan.row++) {
      const [up, down] = [pole(scan, 1), pole(scan, -1)];
      if (up === null && down === null) continue;
      const poles = [up, down].filter((of) => of !== null);
      flags.push(poles.map((of) => ({ of, live: this.#flagOf(of, scan.row) })));
    }
    return flags;
  }

  #flagOf(of: Pole, from: number): LivePattern | null {
    for (let row = from; row < this.bars.close.length; row++) {
      const scan = this.#scanAt(row);
      if (!isFlagPossible(of, scan)) return null;
      const reading = flagOrPennant(of, scan);
      if (reading !== null) return livePattern(reading, 'chart', this.bars, row);
    }
    return null;
  }

  #candlesticksAt(first: number, row: number): LivePattern[] {
    const found: LivePattern[] = [];
    for (let at = Math.max(first + CANDLESTICK_WARM_UP, row - CANDLESTICK_LIFE_ROWS); at <= row; at++)
      found.push(
        ...this.#candlesticks.getOrInsertComputed(at, () => candlesticks(this.#candles, this.#scanAt(at))),
      );
    return found;
  }

  #scanAt(row: number, first = 0) {
    return { bars: this.bars, range: this.#range, first, row } satisfies Scan;
  }
}

/**
 * The swings from a first row on: those of its own, up to the first that is one of all rows too, and the rest of those.
 * What follows a swing follows from it and the rows that confirmed it and the one before.
 */
function swingsFrom(
  { multiple, swings, placeAt }: Zigzag,
  bars: BarColumns,
  range: Float64Array,
  first: number,
) {
  if (first === 0) return { swings, own: 0, skipped: 0 };
  let place: number | undefined;
  let before = -1;
  const own = swingPoints(bars, range, multiple, first + RANGE_ROWS, ({ row, kind, confirmedRow }) => {
    const at = placeAt[confirmedRow]!;
    const same = swings[at];
    if (same?.row === row && same.kind === kind && swings[at - 1]?.confirmedRow === before) place = at;
    before = confirmedRow;
    return place !== undefined;
  });
  if (place === undefined) return { swings: own, own: own.length, skipped: -own.length };
  return {
    swings: [...own, ...swings.slice(place + 1)],
    own: own.length - 1,
    skipped: place - own.length + 1,
  };
}

const finishedAt = ({ reading: { pivots } }: LivePattern): number => pivots.at(-1)!.confirmedRow;

/** Whether a contraction was seen before the stretch has rows enough to tell a trend. */
const lacksTrend = ({ reading: { type }, firstSeenRow }: LivePattern, first: number): boolean =>
  type === 'volatility_contraction' && firstSeenRow - first < TREND_ROWS + TREND_SLOPE_ROWS - 1;

/** @param isOpen whether nothing has taken the other's place */
function isRepeated(other: LivePattern, live: LivePattern, isOpen: boolean): boolean {
  if (haveSameAnchors(other.reading, live.reading)) return true;
  return isOpen && isSameIdea(other, live.reading, live.firstSeenRow) && !isReplaceable(other, live);
}

function isReplaceable(other: LivePattern, { reading, firstSeenRow }: LivePattern): boolean {
  const lastRow = (of: PatternReading) => of.pivots[of.pivots.length - 1]!.row;
  const isForming = !isBy(other.confirmedRow, firstSeenRow) && !isBy(other.failedRow, firstSeenRow);
  return (
    other.reading.type === REPLACES[reading.type] && isForming && lastRow(other.reading) <= lastRow(reading)
  );
}

function haveSameAnchors(a: PatternReading, b: PatternReading): boolean {
  if (a.pivots.length !== b.pivots.length) return false;
  for (let at = a.pivots.length - 1; at >= 0; at--) if (a.pivots[at]!.row !== b.pivots[at]!.row) return false;
  return true;
}
