import type { EarningsReport } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import { announcementKnownAt } from './fact-times.ts';
import { type RefusalTally, refusalTally } from './refusal-tally.ts';
import { factGatherer } from './reference-fact-gatherer.ts';
import {
  datedSurprises,
  daysBetween,
  quarterlyFilings,
  SAME_QUARTER_DAYS,
  SAME_REPORT_DAYS,
} from './reference-results-filings.ts';
import type { SourceFile } from './reference-source.ts';
import type { SplitFactor } from './reference-splits.ts';
import {
  type AwaitedReport,
  readCalendar,
  readCalendarJson,
  readEpsHistory,
  readQuarterlyHistory,
  readRecentEps,
  readResultsFilings,
  readSurprises,
  type ToldReport,
} from './reference-told-results.ts';

/**
 * Results of every file of the folder `earnings`, each told once.
 *
 * Two files speak of the same report when their dates lie at most `SAME_REPORT_DAYS` apart. The file later in
 * `EARNINGS_FILES` is trusted more: its date and time stand, and what it does not say is taken from the others, EPS and
 * revenue each as a pair, since an estimate means nothing beside an actual of another measure. The fact is delivered
 * by the most trusted file; in the others the row counts as `duplicate`.
 */

/** The kinds of files of results, from the least to the most trusted; the calendars differ by their endings. */
export const EARNINGS_FILES = [
  'sec_8k_item202_dates',
  'finnhub_surprise_earnings',
  'eps_history_',
  'earnings_calendar_json',
  'earnings_history_quarterly',
  'eps_recent_',
  'earnings_calendar_csv',
] as const;
export type EarningsFile = (typeof EARNINGS_FILES)[number];

/** Which of the files of results a name is, or null. */
export function earningsFileOf(name: string): EarningsFile | null {
  if (/^earnings_calendar_.*\.json(\.gz)?$/.test(name)) return 'earnings_calendar_json';
  if (/^earnings_calendar_.*\.csv(\.gz)?$/.test(name)) return 'earnings_calendar_csv';
  return EARNINGS_FILES.find((file) => name.startsWith(file) && /\.csv(\.gz)?$/.test(name)) ?? null;
}

const READERS = {
  eps_history_: readEpsHistory,
  earnings_calendar_json: readCalendarJson,
  earnings_history_quarterly: readQuarterlyHistory,
  eps_recent_: readRecentEps,
  earnings_calendar_csv: readCalendar,
} as const satisfies Readonly<Partial<Record<EarningsFile, unknown>>>;

/** What the files say together, by the key of the file that delivers it. */
export interface EarningsBook {
  /** The share of one file: its facts, and what was refused of it. */
  deliveries(key: string): Iterable<Delivery>;
}

interface Share {
  readonly tally: RefusalTally;
  readonly reports: ToldReport[];
  readonly awaited: AwaitedReport[];
}

/** Reads every file and settles who tells what. Memory is that of the rows: some hundred thousand of them. */
export async function readEarningsBook(
  sources: readonly SourceFile[],
  splitFactor: SplitFactor,
): Promise<EarningsBook> {
  const shares = new Map<string, Share>();
  for (const { key } of sources) shares.set(key, { tally: refusalTally(), reports: [], awaited: [] });
  const book = new Reports(shares);
  for (const source of trustedFirst(sources)) {
    const { tally, awaited } = shares.get(source.key)!;
    const results = await READERS[fileOf(source) as keyof typeof READERS]?.(source, tally, splitFactor);
    for (const report of results?.reports ?? []) book.take(source.key, report);
    awaited.push(...nextOfEach(results?.awaited ?? [], tally));
  }
  const filings = await openFilings(sources, shares, book);
  await addSurprises(sources, shares, filings, book);
  for (const { key, filing } of filings) book.take(key, filing);
  book.finish();
  return { deliveries: (key) => deliveriesOf(shares.get(key)!) };
}

/** The most trusted file first, and of two of the same kind the one with the later name. */
function trustedFirst(sources: readonly SourceFile[]): SourceFile[] {
  const trust = (source: SourceFile): number => EARNINGS_FILES.indexOf(fileOf(source)!);
  return sources.toSorted((a, b) => trust(b) - trust(a) || (a.key < b.key ? 1 : -1));
}

const fileOf = ({ key }: SourceFile): EarningsFile | null =>
  earningsFileOf(key.slice(key.lastIndexOf('/') + 1));

interface Filing {
  readonly key: string;
  readonly filing: ToldReport;
}

/** Filings that stand for a quarter of which no other file tells. */
async function openFilings(
  sources: readonly SourceFile[],
  shares: ReadonlyMap<string, Share>,
  book: Reports,
): Promise<Filing[]> {
  const open: Filing[] = [];
  for (const source of sources.filter((one) => fileOf(one) === 'sec_8k_item202_dates')) {
    const { tally } = shares.get(source.key)!;
    const { reports } = await readResultsFilings(source, tally);
    for (const filed of Map.groupBy(reports, ({ symbol }) => symbol).values()) {
      const untold = filed.toSorted(byDate).filter((filing) => !book.tellsQuarterOf(filing, tally));
      for (const filing of quarterlyFilings(untold, tally)) open.push({ key: source.key, filing });
    }
  }
  return open;
}

async function addSurprises(
  sources: readonly SourceFile[],
  shares: ReadonlyMap<string, Share>,
  filings: readonly Filing[],
  book: Reports,
): Promise<void> {
  const filingsOf = Map.groupBy(filings, ({ filing }) => filing.symbol);
  for (const source of sources.filter((one) => fileOf(one) === 'finnhub_surprise_earnings')) {
    const { tally } = shares.get(source.key)!;
    const surprises = await readSurprises(source, tally);
    for (const [symbol, rows] of Map.groupBy(surprises, (row) => row.symbol)) {
      const filed = (filingsOf.get(symbol) ?? []).map(({ filing }) => filing);
      for (const report of datedSurprises(rows, filed, tally)) book.take(source.key, report);
    }
  }
}

const byDate = (a: ToldReport, b: ToldReport): number => (a.report.date < b.report.date ? -1 : 1);

/** Of several awaited reports of a stock the next one; those after it have no place in "the next" and are not read. */
function nextOfEach(awaited: readonly AwaitedReport[], tally: RefusalTally): AwaitedReport[] {
  const next = new Map<string, AwaitedReport>();
  for (const one of awaited.toSorted((a, b) => (a.expected.date < b.expected.date ? -1 : 1))) {
    if (next.has(one.symbol)) tally.note('not_read', one.place.where, one.place.example);
    else next.set(one.symbol, one);
  }
  return [...next.values()];
}

interface Accepted {
  readonly key: string;
  told: ToldReport;
}

/** Reports that are told, each once; the most trusted files must come first. */
class Reports {
  readonly #shares: ReadonlyMap<string, Share>;
  readonly #bySymbol = new Map<string, Accepted[]>();

  constructor(shares: ReadonlyMap<string, Share>) {
    this.#shares = shares;
  }

  /** Keeps the report, or completes with it the one that a more trusted file tells. */
  take(key: string, told: ToldReport): void {
    const known = this.#near(told, SAME_REPORT_DAYS + 1);
    if (known === undefined) {
      this.#bySymbol.getOrInsertComputed(told.symbol, () => []).push({ key, told });
      return;
    }
    known.told = { ...known.told, report: completed(known.told.report, told.report) };
    this.#shares.get(key)!.tally.note('duplicate', told.place.where, told.place.example);
  }

  /** True, and counted, when a report of the filing's quarter is told. */
  tellsQuarterOf(filing: ToldReport, tally: RefusalTally): boolean {
    const isTold = this.#near(filing, SAME_QUARTER_DAYS) !== undefined;
    if (isTold) tally.note('duplicate', filing.place.where, filing.place.example);
    return isTold;
  }

  /** Gives every report to the file that delivers it. */
  finish(): void {
    for (const accepted of this.#bySymbol.values()) {
      for (const { key, told } of accepted) this.#shares.get(key)!.reports.push(told);
    }
  }

  #near(told: ToldReport, withinDays: number): Accepted | undefined {
    return this.#bySymbol
      .get(told.symbol)
      ?.find((known) => Math.abs(daysBetween(known.told, told)) < withinDays);
  }
}

/** The trusted report with what only the other one says. */
function completed(trusted: EarningsReport, other: EarningsReport): EarningsReport {
  const eps = saysMore(other.epsEstimate, other.epsActual, trusted.epsEstimate, trusted.epsActual)
    ? other
    : trusted;
  const revenue = saysMore(
    other.revenueEstimate,
    other.revenueActual,
    trusted.revenueEstimate,
    trusted.revenueActual,
  )
    ? other
    : trusted;
  return {
    date: trusted.date,
    // A time of day belongs to its date.
    time: trusted.time === 'unknown' && trusted.date === other.date ? other.time : trusted.time,
    periodEnd: trusted.periodEnd ?? other.periodEnd,
    epsEstimate: eps.epsEstimate,
    epsActual: eps.epsActual,
    revenueEstimate: revenue.revenueEstimate,
    revenueActual: revenue.revenueActual,
  };
}

/** A pair says more when it has an actual that the other lacks, or with an actual on both sides the only estimate. */
function saysMore(
  estimate: number | null,
  actual: number | null,
  knownEstimate: number | null,
  knownActual: number | null,
): boolean {
  const worth = (one: number | null, other: number | null): number =>
    (other === null ? 0 : 2) + (one === null ? 0 : 1);
  return worth(estimate, actual) > worth(knownEstimate, knownActual);
}

function* deliveriesOf({ tally, reports, awaited }: Share): Generator<Delivery> {
  // Refusals of reading stay; those of the door are of this reading alone, so that a unit read twice says the same.
  const refused = refusalTally();
  const gatherer = factGatherer(refused);
  for (const { symbol, report, place } of reports) {
    const knownAt = announcementKnownAt(report.date, report.time);
    gatherer.take(symbol, 'earnings_report', knownAt, report, place);
    yield* gatherer.due();
  }
  for (const { symbol, knownAt, expected, place } of awaited) {
    gatherer.take(symbol, 'earnings_date', knownAt, expected, place);
  }
  yield* gatherer.due(true);
  yield* tally.refusals();
  yield* refused.refusals();
}
