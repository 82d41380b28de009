/**
 * How past analogs fared: over the S&P 500 dailies of 2016-2019, every tenth session from 2018 on, sixty stocks each are
 * held against every stock-day whose next 20 sessions had passed by then, and what followed their analogs against what
 * followed them. `node bench/analogs-record.ts` prints the table of docs/analogs.md; it needs the recorded data of
 * TIGRAPH_REAL_DATA.
 */

import { datedMean, spearman } from '../src/analysis/evaluation.ts';
import { outcomeOf, thinned } from '../src/analysis/similarity/analogs.ts';
import { DAY_MS, dateOf, midnightUtc, newYorkCalendar } from '../src/base/calendar.ts';
import { realStates, type StateTable, scanNearest } from './stock-states.ts';

const FROM = '2018-01-02';
const EVERY = 10;
const STOCKS = 60;
const NEAREST = 20;
/** What a search looks at first and at last. */
const LOOKED_AT = [60, 240, 960];
const HORIZONS = [1, 5, 20];
const LAST_HORIZON = 20;

const calendar = newYorkCalendar();
const sessionOfDay = new Map<number, number>();
const sessionOf = (day: number): number =>
  sessionOfDay.getOrInsertComputed(day, () => calendar.sessionIndex(dateOf(day * DAY_MS)));

/** Percent over so many rows after one, NaN where the stock has not as many without a gap. */
function returnAfter({ symbol, day, logReturn, rows }: StateTable, row: number, sessions: number): number {
  const last = row + sessions;
  if (last >= rows || symbol[last] !== symbol[row]) return Number.NaN;
  if (sessionOf(day[last]!) - sessionOf(day[row]!) !== sessions) return Number.NaN;
  let sum = 0;
  for (let at = row + 1; at <= last; at++) sum += logReturn[at]!;
  return Math.expm1(sum) * 100;
}

function analogsOf(table: StateTable, query: number, lastDay: number): number[] {
  let kept: { row: number }[] = [];
  for (const count of LOOKED_AT) {
    const near = scanNearest(table, query, lastDay, count).map(({ row }) => ({
      row,
      symbol: table.symbol[row]!,
      session: sessionOf(table.day[row]!),
    }));
    kept = thinned(near, NEAREST);
    if (kept.length === NEAREST) break;
  }
  return kept.map(({ row }) => row);
}

interface Pair {
  readonly said: number;
  readonly deviation: number;
  readonly isWithinQuartiles: boolean;
  readonly happened: number;
  /** Mean over every candidate of the date. */
  readonly base: number;
}

function record(table: StateTable): void {
  const dates = calendar.sessionsBetween(FROM, '2019-11-29').filter((_, at) => at % EVERY === 0);
  const after = HORIZONS.map((sessions) =>
    Float64Array.from({ length: table.rows }, (_, row) => returnAfter(table, row, sessions)),
  );
  const byDate: Pair[][][] = [];
  for (const [at, date] of dates.entries()) {
    const day = midnightUtc(date) / DAY_MS;
    const last = calendar.sessionAt(calendar.sessionIndex(date) - LAST_HORIZON)!.tradeDate;
    const lastDay = midnightUtc(last) / DAY_MS;
    const onDate = [...table.day.keys()].filter((row) => table.day[row] === day);
    const step = onDate.length / STOCKS;
    // Other stocks on every date, so that nearly all of them take part.
    const queries = Array.from(
      { length: STOCKS },
      (_, place) => onDate[Math.floor(place * step + (at % Math.floor(step)))]!,
    );
    const base = HORIZONS.map((_, horizon) => meanUntil(table, after[horizon]!, lastDay));
    const pairs = queries.map((query) => {
      const rows = analogsOf(table, query, lastDay);
      return HORIZONS.map((_, horizon): Pair | null => {
        const happened = after[horizon]![query]!;
        const returns = rows.map((row) => after[horizon]![row]!).filter(Number.isFinite);
        const { mean, deviation, q1, q3 } = outcomeOf(returns);
        if (Number.isNaN(happened) || mean === null) return null;
        const isWithinQuartiles = happened >= q1! && happened <= q3!;
        return { said: mean, deviation: deviation!, isWithinQuartiles, happened, base: base[horizon]! };
      });
    });
    byDate.push(HORIZONS.map((_, horizon) => pairs.flatMap((pair) => pair[horizon] ?? [])));
  }
  print(byDate);
}

function meanUntil({ day }: StateTable, returns: Float64Array, lastDay: number): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < returns.length; row++) {
    if (day[row]! > lastDay || Number.isNaN(returns[row]!)) continue;
    sum += returns[row]!;
    count++;
  }
  return sum / count;
}

function print(byDate: readonly (readonly (readonly Pair[])[])[]): void {
  console.log(
    '| sessions | queries | dates | rank correlation of mean and return, within a date | 95 % | pooled correlation | sign right | rose | rank correlation of spread and size of the move | 95 % | within the quartiles | squared error against the base rate |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [horizon, sessions] of HORIZONS.entries()) {
    const dates = byDate.map((pairs) => pairs[horizon]!);
    const all = dates.flat();
    const lags = Math.ceil(sessions / EVERY);
    const column = (pairs: readonly Pair[], of: (pair: Pair) => number): Float64Array =>
      Float64Array.from(pairs, of);
    const mean = datedMean(
      Float64Array.from(dates, (pairs) =>
        spearman(
          column(pairs, (p) => p.said),
          column(pairs, (p) => p.happened),
        ),
      ),
      lags,
    );
    const spread = datedMean(
      Float64Array.from(dates, (pairs) =>
        spearman(
          column(pairs, (p) => p.deviation),
          column(pairs, (p) => Math.abs(p.happened)),
        ),
      ),
      lags,
    );
    const share = (is: (pair: Pair) => boolean): string =>
      `${((100 * all.filter(is).length) / all.length).toFixed(1)} %`;
    const error = (said: (pair: Pair) => number): number =>
      all.reduce((sum, pair) => sum + (pair.happened - said(pair)) ** 2, 0) / all.length;
    const cells = [
      sessions,
      all.length,
      dates.length,
      mean.mean.toFixed(3),
      `${mean.low.toFixed(3)} to ${mean.high.toFixed(3)}`,
      pearson(all).toFixed(3),
      share(({ said, happened }) => Math.sign(said) === Math.sign(happened)),
      share(({ happened }) => happened > 0),
      spread.mean.toFixed(3),
      `${spread.low.toFixed(3)} to ${spread.high.toFixed(3)}`,
      share(({ isWithinQuartiles }) => isWithinQuartiles),
      `${(error((pair) => pair.said) / error((pair) => pair.base)).toFixed(3)}x`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function pearson(pairs: readonly Pair[]): number {
  const centre = (of: (pair: Pair) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [said, happened] = [centre((pair) => pair.said), centre((pair) => pair.happened)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const pair of pairs) {
    const [x, y] = [pair.said - said, pair.happened - happened];
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xy / Math.sqrt(xx * yy);
}

const table = await realStates();
if (table === null) {
  console.error('There are no recorded dailies: set TIGRAPH_REAL_DATA.');
  process.exitCode = 1;
} else {
  record(table);
}
