import { hash } from 'node:crypto';
import { indexTrend, MarketTally, percentile252 } from '../analysis/market-state.ts';
import { type Calendar, DAY_MS, midnightUtc } from '../base/calendar.ts';
import { finiteOrNull } from '../base/wire.ts';
import {
  type Breadth,
  INDEX_SYMBOLS,
  type IndexState,
  type MarketView,
  type SectorState,
  VIX_SYMBOLS,
  type VixState,
} from '../market/market-view.ts';
import type { MarketTape } from '../tape/index.ts';
import type { MarketInstant } from '../tape/market-tapes.ts';
import { type DailyRun, isCompleted, type MarketDay, readDailyRuns } from '../tape/read-market.ts';
import type { MarketRequest, MarketSnapshot } from './deriver.ts';
import { type TapeSource, unlessDamaged } from './tape-source.ts';

/** Completed sessions of the index in a snapshot: a year of returns. */
const INDEX_CLOSES_MAX = 253;

/**
 * The market at every requested instant in one walk over the symbols, each read once, so that memory does not grow with
 * their number. Symbols with a damaged file are left out.
 *
 * @param tapes in the order of their symbols
 * @param isCalledOff checked before each symbol; the result is empty once it is true
 */
export function marketSnapshots(
  source: TapeSource,
  { tapes, days }: MarketRequest,
  isCalledOff: () => boolean,
): MarketSnapshot[] {
  const instants = days.map((day) => marketDay(source.calendar, day));
  const tallies = instants.map(() => new MarketTally());
  const benchmarks = new Map<string, readonly (DailyRun | null)[]>();
  for (const tape of tapes) {
    if (isCalledOff()) return [];
    const isBenchmark = INDEX_SYMBOLS.includes(tape.symbol) || VIX_SYMBOLS.includes(tape.symbol);
    if (tape.symbol.startsWith('^') && !isBenchmark) continue;
    const runs = dailyRuns(source, tape, instants);
    if (isBenchmark) benchmarks.set(tape.symbol, runs);
    else count(tape, runs, instants, tallies);
  }
  return instants.map((instant, at) => {
    const runOf = (symbol: string): DailyRun | null => benchmarks.get(symbol)?.[at] ?? null;
    return snapshotOf({
      tradeDate: instant.tradeDate,
      asOf: instant.asOf,
      vix: vixState(newestOf(VIX_SYMBOLS, runOf, instant)),
      index: indexState(newestOf(INDEX_SYMBOLS, runOf, instant), instant),
      breadth: breadthOf(tallies[at]!),
      sectors: tallies[at]!.sectors() satisfies SectorState[],
    });
  });
}

export function marketDay(calendar: Calendar, { tradeDate, asOf }: MarketInstant): MarketDay {
  const session = calendar.session(tradeDate);
  if (session === null) throw new Error(`${tradeDate} is no session`);
  const day = midnightUtc(tradeDate) / DAY_MS;
  const priorDate = calendar.previousSession(tradeDate);
  // Before the calendar's first session there is none, and no bar either.
  const priorDay = priorDate === null ? day - 1 : midnightUtc(priorDate) / DAY_MS;
  return { tradeDate, asOf, session, day, priorDay };
}

/** Empty for a symbol whose file is damaged; its own derivation reports that. */
export function dailyRuns(
  { reader, calendar }: TapeSource,
  tape: MarketTape,
  days: readonly MarketDay[],
): (DailyRun | null)[] {
  return unlessDamaged(() => readDailyRuns(reader, tape, calendar, days));
}

/** A stock counts on a date with a bar on it and on the session before. */
function count(
  { sectors }: MarketTape,
  runs: readonly (DailyRun | null)[],
  instants: readonly MarketDay[],
  tallies: readonly MarketTally[],
): void {
  for (const [at, run] of runs.entries()) {
    const { day, priorDay, asOf } = instants[at]!;
    if (run === null || run.row === run.first || !isOn(run, run.row, day)) continue;
    if (!isOn(run, run.row - 1, priorDay)) continue;
    tallies[at]!.add(run, sectors.findLast(({ knownAt }) => knownAt <= asOf)?.sector ?? null);
  }
}

const isOn = ({ time }: DailyRun, row: number, day: number): boolean => time[row] === day * DAY_MS;

interface LastBar {
  readonly symbol: string;
  readonly run: DailyRun;
}

/** The first of the symbols whose newest bar is of the trade date or of the session before. */
function newestOf(
  symbols: readonly string[],
  runOf: (symbol: string) => DailyRun | null,
  { day, priorDay }: MarketDay,
): LastBar | null {
  for (const symbol of symbols) {
    const run = runOf(symbol);
    if (run !== null && (isOn(run, run.row, day) || isOn(run, run.row, priorDay))) return { symbol, run };
  }
  return null;
}

function vixState(lastBar: LastBar | null): VixState | null {
  if (lastBar === null) return null;
  const { symbol, run } = lastBar;
  const { close, first, row } = run;
  const level = close[row]!;
  return {
    symbol,
    level,
    change1dPct: row === first ? null : (level / close[row - 1]! - 1) * 100,
    percentile252: finiteOrNull(percentile252(close, first, row)),
  };
}

function indexState(lastBar: LastBar | null, instant: MarketDay): IndexState | null {
  if (lastBar === null) return null;
  const { symbol, run } = lastBar;
  const close = run.close.subarray(run.first, run.row + 1);
  const trend = indexTrend(close);
  const isRunning = !isCompleted(instant) && isOn(run, run.row, instant.day);
  const completed = isRunning ? run.row : run.row + 1;
  const from = Math.max(run.first, completed - INDEX_CLOSES_MAX);
  return {
    symbol,
    last: close.at(-1)!,
    return1dPct: finiteOrNull(trend.return1dPct),
    return5dPct: finiteOrNull(trend.return5dPct),
    return20dPct: finiteOrNull(trend.return20dPct),
    sma50: finiteOrNull(trend.sma50),
    sma200: finiteOrNull(trend.sma200),
    slope20Pct: finiteOrNull(trend.slope20Pct),
    time: Array.from(run.time.subarray(from, completed)),
    close: Array.from(run.close.subarray(from, completed)),
  };
}

function breadthOf(tally: MarketTally): Breadth | null {
  const breadth = tally.breadth();
  if (breadth === null) return null;
  const { aboveSma50, aboveSma200 } = breadth;
  return { ...breadth, aboveSma50: finiteOrNull(aboveSma50), aboveSma200: finiteOrNull(aboveSma200) };
}

/** As text, the stored form, so that computed and stored snapshots have the same numbers. */
function snapshotOf(view: MarketView): MarketSnapshot {
  const text = JSON.stringify(view);
  return { tradeDate: view.tradeDate, text, digest: hash('sha1', text) };
}
