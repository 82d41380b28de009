import type { Company } from './companies.ts';
import type { CompanyPath } from './company-path.ts';
import { type Stream, streamFor, traitsOf } from './random.ts';
import type { Timeline } from './timeline.ts';

/** One company as its reported facts see it. Sessions are indices into the schedule, rows indices into the path. */
export type CompanyHistory = ReturnType<typeof companyHistory>;

export function companyHistory(
  seed: number,
  company: Company,
  companyName: string,
  path: CompanyPath,
  schedule: Timeline,
) {
  /** Product of the splits up to and including each row. */
  const splitFactor = new Float64Array(path.rows).fill(1);
  for (const { session, kind, value } of path.actions) {
    if (kind !== 'split') continue;
    for (let row = session - path.firstSession; row < path.rows; row++) splitFactor[row]! *= value;
  }
  const traits = traitsOf(seed, company.symbol);
  /** The company's stream for a purpose, by a session's day or another number that names an occasion. */
  const stream = (purpose: string) => streamFor(seed, company.symbol, purpose);
  return { company, companyName, path, schedule, traits, stream, splitFactor };
}

/** Sessions of the path from a session on, without its first: a fact of a session needs a close before it. */
export function* sessionsFrom({ path }: CompanyHistory, session: number): Generator<number> {
  for (let s = Math.max(session, path.firstSession + 1); s < path.firstSession + path.rows; s++) yield s;
}

/** Sessions from one on in which something happens by chance, with the stream that says so and how. */
export function* occasions(
  of: CompanyHistory,
  purpose: string,
  fromSession: number,
  chance: (session: number) => number,
): Generator<{ session: number; drawn: Stream }> {
  const stream = of.stream(purpose);
  for (const session of sessionsFrom(of, fromSession)) {
    const drawn = stream(of.schedule.day[session]!);
    if (drawn.uniform() < chance(session)) yield { session, drawn };
  }
}

/** Close of a row in dollars, on the share basis of another row. */
const closeOn = ({ path, splitFactor }: CompanyHistory, row: number, basis: number): number =>
  ((path.close[row]! / 100) * splitFactor[row]!) / splitFactor[basis]!;

/** Mean close of at most so many rows before a row, on that row's basis; for row 0 its prior close. */
export function meanCloseBefore(of: CompanyHistory, row: number, rows: number): number {
  const from = Math.max(0, row - rows);
  if (from === row) return of.path.priorClose[row]! / 100;
  let sum = 0;
  for (let before = from; before < row; before++) sum += closeOn(of, before, row);
  return sum / (row - from);
}

/** Log return over the rows that end with the close before a row; 0 without enough rows. */
export function returnBefore(of: CompanyHistory, row: number, rows: number): number {
  if (row < rows + 1) return 0;
  return Math.log(closeOn(of, row - 1, row) / closeOn(of, row - 1 - rows, row));
}

/** Shares outstanding on a row: splits multiply them, and they drift as boards buy back or issue. */
export function sharesOn(
  { company, schedule, path, splitFactor, traits }: CompanyHistory,
  row: number,
): number {
  const quarters = schedule.quarter[path.firstSession + row]! - schedule.quarter[path.firstSession]!;
  const yearly = 0.012 * traits.normal('share drift') - 0.004;
  return Math.round(company.firstShares * splitFactor[row]! * Math.exp((yearly * quarters) / 4));
}

/** The row of a session, or null when it lies beyond the path. */
export function rowOf({ path }: CompanyHistory, session: number): number | null {
  const row = session - path.firstSession;
  return row >= 0 && row < path.rows ? row : null;
}
