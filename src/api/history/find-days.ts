import { asOfInstant } from '../../base/as-of.ts';
import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { parseInstant } from '../../base/dates.ts';
import { PEERS_UNMEASURED } from '../../blocks/peer-divergence-v1.ts';
import type { ScalarField } from '../../derive/scalar-fields.ts';
import { readScreenHistory } from '../../graph/screen-history.ts';
import { oldestDay, type SymbolTape } from '../../tape/index.ts';
import { type Day, STALE_AFTER_MS } from '../answers/load-stock.ts';
import type { AppContext } from '../context/app-context.ts';
import type { DerivedRow, HistoryDay, RowValues } from '../context/history-rows.ts';
import type { CellsOfDay } from './history-columns.ts';

/** Days of a stock for a history: which there are, and what is known of each. */

export const firstDate = (tape: SymbolTape): string => dateOf(oldestDay(tape)! * DAY_MS);
export const topOf = ({ path }: ScalarField): string => path.split('.', 1)[0]!;

/** The trade date of one end of a range: a date, or an instant. */
export function tradeDateIn(calendar: Calendar, text: string): string {
  const instant = parseInstant(text);
  return instant === null ? text : calendar.tradeDateOf(instant);
}

/** The sessions of a range that have begun at an instant. */
export const begunSessions = (calendar: Calendar, from: string, until: string, asOf: number): string[] =>
  calendar.sessionsBetween(from, until).filter((date) => calendar.session(date)!.preOpen <= asOf);

/** The newest of them up to a date. Twice as many calendar days and a fortnight are sure to hold that many. */
export const newestSessions = (calendar: Calendar, until: string, count: number, asOf: number): string[] =>
  begunSessions(calendar, dateOf(midnightUtc(until) - (2 * count + 14) * DAY_MS), until, asOf).slice(-count);

/** The dates from the first session of the stock on, each with the instant that its answer speaks for. */
export function daysOf(
  calendar: Calendar,
  tape: SymbolTape,
  dates: readonly string[],
  newest: number,
): HistoryDay[] {
  const { symbol } = tape;
  const first = firstDate(tape);
  return dates
    .filter((tradeDate) => tradeDate >= first)
    .map((tradeDate) => {
      const session = calendar.session(tradeDate)!;
      const asOf = asOfInstant(session, newest)!;
      return { symbol, tradeDate, asOf, isFinal: asOf === session.end };
    });
}

/** What is known of the days of a page, and what is not yet. */
export class Findings {
  /** By trade date; null where the stock has no bar, and with the fields of bars alone where that is all. */
  readonly rows: Map<string, RowValues | CellsOfDay | null>;
  readonly stored: ReadonlySet<string>;
  readonly missing = new Map<string, HistoryDay>();
  /** Derived before their session was measured against the peers of the stock, where that matters. */
  readonly unmeasured = new Set<string>();
  readonly #wantsPeers: boolean;

  constructor(stored: Map<string, RowValues | CellsOfDay>, wantsPeers: boolean) {
    this.rows = stored;
    this.stored = new Set(stored.keys());
    this.#wantsPeers = wantsPeers;
  }

  add(tradeDate: string, { row, hasPeers }: DerivedRow): void {
    this.rows.set(tradeDate, row);
    this.missing.delete(tradeDate);
    if (this.#wantsPeers && !hasPeers) this.unmeasured.add(tradeDate);
  }
}

/** Takes what was derived before; the other days with a bar are missing. */
export function findKept(
  { histories }: AppContext,
  found: Findings,
  days: readonly HistoryDay[],
  awaitsPeers: boolean,
): void {
  for (const day of days) {
    if (found.rows.get(day.tradeDate) === null) continue;
    const kept = histories.get(day);
    if (kept === undefined || (awaitsPeers && !kept.hasPeers)) found.missing.set(day.tradeDate, day);
    else found.add(day.tradeDate, kept);
  }
}

/** Adds rows of the fields of bars, which are known at once on every date; null for a date without a bar. */
export async function addBarRows(
  { deriver }: AppContext,
  tape: SymbolTape,
  days: readonly Day[],
  fields: readonly ScalarField[],
  rows: Findings['rows'],
  signal: AbortSignal,
): Promise<void> {
  if (days.length === 0) return;
  const instants = days.map(({ tradeDate, asOf }) => ({ tradeDate, asOf }));
  const names = [...new Set(fields.map(topOf))];
  const found = await deriver.barRows({ tape, days: instants, fields: names }, { signal });
  for (const [at, { tradeDate }] of days.entries()) rows.set(tradeDate, found[at]!);
}

/** By symbol and trade date the stored rows of days: as of the instant of the day or up to a minute before it. */
export async function storedRows(
  { database }: Pick<AppContext, 'database'>,
  days: readonly HistoryDay[],
  wantsPeers: boolean,
  signal: AbortSignal,
): Promise<Map<string, Map<string, RowValues>>> {
  const found = new Map<string, Map<string, RowValues>>();
  if (days.length === 0) return found;
  const instants = new Map(days.map(({ symbol, tradeDate, asOf }) => [`${symbol} ${tradeDate}`, asOf]));
  const [symbols, dates] = [days.map(({ symbol }) => symbol), days.map(({ tradeDate }) => tradeDate)];
  for (const row of await readScreenHistory(database, symbols, dates, { signal })) {
    if (wantsPeers && row.texts.includes(PEERS_UNMEASURED)) continue;
    const age = instants.get(`${row.symbol} ${row.tradeDate}`)! - row.asOf;
    if (age < 0 || age >= STALE_AFTER_MS) continue;
    found.getOrInsertComputed(row.symbol, () => new Map()).set(row.tradeDate, row);
  }
  return found;
}
