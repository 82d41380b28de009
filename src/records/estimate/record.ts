import { LEVEL_FAMILIES, type LevelFamily } from '../../analysis/level-ladder.ts';
import { STRATA, STRATA_WIDTHS } from '../../analysis/records/level-events.ts';
import type { Verdict } from '../../analysis/records/verdicts.ts';
import {
  binsOf,
  controlsOf,
  type DaySums,
  PROBABILITY_BINS,
  SUM_FIELDS,
  type Sum,
  sharedOf,
} from '../events.ts';
import type { Judged } from '../kind.ts';
import {
  comparedIn,
  type DatePlaces,
  type EdgeEstimate,
  type Estimate,
  falseDiscoveryRates,
  meanEdge,
  rateOf,
  type StratifiedCounts,
  stratifiedEdge,
} from './estimate.ts';
import { type Reliability, reliabilityOf } from './reliability.ts';
import { superiorOf } from './superior.ts';

/** The records of a kind from its counts by date: rates, edges, and which of many edges are called. */

/** The fewest events, dates and controls that say anything. */
export const FEWEST = {
  rate: { events: 20, dates: 10 },
  edge: { events: 30, dates: 20, controls: 100 },
  verdict: { dates: 60, datesOverDays: 250 },
} as const;
/** Share of the touches of a family that are those of another, from which on a record says so. */
const SHARED_MIN = 0.2;
/** Share of the called edges that may be false. */
const FALSE_CALLS = 0.1;
/** Dates that are drawn together to judge the best, on average, where claims end with their session. */
const BLOCK = 5;

/** Counts of a trade date. */
export interface CountedDate {
  readonly tradeDate: string;
  readonly sums: DaySums;
}

export interface RecordFigures {
  readonly key: string;
  readonly n: number;
  readonly dates: number;
  readonly true: number;
  readonly undecided: number;
  readonly gap: number;
  readonly gone: number;
  readonly ambiguous: number;
  readonly controls: number;
  /** Null with too few events. */
  readonly rate: Estimate | null;
  /** The controls' rate; null with too few of them, and then no rate is shown either. */
  readonly chance: number | null;
  readonly edge: Estimate | null;
  /** Mean over dates of the rank correlation of a score with the later returns; null for other kinds. */
  readonly correlation: Estimate | null;
  /** Mean R of trades after costs, and that of their controls; null for other kinds. */
  readonly gain: (Estimate & { readonly chance: number }) | null;
  /** Of a score that runs from 0 to 100, read as a probability; null with too few stocks, and for others. */
  readonly reliability: Reliability | null;
  /** Of levels: families whose touches a fifth or more of these were too, the greatest share first. */
  readonly sharedWith: readonly SharedTouches[];
  /** Cells of the kind that were tested. */
  readonly tested: number;
  /** Least share of false calls, of either side, at which it is called on the side of its edge. */
  readonly q: number | null;
  readonly verdict: Verdict;
}

/** Touches of a family that were touches of another at the same place and time. */
interface SharedTouches {
  readonly key: LevelFamily;
  readonly share: number;
}

/** The best of the tested cells of a kind, by the edge in units of its error. */
export interface BestCell {
  readonly key: string;
  readonly edge: number;
  /** How often the best of as many without any edge looks as good. */
  readonly p: number;
  /** Cells among which it is the best. */
  readonly of: number;
}

/** The records of a kind, and which of those tested is the best; null where none was. */
export interface KindRecords {
  readonly records: readonly RecordFigures[];
  readonly best: BestCell | null;
}

/**
 * The record of every key of a kind, in the order of the keys.
 *
 * @param days every date on which the kind was observed, ascending, those without an event too
 * @param isClosed whether every claim of a date with a horizon had ended at the instant of the question
 * @param isExplored whether a caller chose the events: intervals, and no verdict
 */
export function recordsOf(
  kind: Judged,
  days: readonly CountedDate[],
  isClosed: (tradeDate: string, horizon: number) => boolean,
  isExplored: boolean,
): KindRecords {
  const counts = new CountColumns();
  for (const { tradeDate, sums } of days) {
    counts.addDate(tradeDate);
    for (const key in sums) for (const sum of sums[key]!) counts.add(key, sum);
  }
  return recordsOfCounts(kind, counts, isClosed, isExplored);
}

/** As `recordsOf`, of counts in columns. */
export function recordsOfCounts(
  kind: Judged,
  counts: Pick<CountColumns, 'dates' | 'ofKey'>,
  isClosed: (tradeDate: string, horizon: number) => boolean,
  isExplored: boolean,
): KindRecords {
  const { keys, horizonOf } = kind;
  const closed = new Map(
    [...new Set(keys.map(horizonOf))].map((horizon) => {
      const open = counts.dates.findIndex((tradeDate) => !isClosed(tradeDate, horizon));
      return [horizon, { dates: open < 0 ? counts.dates.length : open, ofKey: counts.ofKey }];
    }),
  );
  const cells = keys.map((key) => cellOf(kind, key, closed.get(horizonOf(key))!));
  const tested = isExplored ? [] : cells.filter(isTested);
  // Both sides of each are tests of one family.
  const rates = falseDiscoveryRates(
    Float64Array.from([...tested.map(({ test }) => test.p), ...tested.map(({ test }) => test.pBelow)]),
  );
  const records = cells.map((cell) => {
    const { test, ...figures } = cell;
    const at = tested.findIndex(({ key }) => key === cell.key);
    const q = at < 0 ? null : rates[test!.value < 0 ? tested.length + at : at]!;
    return { ...figures, tested: tested.length, q, verdict: verdictOf(cell, q, isExplored) };
  });
  return { records, best: tested.length === 0 ? null : bestOf(kind, tested) };
}

/** Counts of a key in columns, each with the place of its date; a column of zeros may be absent. */
type KeyColumns = { readonly date: number[] } & { readonly [Field in keyof Sum]?: number[] };

/** What was counted on trade dates that ascend; most keys have nothing on most dates. */
export class CountColumns {
  readonly dates: string[];
  readonly ofKey: Record<string, KeyColumns>;

  constructor({ dates, ofKey }: Pick<CountColumns, 'dates' | 'ofKey'> = { dates: [], ofKey: {} }) {
    this.dates = dates;
    this.ofKey = ofKey;
  }

  static unpack = (text: string): CountColumns => new CountColumns(JSON.parse(text));

  /** The next ones are of this date. */
  addDate(tradeDate: string): void {
    if (this.dates.at(-1) !== tradeDate) this.dates.push(tradeDate);
  }

  add(key: string, sum: Sum): void {
    this.ofKey[key] ??= Object.fromEntries(['date', ...SUM_FIELDS].map((field) => [field, []])) as never;
    const columns = this.ofKey[key];
    columns.date.push(this.dates.length - 1);
    for (const field of SUM_FIELDS) columns[field]!.push(sum[field]);
  }

  /** The counts of a date and those after it. */
  since(tradeDate: string): CountColumns {
    const found = this.dates.findIndex((date) => date >= tradeDate);
    const first = found < 0 ? this.dates.length : found;
    const ofKey = Object.entries(this.ofKey).map(([key, columns]) => {
      const row = columns.date.findIndex((date) => date >= first);
      const from = row < 0 ? columns.date.length : row;
      const later = Object.entries(columns).map(([field, column]) => [field, column.slice(from)] as const);
      return [
        key,
        { ...Object.fromEntries(later), date: columns.date.slice(from).map((date) => date - first) },
      ];
    });
    return new CountColumns({ dates: this.dates.slice(first), ofKey: Object.fromEntries(ofKey) });
  }

  /** JSON text, without columns of zeros. */
  pack(): string {
    const ofKey = Object.entries(this.ofKey).map(([key, columns]) => [
      key,
      Object.fromEntries(
        Object.entries(columns).filter(
          ([field, column]) => field === 'date' || column.some((count) => count !== 0),
        ),
      ),
    ]);
    return JSON.stringify({ dates: this.dates, ofKey: Object.fromEntries(ofKey) });
  }
}

/** The counts of each key on the first so many dates. */
interface Counted {
  readonly dates: number;
  readonly ofKey: Readonly<Record<string, KeyColumns>>;
}

/** The columns of a key, and how many of their rows are of those dates. */
function rowsOf({ dates, ofKey }: Counted, key: string) {
  const columns = ofKey[key];
  const date = columns?.date ?? [];
  let rows = date.length;
  while (rows > 0 && date[rows - 1]! >= dates) rows--;
  const column = (field: keyof Sum): readonly number[] => columns?.[field] ?? new Array(rows).fill(0);
  return { date, rows, column };
}

/** On the dates whose claims have all ended, those of the longest horizon too. */
function bestOf({ horizonOf }: Judged, cells: readonly TestedCell[]): BestCell {
  const dates = Math.min(...cells.map(({ test }) => test.byDate.length));
  const horizon = Math.max(...cells.map(({ key }) => horizonOf(key)));
  const { best, p } = superiorOf(
    cells.map(({ test: { deviate, byDate } }) => ({ deviate, byDate: byDate.subarray(0, dates) })),
    Math.max(BLOCK, 2 * horizon),
  );
  const { key, test } = cells[best]!;
  return { key, edge: test.value, p, of: cells.length };
}

/** Nothing is called whose own interval holds 0. */
function verdictOf({ rate, edge }: Cell, q: number | null, isExplored: boolean): Verdict {
  if (isExplored) return rate === null ? 'too_few' : 'explored';
  if (q === null) return 'too_few';
  if (q <= FALSE_CALLS && edge!.low > 0) return 'edge_shown';
  return q <= FALSE_CALLS && edge!.high < 0 ? 'worse_than_chance' : 'no_edge_shown';
}

type Cell = Omit<RecordFigures, 'tested' | 'q' | 'verdict'> & {
  /** The edge with what tests take of it; null with too few dates. */
  readonly test: EdgeEstimate | null;
};
type TestedCell = Cell & { readonly test: EdgeEstimate };

const isTested = (cell: Cell): cell is TestedCell => cell.test !== null;

function cellOf({ horizonOf, isOfStrata = false, measures: of }: Judged, key: string, days: Counted): Cell {
  const horizon = horizonOf(key);
  const { on, columns, total } = columnsOf(days, key);
  const { events, true: held } = columns;
  const n = sumOf(events);
  const dates = events.filter((count) => count > 0).length;
  const byStratum = isOfStrata ? eventsByStratum(days, controlsOf(key)) : null;
  const controls = isOfStrata ? columnsOf(days, controlsOf(key)).total.controls : total.controls;
  const counts = {
    key,
    n,
    dates,
    true: sumOf(held),
    undecided: total.undecided,
    gap: total.gap,
    gone: total.gone,
    ambiguous: total.ambiguous,
    controls,
  };
  const measures = {
    correlation: of === 'ranks' ? correlationOf(columns.measure, horizon, on) : null,
    reliability: of === 'ranks' ? reliabilityIn(days, key) : null,
    sharedWith: isOfStrata ? sharedIn(days, key, n) : [],
  };
  const none = { ...counts, ...measures, rate: null, chance: null, edge: null, gain: null, test: null };
  // A rate without chance says nothing, so that both are there or neither.
  const hasRate = n >= FEWEST.rate.events && dates >= FEWEST.rate.dates;
  if (!hasRate || controls < FEWEST.edge.controls) return none;
  const rate = rateOf({ events, true: held }, horizon, on);
  const edge =
    byStratum === null
      ? ownChance(meanEdge(columns.judged, columns.excess, horizon, on), rate.value)
      : comparedEdge(days, key, byStratum, horizon);
  const hasEdge = n >= FEWEST.edge.events && dates >= FEWEST.edge.dates;
  return {
    ...counts,
    ...measures,
    rate,
    chance: edge.chance,
    edge: hasEdge ? intervalOf(edge) : null,
    gain: of === 'gains' ? meanGain(columns, horizon, on) : null,
    test: hasEdge && dates >= fewestDates(horizon) ? edge : null,
  };
}

const fewestDates = (horizon: number): number =>
  horizon === 0 ? FEWEST.verdict.dates : FEWEST.verdict.datesOverDays;

/** @param measured rank correlations of dates, 0 for none */
function correlationOf(measured: Float64Array, horizon: number, on: Parameters<typeof meanEdge>[3]) {
  const isMeasured = measured.map((value) => (value === 0 ? 0 : 1));
  if (sumOf(isMeasured) < FEWEST.edge.dates) return null;
  return intervalOf(meanEdge(isMeasured, measured, horizon, on));
}

function reliabilityIn(days: Counted, key: string): Reliability | null {
  const column = () => new Float64Array(PROBABILITY_BINS);
  const counts = { events: column(), true: column(), forecast: column() };
  const { rows, column: columnOf } = rowsOf(days, binsOf(key));
  const [bins, events, held, forecast] = [
    columnOf('stratum'),
    columnOf('events'),
    columnOf('true'),
    columnOf('measure'),
  ];
  for (let row = 0; row < rows; row++) {
    const bin = bins[row]!;
    counts.events[bin]! += events[row]!;
    counts.true[bin]! += held[row]!;
    counts.forecast[bin]! += forecast[row]!;
  }
  return reliabilityOf(counts);
}

function sharedIn(days: Counted, key: string, n: number): SharedTouches[] {
  const counts = new Float64Array(LEVEL_FAMILIES.length);
  const { rows, column } = rowsOf(days, sharedOf(key));
  const [family, events] = [column('stratum'), column('events')];
  for (let row = 0; row < rows; row++) counts[family[row]!]! += events[row]!;
  return LEVEL_FAMILIES.map((family, at) => ({ key: family, share: n === 0 ? 0 : counts[at]! / n }))
    .filter(({ share }) => share >= SHARED_MIN)
    .sort((one, other) => other.share - one.share);
}

const intervalOf = ({ value, low, high }: Estimate): Estimate => ({ value, low, high });

const ownChance = (edge: EdgeEstimate, rate: number) => ({ ...edge, chance: rate - edge.value });

function meanGain(
  { events, gain: gains, judged, excess_gain: excess }: Columns,
  horizon: number,
  on: DatePlaces,
): Estimate & { readonly chance: number } {
  const gain = intervalOf(meanEdge(events, gains, horizon, on));
  return { ...gain, chance: gain.value - sumOf(excess) / sumOf(judged) };
}

type Columns = ReturnType<typeof columnsOf>['columns'];

/** Sums of a key by date that has any, and over all of them. */
function columnsOf(days: Counted, key: string) {
  const own = rowsOf(days, key);
  const at = Int32Array.from(new Set(own.date.slice(0, own.rows)));
  const column = (field: keyof Sum): Float64Array => {
    const sums = new Float64Array(at.length);
    const values = own.column(field);
    let place = 0;
    for (let row = 0; row < own.rows; row++) {
      if (at[place] !== own.date[row]) place++;
      sums[place]! += values[row]!;
    }
    return sums;
  };
  const columns = {
    events: column('events'),
    true: column('true'),
    judged: column('judged'),
    excess: column('excess'),
    measure: column('measure'),
    gain: column('gain'),
    excess_gain: column('excess_gain'),
  };
  const totalOf = (field: keyof Sum): number => {
    const values = own.column(field);
    let sum = 0;
    for (let row = 0; row < own.rows; row++) sum += values[row]!;
    return sum;
  };
  const total = {
    undecided: totalOf('undecided'),
    gap: totalOf('gap'),
    gone: totalOf('gone'),
    ambiguous: totalOf('ambiguous'),
    controls: totalOf('controls'),
  };
  return { on: { count: days.dates, at }, columns, total };
}

function comparedEdge(days: Counted, key: string, controls: Float64Array, horizon: number) {
  const groups = comparedIn(controls, STRATA_WIDTHS);
  // Numbered anew: most strata stand together with others.
  const places = new Map([...new Set(groups)].map((group, place) => [group, place]));
  const placeOf = groups.map((group) => places.get(group)!);
  const countsOf = (of: string) => stratifiedCounts(days, of, placeOf, places.size);
  return stratifiedEdge(countsOf(key), countsOf(controlsOf(key)), horizon);
}

function eventsByStratum(days: Counted, key: string): Float64Array {
  const sums = new Float64Array(STRATA);
  const { rows, column } = rowsOf(days, key);
  const [stratum, events] = [column('stratum'), column('events')];
  for (let row = 0; row < rows; row++) sums[stratum[row]!]! += events[row]!;
  return sums;
}

function stratifiedCounts(days: Counted, key: string, placeOf: Int32Array, strata: number): StratifiedCounts {
  const counts = {
    strata,
    events: new Float64Array(days.dates * strata),
    true: new Float64Array(days.dates * strata),
  };
  const { date, rows, column } = rowsOf(days, key);
  const [stratum, events, held] = [column('stratum'), column('events'), column('true')];
  for (let row = 0; row < rows; row++) {
    const at = date[row]! * strata + placeOf[stratum[row]!]!;
    counts.events[at]! += events[row]!;
    counts.true[at]! += held[row]!;
  }
  return counts;
}

const sumOf = (values: Float64Array): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};
