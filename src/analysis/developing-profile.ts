import type { BarColumns } from '../market/observations.ts';
import { type RowRange, sliceBars } from './sessions.ts';
import {
  type Control,
  controlOf,
  DUST,
  half,
  MAX_ROWS,
  priceIn,
  profileRowSize,
  type RowGrid,
  rowGrid,
  rowOf,
  spread,
  valueAreaRows,
  valueAreaTarget,
} from './volume-profile.ts';

/**
 * Point of control and value area, dollars, after each of the rows: those of `volumeProfile` on the rows so far, NaN
 * where it has none. A bar only adds its own volume until the range outgrows the row size.
 */
export function developingProfile(columns: BarColumns, rows: RowRange) {
  const profile = new DevelopingProfile(sliceBars(columns, rows));
  profile.fill(rows.to - rows.from);
  const { poc, vah, val } = profile;
  return { poc, vah, val };
}

type ProfileBars = Pick<BarColumns, 'high' | 'low' | 'volume'>;

/** The columns of `developingProfile` of a session that goes on, worked out as far as they are asked for. */
export class DevelopingProfile {
  /** Dollars; valid in the rows that are filled. */
  poc: Float64Array;
  vah: Float64Array;
  val: Float64Array;
  #bars: ProfileBars;
  #filled = 0;
  /** Null behind a bar whose volume is not known. */
  #profile: GrowingProfile | null = new GrowingProfile();

  /** @param room bars for which the columns have a place, that of `bars` at least */
  constructor(bars: ProfileBars, room = bars.high.length) {
    this.#bars = bars;
    this.poc = new Float64Array(room);
    this.vah = new Float64Array(room);
    this.val = new Float64Array(room);
  }

  /**
   * Takes the bars of the session as far as they are known by now; of more bars than it has it makes a copy.
   *
   * @returns false where they are not those that it has, with more or fewer behind them
   */
  takes(bars: ProfileBars): boolean {
    const [had, has] = [this.#bars.high.length, bars.high.length];
    const common = Math.min(had, has);
    const isSame = (name: keyof ProfileBars): boolean => {
      const [one, other] = [this.#bars[name], bars[name]];
      for (let bar = 0; bar < common; bar++) if (one[bar] !== other[bar]) return false;
      return true;
    };
    if (has > this.poc.length || !isSame('high') || !isSame('low') || !isSame('volume')) return false;
    if (has > had)
      this.#bars = { high: bars.high.slice(), low: bars.low.slice(), volume: bars.volume.slice() };
    return true;
  }

  /** Fills the columns up to a row. */
  fill(to: number): void {
    for (; this.#filled < to; this.#filled++) {
      const bar = this.#filled;
      if (Number.isNaN(this.#bars.volume[bar])) this.#profile = null;
      this.#profile?.add(this.#bars, bar);
      this.poc[bar] = this.#profile?.poc ?? Number.NaN;
      this.vah[bar] = this.#profile?.vah ?? Number.NaN;
      this.val[bar] = this.#profile?.val ?? Number.NaN;
    }
  }
}

/** A profile to which one bar is added after the other. */
class GrowingProfile {
  /** Dollars; NaN before the first bar with volume. */
  poc = Number.NaN;
  vah = Number.NaN;
  val = Number.NaN;
  readonly #traded = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
  /** No row is further from the first one than a profile is high; the pairs of a value area reach one row beyond. */
  readonly #room = new Float64Array(2 * MAX_ROWS + 2);
  #grid: RowGrid = { ticksPerDollar: Number.NaN, perRow: Number.NaN };
  /** Row of the grid with which the room begins. */
  #origin = 0;
  /** The part of the room between the lowest and the highest price, and where it begins there. */
  #rows = this.#room;
  #bottom = 0;
  #control: Control = { row: 0, equals: 0, max: 0 };
  #totalVolume = 0;
  readonly #area = new GrowingArea(this.#room);

  /** @param bar row of the bars, which begin with the first that was added */
  add(bars: ProfileBars, bar: number): void {
    const { high, low, volume } = bars;
    if (volume[bar] === 0) return;
    const isWider = low[bar]! < this.#traded.low || high[bar]! > this.#traded.high;
    if (isWider && this.#widen(low[bar]!, high[bar]!)) this.#spreadAgain(bars, bar + 1);
    else this.#addRows(low[bar]!, high[bar]!, volume[bar]!, isWider);
    if (this.#area.isOther || isWider) this.#price();
  }

  #price(): void {
    this.#area.isOther = false;
    this.poc = priceIn(this.#traded, this.#grid, this.#origin + this.#bottom + this.#control.row);
    this.val = priceIn(this.#traded, this.#grid, this.#origin + this.#area.from, -half(this.#grid));
    this.vah = priceIn(this.#traded, this.#grid, this.#origin + this.#area.to, half(this.#grid));
  }

  /** Takes the range up to new prices; true when the rows have to grow for it. */
  #widen(low: number, high: number): boolean {
    const traded = this.#traded;
    traded.low = Math.min(traded.low, low);
    traded.high = Math.max(traded.high, high);
    const grid = rowGrid(traded.low, profileRowSize(traded.low, traded.high));
    const lowest = rowOf(traded.low, grid);
    const isOther = grid.perRow !== this.#grid.perRow || grid.ticksPerDollar !== this.#grid.ticksPerDollar;
    if (isOther) {
      this.#grid = grid;
      this.#origin = lowest - MAX_ROWS - 1;
    }
    const bottom = lowest - this.#origin;
    if (!isOther) this.#control = { ...this.#control, row: this.#control.row + this.#bottom - bottom };
    this.#bottom = bottom;
    this.#rows = this.#room.subarray(bottom, rowOf(traded.high, grid) - this.#origin + 1);
    return isOther;
  }

  #spreadAgain(bars: ProfileBars, end: number): void {
    this.#room.fill(0);
    const rows = this.#rows;
    const all = { from: 0, to: end };
    this.#totalVolume = spread(bars, all, this.#grid, this.#origin + this.#bottom, rows);
    this.#control = controlOf(rows, 0, rows.length - 1);
    this.#area.walk(rows, this.#bottom, this.#control.row, this.#totalVolume);
  }

  #addRows(low: number, high: number, shares: number, isWider: boolean): void {
    const rows = this.#rows;
    const lowest = this.#origin + this.#bottom;
    const first = rowOf(low, this.#grid) - lowest;
    const last = rowOf(high, this.#grid) - lowest;
    const each = shares / (last - first + 1);
    let max = 0;
    for (let row = first; row <= last; row++) {
      const sum = rows[row]! + each;
      rows[row] = sum;
      if (sum > max) max = sum;
    }
    this.#totalVolume += shares;
    if (isWider || max >= this.#control.max * (1 - 2 * DUST))
      this.#control = controlAfter(this.#control, rows, first, last, max);
    const control = this.#control.row;
    if (!this.#area.follow(rows, this.#bottom, control, this.#totalVolume, first, last, each))
      this.#area.walk(rows, this.#bottom, control, this.#totalVolume);
  }
}

/**
 * The point of control once some rows have grown. Where it had equals all rows count: the middle may have moved.
 *
 * @param max the highest of the rows that have grown
 */
function controlAfter(
  before: Control,
  rows: Float64Array,
  first: number,
  last: number,
  max: number,
): Control {
  if (max > before.max * (1 + 2 * DUST)) return controlOf(rows, first, last, max);
  if (max < before.max * (1 - 2 * DUST) && before.equals === 1) return before;
  return controlOf(rows, 0, rows.length - 1);
}

/**
 * The value area of `valueAreaRows` while rows grow. As long as the point of control stays, the walk is not made again:
 * it takes a pair before one of the other side where the least of the pairs up to it is larger than the least of those,
 * so that the least of the first pairs of both sides say where it passes. A sum of volumes that lies within dust of the
 * target is not decided by that: then the walk is made.
 */
class GrowingArea {
  /** First and last row, both within, in the room. */
  from = 0;
  to = 0;
  /** Set where the area is another one than before. */
  isOther = true;
  readonly #above: Pairs;
  readonly #below: Pairs;
  #control = -1;
  /** Pairs within, and the volume within but for dust. */
  #up = 0;
  #down = 0;
  #volume = 0;

  constructor(room: Float64Array) {
    this.#above = new Pairs(room, 1);
    this.#below = new Pairs(room, -1);
  }

  /** @param control row of the point of control among the rows, which begin at `bottom` in the room */
  walk(rows: Float64Array, bottom: number, control: number, totalVolume: number): void {
    const { from, to, volume } = valueAreaRows(rows, control, totalVolume);
    this.#control = bottom + control;
    this.isOther = true;
    this.from = bottom + from;
    this.to = bottom + to;
    this.#up = (to - control + 1) >> 1;
    this.#down = (control - from + 1) >> 1;
    this.#volume = volume;
    this.#above.begin(this.#control, rows.length - 1 - control);
    this.#below.begin(this.#control, control);
  }

  /**
   * The area once rows from `first` to `last` have grown by `each`; false where only the walk can tell.
   *
   * @param control as of `walk`
   */
  follow(
    rows: Float64Array,
    bottom: number,
    control: number,
    totalVolume: number,
    first: number,
    last: number,
    each: number,
  ): boolean {
    if (bottom + control !== this.#control) return false;
    const rowsAbove = rows.length - 1 - control;
    this.#above.grow(rowsAbove, first - control, last - control);
    this.#below.grow(control, control - last, control - first);
    const within = Math.min(last, control + 2 * this.#up) - Math.max(first, control - 2 * this.#down) + 1;
    if (within > 0) this.#volume += each * within;
    const dust = DUST * totalVolume;
    this.#backToWay(dust);
    if (!this.#reach(valueAreaTarget(totalVolume), dust)) return false;
    const from = this.#control - Math.min(control, 2 * this.#down);
    const to = this.#control + Math.min(rowsAbove, 2 * this.#up);
    if (from !== this.from || to !== this.to) this.isOther = true;
    this.from = from;
    this.to = to;
    return true;
  }

  /** Gives back pairs that the walk would take later than one that is not within. */
  #backToWay(dust: number): void {
    for (;;) {
      if (this.#up > 0 && this.#above.least(this.#up) < this.#below.least(this.#down + 1) - dust)
        this.#volume -= this.#above.pair(this.#up--);
      else if (this.#down > 0 && this.#above.least(this.#up + 1) >= this.#below.least(this.#down) - dust)
        this.#volume -= this.#below.pair(this.#down--);
      else return;
    }
  }

  /** Goes along the walk to where it ends; false where dust decides. */
  #reach(target: number, dust: number): boolean {
    while (this.#up > 0 || this.#down > 0) {
      const isAbove =
        this.#down === 0 ||
        (this.#up > 0 && this.#above.least(this.#up) < this.#below.least(this.#down) - dust);
      const pair = isAbove ? this.#above.pair(this.#up) : this.#below.pair(this.#down);
      const over = this.#volume - pair - target;
      if (Math.abs(over) <= dust) return false;
      if (over < 0) break;
      this.#volume -= pair;
      if (isAbove) this.#up--;
      else this.#down--;
    }
    while (this.#volume < target - dust) {
      if (this.#above.least(this.#up + 1) >= this.#below.least(this.#down + 1) - dust)
        this.#volume += this.#above.pair(++this.#up);
      else this.#volume += this.#below.pair(++this.#down);
    }
    return this.#volume > target + dust;
  }
}

/** Pairs of rows on one side of the point of control, as the value area takes them; the first is number 1. */
class Pairs {
  readonly #room: Float64Array;
  readonly #step: 1 | -1;
  /** The least of the first pairs by their number; of none it is without limit. */
  readonly #least = new Float64Array(MAX_ROWS / 2 + 2);
  #known = 0;
  #count = 0;
  #control = 0;

  constructor(room: Float64Array, step: 1 | -1) {
    this.#room = room;
    this.#step = step;
    this.#least[0] = Number.POSITIVE_INFINITY;
  }

  /** @param rows on this side */
  begin(control: number, rows: number): void {
    this.#control = control;
    this.#count = (rows + 1) >> 1;
    this.#known = 0;
  }

  /** Rows from `near` to `far` away have grown. */
  grow(rows: number, near: number, far: number): void {
    this.#count = (rows + 1) >> 1;
    if (far < 1) return;
    const last = (far + 1) >> 1;
    const known = this.#known;
    const column = this.#least;
    let number = near < 1 ? 1 : (near + 1) >> 1;
    let least = column[number - 1]!;
    for (; number <= known; number++) {
      const pair = this.pair(number);
      if (pair < least) least = pair;
      // Behind the rows that have grown nothing changes from where the least is what it was.
      if (number > last && column[number] === least) return;
      column[number] = least;
    }
  }

  pair(number: number): number {
    const far = this.#control + 2 * this.#step * number;
    return this.#room[far - this.#step]! + this.#room[far]!;
  }

  /** The least of the first pairs; without a limit below behind the last pair. */
  least(number: number): number {
    if (number > this.#count) return Number.NEGATIVE_INFINITY;
    while (this.#known < number) {
      const pair = this.pair(this.#known + 1);
      const before = this.#least[this.#known]!;
      this.#least[++this.#known] = pair < before ? pair : before;
    }
    return this.#least[number]!;
  }
}
