import { regularMinutes } from '../analysis/backtest/session-columns.ts';
import { type LevelFamily, NOISE_ATR } from '../analysis/level-ladder.ts';
import type { ClaimEvent, ControlCount, SymbolClaims } from '../analysis/records/claims.ts';
import {
  type LevelEvent,
  levelEvents,
  placeboLevels,
  type SessionBars,
  stratumOf,
} from '../analysis/records/level-events.ts';
import { MINUTE_MS } from '../analysis/sessions.ts';
import { DAY_MS, midnightUtc, type Session } from '../base/calendar.ts';
import { levelLadder } from '../blocks/level-ladder.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import { readStockView, type SymbolTape } from '../market/tape/index.ts';
import { deriveWith } from './compose.ts';
import type { TapeSource } from './tape-source.ts';

export interface LevelClaimsWork {
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending. */
  readonly dates: readonly string[];
}

/** Sessions before, whose levels serve as placebos. */
const PLACEBO_SESSIONS = 10;
/** Minutes after the open from which an opening range is one. */
const WINDOW_MINUTES: Readonly<Record<string, number>> = { orb_5m: 5, orb_15m: 15, orb_30m: 30, ib: 60 };
/** Levels that move during the session. */
const MOVING: readonly LevelFamily[] = ['vwap', 'developing_profile'];

/** A level that holds still over the session. */
interface FixedLevel {
  readonly family: LevelFamily;
  readonly name: string;
  readonly price: number;
  readonly fromMinute: number;
}

interface LevelsOfDay {
  readonly atr: number;
  readonly priorClose: number;
  readonly levels: readonly FixedLevel[];
}

/**
 * What became of the levels that were served on some dates, and of levels where none was. Dates without the minutes of a
 * whole session are left out.
 *
 * @param isCalledOff checked before each symbol; the rest is left out once it is true
 */
export function levelClaims(
  source: TapeSource,
  { tapes, dates }: LevelClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  const claims: SymbolClaims[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return claims;
    const held = new Map<string, LevelsOfDay | null>();
    for (const date of dates) {
      if (!hasMinutes(tape, date)) continue;
      const own = claimsOf(source, tape, date, (day) =>
        held.getOrInsertComputed(day, () => levelsServed(source, tape, day)),
      );
      if (own !== null) claims.push(own);
    }
  }
  return claims;
}

function hasMinutes(tape: SymbolTape, date: string): boolean {
  const day = midnightUtc(date) / DAY_MS;
  return (
    tape.slices.some(({ kind, days }) => kind === 'bars-1m' && days.includes(day)) ||
    tape.running.some(({ kind }) => kind === 'bars-1m')
  );
}

function claimsOf(
  source: TapeSource,
  tape: SymbolTape,
  date: string,
  levelsOn: (date: string) => LevelsOfDay | null,
): SymbolClaims | null {
  const session = source.calendar.session(date)!;
  const view = readStockView(source.reader, tape, source.calendar, date, session.close);
  const bars = view === null ? null : regularMinutes(view.intraday, view.intradayInterval, session);
  if (view === null || bars === null || !view.intradayWhole) return null;
  const day = levelsOn(date);
  if (day === null) return null;
  const columns = sessionBars(bars, session);
  const { atr, levels } = day;
  const real = Float64Array.from(levels, ({ price }) => price);
  const placebo = placeboLevels(earlierDistances(source, date, levelsOn), day.priorClose, atr, real);
  const open = columns.open[0]!;
  const fromMinute = Int32Array.from(levels, (level) => level.fromMinute);
  const events = levelEvents(columns, { price: real, fromMinute }, atr);
  const controls = levelEvents(columns, { price: placebo, fromMinute: new Int32Array(placebo.length) }, atr);
  return {
    symbol: tape.symbol,
    tradeDate: date,
    simulated: view.simulated,
    events: events.map((event) => claimOf(event, levels[event.level]!, session, { open, atr })),
    controls: controlsByStratum(controls, placebo, open, atr),
  };
}

function claimOf(
  event: LevelEvent,
  { family, name, price }: FixedLevel,
  session: Session,
  { open, atr }: { readonly open: number; readonly atr: number },
): ClaimEvent {
  // A bar counts at its end.
  const instantOf = (minute: number): number => session.open + (minute + 1) * MINUTE_MS;
  return {
    key: family,
    claim: name,
    begunAt: instantOf(event.minute),
    decidedAt: Number.isNaN(event.decidedAt) ? null : instantOf(event.decidedAt),
    side: event.side,
    price,
    outcome: event.outcome,
    isGone: false,
    isAmbiguous: event.isAmbiguous,
    chance: null,
    controls: 0,
    stratum: stratumOf(event, price, open, atr),
  };
}

function controlsByStratum(
  events: readonly LevelEvent[],
  prices: Float64Array,
  open: number,
  atr: number,
): ControlCount[] {
  const counts = new Map<number, { stratum: number; events: number; true: number }>();
  for (const event of events) {
    if (event.outcome !== 'true' && event.outcome !== 'false') continue;
    const stratum = stratumOf(event, prices[event.level]!, open, atr);
    const count = counts.getOrInsertComputed(stratum, () => ({ stratum, events: 0, true: 0 }));
    count.events++;
    if (event.outcome === 'true') count.true++;
  }
  return [...counts.values()].sort((a, b) => a.stratum - b.stratum);
}

function sessionBars(bars: BarColumns, session: Session): SessionBars {
  const { time, open, high, low, close } = bars;
  return {
    minute: Int32Array.from(time, (at) => Math.round((at - session.open) / MINUTE_MS)),
    open,
    high,
    low,
    close,
  };
}

/**
 * The levels of a session that hold still in it: those known when its first minute has ended, before which no event can
 * begin, and its opening ranges from the end of their windows on.
 */
function levelsServed({ reader, calendar }: TapeSource, tape: SymbolTape, date: string): LevelsOfDay | null {
  const session = calendar.session(date)!;
  const ladderAt = (minutes: number) => {
    const asOf = session.open + minutes * MINUTE_MS;
    const view = readStockView(reader, tape, calendar, date, asOf);
    if (view === null) return null;
    const ladder = deriveWith(levelLadder, view, unknownMarket(date, asOf)).nested;
    return ladder === null ? null : { ladder, priorClose: view.daily.close[view.priorRow] ?? Number.NaN };
  };
  const early = ladderAt(1);
  if (early === null || early.ladder.atr === null || !(early.priorClose > 0)) return null;
  const late = ladderAt(WINDOW_MINUTES.ib! + 1);
  const fixed: FixedLevel[] = early.ladder.levels
    .filter(({ family }) => family !== 'opening' && !MOVING.includes(family))
    .map(({ family, name, price }) => ({ family, name, price, fromMinute: 0 }));
  for (const { family, name, price } of late?.ladder.levels ?? []) {
    if (family !== 'opening') continue;
    const window = Object.keys(WINDOW_MINUTES).find((prefix) => name.startsWith(`${prefix}_`))!;
    fixed.push({ family, name, price, fromMinute: WINDOW_MINUTES[window]! });
  }
  const { atr } = early.ladder;
  return { atr, priorClose: early.priorClose, levels: withoutTwins(fixed, atr) };
}

/** Levels of one family that lie within noise are one: the first in the order of the ladder. */
function withoutTwins(levels: readonly FixedLevel[], atr: number): FixedLevel[] {
  const kept: FixedLevel[] = [];
  for (const level of levels) {
    const isTwin = kept.some(
      ({ family, price }) => family === level.family && Math.abs(price - level.price) <= NOISE_ATR * atr,
    );
    if (!isTwin) kept.push(level);
  }
  return kept;
}

/** Distances from the prior close, in ATR, of the levels of the sessions before a date. */
function earlierDistances(
  { calendar }: TapeSource,
  date: string,
  levelsOn: (date: string) => LevelsOfDay | null,
): Float64Array {
  const index = calendar.sessionIndex(date);
  const distances: number[] = [];
  for (let sessions = 1; sessions <= PLACEBO_SESSIONS; sessions++) {
    const earlier = calendar.sessionAt(index - sessions);
    const day = earlier === null ? null : levelsOn(earlier.tradeDate);
    for (const { price } of day?.levels ?? []) distances.push((price - day!.priorClose) / day!.atr);
  }
  return Float64Array.from(distances);
}
