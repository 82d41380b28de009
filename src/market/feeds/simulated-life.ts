import type { Company } from './simulated-company.ts';
import type { CompanyPath } from './simulated-company-path.ts';
import { normalQuantile, type Stream, streamFor, traitUniform } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

/** One company and all that its reported facts are made of. Sessions are places in the schedule, rows places in the path. */
export interface Life {
  readonly seed: number;
  readonly company: Company;
  readonly companyName: string;
  readonly path: CompanyPath;
  readonly schedule: Timeline;
  /** Shares of a row for one share of row 0: the product of the splits so far. */
  readonly splitFactor: Float64Array;
}

/** The product of a path's splits up to and including each row. */
export function splitFactors(path: CompanyPath): Float64Array {
  const factors = new Float64Array(path.rows).fill(1);
  for (const { session, kind, value } of path.actions) {
    if (kind !== 'split') continue;
    for (let row = session - path.firstSession; row < path.rows; row++) factors[row]! *= value;
  }
  return factors;
}

/** A number of (0, 1) that stays with the company. */
export const traitOf = (life: Life, purpose: string): number =>
  traitUniform(life.seed, life.company.symbol, purpose);

/** A standard normal number that stays with the company. */
export const bellOf = (life: Life, purpose: string): number => normalQuantile(traitOf(life, purpose));

/** The company's stream for a purpose, set to a session's day, or to any other number that names an occasion. */
export const streamOf = (life: Life, purpose: string): ((occasion: number) => Stream) =>
  streamFor(life.seed, life.company.symbol, purpose);

/** Sessions of the path from one on; what happens in a session is known after the one before has closed. */
export function* sessionsFrom({ path }: Life, session: number): Generator<number> {
  for (let s = Math.max(session, path.firstSession + 1); s < path.firstSession + path.rows; s++) yield s;
}

/** Close of a row in dollars, on the share basis of another row. */
export const closeOn = ({ path, splitFactor }: Life, row: number, basis: number): number =>
  ((path.close[row]! / 100) * splitFactor[row]!) / splitFactor[basis]!;

/**
 * Mean close of the rows before a row, on that row's basis; what opinions lag behind. The first rows look at what there
 * is, row 0 at its own prior close.
 */
export function meanCloseBefore(life: Life, row: number, rows: number): number {
  const from = Math.max(0, row - rows);
  if (from === row) return life.path.priorClose[row]! / 100;
  let sum = 0;
  for (let before = from; before < row; before++) sum += closeOn(life, before, row);
  return sum / (row - from);
}

/** Log return over the rows that end with the close before a row; 0 where the company is too young to have one. */
export function returnBefore(life: Life, row: number, rows: number): number {
  if (row < rows + 1) return 0;
  return Math.log(closeOn(life, row - 1, row) / closeOn(life, row - 1 - rows, row));
}

/** Shares outstanding on a row: splits multiply them, and they drift a little as boards buy back or issue. */
export function sharesOn(life: Life, row: number): number {
  const { company, schedule, path, splitFactor } = life;
  const quarters = schedule.quarter[path.firstSession + row]! - schedule.quarter[path.firstSession]!;
  const yearly = 0.012 * bellOf(life, 'share drift') - 0.004;
  return Math.round(company.firstShares * splitFactor[row]! * Math.exp((yearly * quarters) / 4));
}

/** The newest row that has begun by an instant, or null when it lies beyond the path. */
export function rowAt({ path, schedule }: Life, instant: number): number | null {
  const row = schedule.sessions.findLastIndex(({ preOpen }) => preOpen <= instant) - path.firstSession;
  return row >= 0 && row < path.rows ? row : null;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

const SCALES = [1, 10, 100, 1000, 10_000];

/** @param decimals at most four */
export const rounded = (value: number, decimals: number): number =>
  Math.round(value * SCALES[decimals]!) / SCALES[decimals]!;

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));
