import { createHash } from 'node:crypto';
import { type CloseColumns, type MarketPart, marketPart } from '../analysis/similarity/market-features.ts';
import { marketStates, STATE_FIRST_ROW, STATE_WIDTH } from '../analysis/similarity/states.ts';
import { DAY_MS } from '../base/calendar.ts';
import { readDailyHistory } from '../tape/daily-history.ts';
import type { SymbolTape } from '../tape/index.ts';
import type { StatesRequest } from './deriver.ts';
import {
  STATE_PARTS,
  type StateDays,
  type StateYear,
  type StateYearDays,
  type SymbolStates,
} from './stock-state.ts';
import { type TapeSource, unlessDamaged } from './tape-source.ts';

/** Precision of a log return, which rounding of prices on another basis does not reach. */
const LOG_RETURN_PARTS = 1e11;

/**
 * States of stocks on every completed session of their histories; unchanged years are left out.
 *
 * @param isCalledOff checked before each symbol; the rest is left out once it is true
 */
export function symbolStates(
  source: TapeSource,
  { tapes, indices, volatilityIndices, lastDay, stored }: StatesRequest,
  isCalledOff: () => boolean,
): SymbolStates[] {
  const historyOf = (tape: SymbolTape) => readDailyHistory(source.reader, tape, source.calendar, lastDay);
  const closesOf = (tape: SymbolTape): CloseColumns[] => unlessDamaged(() => historyOf(tape));
  const market = marketPart(indices.flatMap(closesOf), volatilityIndices.flatMap(closesOf));
  const storedOf = Map.groupBy(stored, ({ symbol }) => symbol);
  const answers: SymbolStates[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return answers;
    const { symbol } = tape;
    try {
      const years = historyOf(tape).map((bars) => statesByYear(bars, market));
      answers.push({ symbol, years: changedYears(symbol, years, storedOf.get(symbol) ?? []), failure: null });
    } catch (error) {
      answers.push({ symbol, years: [], failure: (error as Error).message });
    }
  }
  return answers;
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

/** Years that differ from the stored ones; a year may lie on both sides of a gap. */
function changedYears(
  symbol: string,
  parts: readonly Years[],
  stored: readonly StateYear[],
): StateYearDays[] {
  const years = new Map<number, StateDays>();
  for (const part of parts) {
    for (const [year, own] of part) years.set(year, joined(years.get(year), own));
  }
  for (const { year } of stored) if (!years.has(year)) years.set(year, NO_DAYS);
  const digests = new Map(stored.map(({ year, digest }) => [year, digest]));
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
