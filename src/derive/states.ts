import { createHash } from 'node:crypto';
import { type CloseColumns, type MarketPart, marketPart } from '../analysis/similarity/market-features.ts';
import { marketStates, STATE_FIRST_ROW, STATE_WIDTH } from '../analysis/similarity/states.ts';
import { type Calendar, DAY_MS } from '../base/calendar.ts';
import { isCoded } from '../base/errors.ts';
import {
  STATE_PARTS,
  type StateDays,
  type StateYear,
  type StateYearDays,
  type SymbolStates,
} from '../base/stock-state.ts';
import type { StatesRequest } from './deriver.ts';
import type { SegmentReader, SymbolTape } from '../market/tape/index.ts';
import { readDailyHistory } from '../market/tape/read-history.ts';

/** Parts of one that a log return is kept in: what rounding makes of prices on another basis lies far below. */
const LOG_RETURN_PARTS = 1e11;

/**
 * How stocks looked on every completed session of their histories, each symbol read once and whole. Years whose states
 * are what is kept of them are left out.
 *
 * @param isCalledOff asked before each symbol; the rest is left out once it is true
 */
export function symbolStates(
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, indices, volatilityIndices, lastDay, kept }: StatesRequest,
  isCalledOff: () => boolean,
): SymbolStates[] {
  const closesOf = (tape: SymbolTape): CloseColumns[] => historyOf(reader, tape, calendar, lastDay);
  const market = marketPart(indices.flatMap(closesOf), volatilityIndices.flatMap(closesOf));
  const keptOf = Map.groupBy(kept, ({ symbol }) => symbol);
  const answers: SymbolStates[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return answers;
    const { symbol } = tape;
    try {
      const years = readDailyHistory(reader, tape, calendar, lastDay).map((bars) =>
        statesByYear(bars, market),
      );
      answers.push({ symbol, years: changedYears(symbol, years, keptOf.get(symbol) ?? []), failure: null });
    } catch (error) {
      answers.push({ symbol, years: [], failure: (error as Error).message });
    }
  }
  return answers;
}

/** What stands for the market and cannot be read says nothing; its own derivation says so. */
function historyOf(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  lastDay: number,
): CloseColumns[] {
  try {
    return readDailyHistory(reader, tape, calendar, lastDay);
  } catch (error) {
    if (isCoded(error) && error.code === 'tape_damaged') return [];
    throw error;
  }
}

type Years = ReadonlyMap<number, StateDays>;

function statesByYear(bars: Parameters<typeof marketStates>[0], market: MarketPart): Years {
  const { states, logReturn } = marketStates(bars, market);
  const rows = Array.from(
    { length: Math.max(0, bars.time.length - STATE_FIRST_ROW) },
    (_, at) => STATE_FIRST_ROW + at,
  );
  const years = Map.groupBy(rows, (row) => new Date(bars.time[row]!).getUTCFullYear());
  return new Map(
    Array.from(years, ([year, own]) => [
      year,
      {
        days: Int32Array.from(own, (row) => bars.time[row]! / DAY_MS),
        logReturns: Float64Array.from(
          own,
          (row) => Math.round(logReturn[row]! * LOG_RETURN_PARTS) / LOG_RETURN_PARTS,
        ),
        states: Int16Array.from(
          states.subarray(own[0]! * STATE_WIDTH, (own.at(-1)! + 1) * STATE_WIDTH),
          (value) => Math.round(value * STATE_PARTS),
        ),
      },
    ]),
  );
}

/** Years that differ from what is kept; a year may lie on both sides of a hole. */
function changedYears(symbol: string, parts: readonly Years[], kept: readonly StateYear[]): StateYearDays[] {
  const years = new Map<number, StateDays>();
  for (const part of parts) {
    for (const [year, own] of part) years.set(year, joined(years.get(year), own));
  }
  for (const { year } of kept) if (!years.has(year)) years.set(year, NO_DAYS);
  const digests = new Map(kept.map(({ year, digest }) => [year, digest]));
  return Array.from(years, ([year, own]) => ({ symbol, year, digest: digestOf(own), ...own })).filter(
    ({ year, digest }) => digests.get(year) !== digest,
  );
}

const NO_DAYS: StateDays = {
  days: new Int32Array(),
  logReturns: new Float64Array(),
  states: new Int16Array(),
};

const joined = (one: StateDays | undefined, other: StateDays): StateDays =>
  one === undefined
    ? other
    : {
        days: Int32Array.of(...one.days, ...other.days),
        logReturns: Float64Array.of(...one.logReturns, ...other.logReturns),
        states: Int16Array.of(...one.states, ...other.states),
      };

function digestOf({ days, logReturns, states }: StateDays): string {
  const digest = createHash('sha1');
  for (const column of [days, logReturns, states]) digest.update(column);
  return digest.digest('hex');
}
