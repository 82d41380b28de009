import { hash } from 'node:crypto';
import {
  type CloseColumns,
  type MarketPart,
  marketPart,
  marketStates,
  STATE_FIRST_ROW,
  STATE_WIDTH,
} from './analysis/similarity/index.ts';
import { type Calendar, dateOf } from './base/calendar.ts';
import { isCoded } from './base/errors.ts';
import type { NewStateYear, StateDay, StateYear, SymbolStates } from './base/stock-state.ts';
import type { StatesRequest } from './blocks/deriver.ts';
import type { SegmentReader, SymbolTape } from './market/tape/index.ts';
import { readDailyHistory } from './market/tape/read-history.ts';

/** Places after the point that a number of a state is kept with: rounding of prices on another basis lies far below. */
const PLACES = 4;

/**
 * How stocks looked on every completed session of their histories, each symbol read once and whole. Years whose states
 * are what is kept of them are left out, and of a year that only grew the days that are kept.
 *
 * @param isCalledOff asked before each symbol; the rest is left out once it is true
 */
export function symbolStates(
  reader: SegmentReader,
  calendar: Calendar,
  { tapes, indices, fears, lastDay, kept }: StatesRequest,
  isCalledOff: () => boolean,
): SymbolStates[] {
  const closesOf = (tape: SymbolTape): CloseColumns[] => historyOf(reader, tape, calendar, lastDay);
  const market = marketPart(indices.flatMap(closesOf), fears.flatMap(closesOf));
  const keptOf = Map.groupBy(kept, ({ symbol }) => symbol);
  const answers: SymbolStates[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return answers;
    const { symbol } = tape;
    try {
      const days = readDailyHistory(reader, tape, calendar, lastDay).flatMap((bars) =>
        stateDays(symbol, bars, market),
      );
      answers.push({ symbol, years: changedYears(symbol, days, keptOf.get(symbol) ?? []), failure: null });
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

function stateDays(symbol: string, bars: Parameters<typeof marketStates>[0], market: MarketPart): StateDay[] {
  const { states, logReturn } = marketStates(bars, market);
  const days: StateDay[] = [];
  for (let row = STATE_FIRST_ROW; row < bars.time.length; row++) {
    days.push({
      symbol,
      tradeDate: dateOf(bars.time[row]!),
      logReturn: logReturn[row]!,
      state: vectorText(states, row * STATE_WIDTH),
    });
  }
  return days;
}

function vectorText(states: Float32Array, from: number): string {
  let text = '[';
  for (let at = from; at < from + STATE_WIDTH; at++) {
    // Number drops trailing zeros and the sign of a zero.
    text += `${at === from ? '' : ','}${Number(states[at]!.toFixed(PLACES)) + 0}`;
  }
  return `${text}]`;
}

function changedYears(symbol: string, days: readonly StateDay[], kept: readonly StateYear[]): NewStateYear[] {
  const byYear = Map.groupBy(days, ({ tradeDate }) => Number(tradeDate.slice(0, 4)));
  const changed: NewStateYear[] = [];
  for (const [year, own] of byYear) {
    const known = kept.find((one) => one.year === year);
    const through = own.at(-1)!.tradeDate;
    const digest = digestOf(own);
    if (known?.digest === digest) continue;
    const after = known === undefined ? 0 : own.findIndex(({ tradeDate }) => tradeDate > known.through);
    const isGrown = known !== undefined && after > 0 && digestOf(own.slice(0, after)) === known.digest;
    changed.push({
      symbol,
      year,
      through,
      digest,
      isRewritten: !isGrown,
      days: isGrown ? own.slice(after) : own,
    });
  }
  for (const gone of kept) {
    if (!byYear.has(gone.year)) changed.push({ ...gone, digest: '', isRewritten: true, days: [] });
  }
  return changed;
}

const digestOf = (days: readonly StateDay[]): string =>
  hash(
    'sha1',
    days.map(({ tradeDate, logReturn, state }) => `${tradeDate} ${logReturn} ${state}`).join('\n'),
  );
