import type { BarColumns } from '../market/observations.ts';
import { momentumSlope, returnPct } from './momentum.ts';
import { windowMean } from './statistics.ts';

/** Regimes of the volatility index, calm first. */
export const VIX_REGIMES = ['COMPLACENT', 'NORMAL', 'ELEVATED', 'EXTREME_FEAR'] as const;
export type VixRegime = (typeof VIX_REGIMES)[number];

/**
 * Where each regime after the first begins, index points. Of the closes of 1990-2026 17 % lie under 13, 63 % under 20
 * and 92 % under 30; 20 and 30 are also where option desks draw their lines.
 */
export const VIX_REGIME_FROM: Readonly<Record<Exclude<VixRegime, 'COMPLACENT'>, number>> = {
  NORMAL: 13,
  ELEVATED: 20,
  EXTREME_FEAR: 30,
};

/** The regime of a VIX level; a level on a boundary belongs to the more fearful side. NaN and below 0: null. */
export function vixRegime(level: number): VixRegime | null {
  if (!(level >= 0)) return null;
  if (level >= VIX_REGIME_FROM.EXTREME_FEAR) return 'EXTREME_FEAR';
  if (level >= VIX_REGIME_FROM.ELEVATED) return 'ELEVATED';
  return level >= VIX_REGIME_FROM.NORMAL ? 'NORMAL' : 'COMPLACENT';
}

/** Daily prices of one symbol of which a stretch counts: `first` to `row`, the newest; nothing beyond it is read. */
export interface PriceRun extends Pick<BarColumns, 'high' | 'low' | 'close'> {
  readonly first: number;
  readonly row: number;
}

/** Sessions of a year, over which highs and lows are new and a level is ranked. */
export const YEAR_SESSIONS = 252;
export const PERCENTILE_SESSIONS_MIN = 60;
/** A share of fewer stocks says more of each than of the market. */
export const BREADTH_STOCKS_MIN = 20;
export const SECTOR_STOCKS_MIN = 3;

/**
 * Share of the up to 252 values before `row` that lie under it, percent; NaN with fewer than 60 of them.
 *
 * @param first the earliest row that counts
 */
export function percentile252(values: Float64Array, first: number, row: number): number {
  const from = Math.max(first, row - YEAR_SESSIONS);
  if (row - from < PERCENTILE_SESSIONS_MIN) return Number.NaN;
  let under = 0;
  for (let before = from; before < row; before++) under += Number(values[before]! < values[row]!);
  return (under / (row - from)) * 100;
}

/**
 * The trend of an index over the closes that end with its newest price, oldest first: returns, percent, averages, and
 * the slope, percent a year. NaN where its history is too short.
 */
export function indexTrend(close: Float64Array) {
  const row = close.length - 1;
  return {
    return1dPct: returnPct(close, row, 1),
    return5dPct: returnPct(close, row, 5),
    return20dPct: returnPct(close, row, 20),
    sma50: windowMean(close, close.length - 50, 50),
    sma200: windowMean(close, close.length - 200, 200),
    slope20Pct: momentumSlope(close, row, 20),
  };
}

/**
 * Counts the stocks of a market at one instant. A stock costs a walk over its last 252 rows at most, and nothing of it
 * is kept, so that any universe and any number of instants are counted in one walk over the symbols.
 *
 * Sums depend on the order of their terms in the last bit: stocks are taken in the order of their names.
 */
export class MarketTally {
  #stocks = 0;
  #advancers = 0;
  #decliners = 0;
  #newHighs = 0;
  #newLows = 0;
  readonly #overSma50 = new Mean(BREADTH_STOCKS_MIN);
  readonly #overSma200 = new Mean(BREADTH_STOCKS_MIN);
  readonly #sectors = new Map<string, SectorSums>();

  /** Takes in a stock whose newest row is the session of the tally and whose row before it is the session before. */
  add(run: PriceRun, sector: string | null): void {
    const { close, first, row } = run;
    this.#stocks++;
    this.#advancers += Number(close[row]! > close[row - 1]!);
    this.#decliners += Number(close[row]! < close[row - 1]!);
    if (row - first >= YEAR_SESSIONS) {
      this.#newHighs += Number(isYearExtreme(run.high, row, 1));
      this.#newLows += Number(isYearExtreme(run.low, row, -1));
    }
    this.#overSma50.add(isAboveMean(run, 50));
    this.#overSma200.add(isAboveMean(run, 200));
    if (sector !== null) this.#sectors.getOrInsertComputed(sector, () => new SectorSums()).add(run);
  }

  /** Shares are 0-1, NaN where fewer than 20 stocks have the history. Null with fewer than 20 stocks. */
  breadth() {
    if (this.#stocks < BREADTH_STOCKS_MIN) return null;
    return {
      stocks: this.#stocks,
      advancers: this.#advancers,
      decliners: this.#decliners,
      aboveSma50: this.#overSma50.value,
      aboveSma200: this.#overSma200.value,
      newHighs252: this.#newHighs,
      newLows252: this.#newLows,
    };
  }

  /** Sectors with a 20-session return of at least three stocks, the best first, equals by name. */
  sectors() {
    const named = Array.from(this.#sectors, ([sector, sums]) => ({ sector, ...sums.means() }));
    const ranked = named
      .filter((one) => !Number.isNaN(one.return20dPct))
      .sort((a, b) => b.return20dPct - a.return20dPct || (a.sector < b.sector ? -1 : 1));
    return ranked.map((one, index) => ({ ...one, rank: index + 1, of: ranked.length }));
  }
}

/** True when a row's value lies above (side 1) or below (side -1) every one of the 252 rows before it. */
function isYearExtreme(values: Float64Array, row: number, side: 1 | -1): boolean {
  for (let before = row - 1; before >= row - YEAR_SESSIONS; before--) {
    if (side * (values[before]! - values[row]!) >= 0) return false;
  }
  return true;
}

/**
 * 1 when the newest close is above the mean of the last `count` closes, itself included, else 0; NaN without as many.
 * Differences are summed rather than prices: for an unchanged price they are exactly 0.
 */
function isAboveMean({ close, first, row }: PriceRun, count: number): number {
  if (row - first + 1 < count) return Number.NaN;
  let excess = 0;
  for (let other = row - count + 1; other <= row; other++) excess += close[row]! - close[other]!;
  return Number(excess > 0);
}

/** The mean of the values that are numbers; NaN with fewer than `min` of them. */
class Mean {
  readonly #min: number;
  #known = 0;
  #sum = 0;

  constructor(min: number) {
    this.#min = min;
  }

  add(value: number): void {
    if (Number.isNaN(value)) return;
    this.#known++;
    this.#sum += value;
  }

  get value(): number {
    return this.#known < this.#min ? Number.NaN : this.#sum / this.#known;
  }
}

class SectorSums {
  #stocks = 0;
  readonly #return1d = new Mean(SECTOR_STOCKS_MIN);
  readonly #return5d = new Mean(SECTOR_STOCKS_MIN);
  readonly #return20d = new Mean(SECTOR_STOCKS_MIN);

  add({ close, first, row }: PriceRun): void {
    const over = (sessions: number): number =>
      row - sessions < first ? Number.NaN : returnPct(close, row, sessions);
    this.#stocks++;
    this.#return1d.add(over(1));
    this.#return5d.add(over(5));
    this.#return20d.add(over(20));
  }

  /** Equally weighted, percent. */
  means() {
    return {
      stocks: this.#stocks,
      return1dPct: this.#return1d.value,
      return5dPct: this.#return5d.value,
      return20dPct: this.#return20d.value,
    };
  }
}
