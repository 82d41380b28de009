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
  const open = columns.open[0]!;
  const fromMinute = Int32Array.from(levels, (level) => level.fromMinute);
  const events = levelEvents(columns, { price: real, fromMinute }, atr);
  const earlier = earlierLevels(source, date, levelsOn);
  return {
    symbol: tape.symbol,
    tradeDate: date,
    simulated: view.simulated,
    events: events.map((event) => claimOf(event, levels[event.level]!, session, { open, atr })),
    controls: controlsOf(earlier, day, columns),
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

/** A level of an earlier session, as far from its prior close. */
interface EarlierLevel extends Pick<FixedLevel, 'fromMinute'> {
  /** In ATR. */
  readonly distance: number;
}

/**
 * What became of levels where none was. They keep away from those that were known before the open alone: an opening range
 * is the session's own path, and controls that keep away from it are chosen by whether they held.
 */
function controlsOf(
  earlier: readonly EarlierLevel[],
  { atr, priorClose, levels }: LevelsOfDay,
  bars: SessionBars,
): ControlCount[] {
  const standing = Float64Array.from(
    levels.filter(({ fromMinute }) => fromMinute === 0),
    ({ price }) => price,
  );
  const counts = new Map<number, ControlCount & { events: number; true: number }>();
  for (const [fromMinute, some] of Map.groupBy(earlier, (level) => level.fromMinute)) {
    const distances = Float64Array.from(some, ({ distance }) => distance);
    const prices = placeboLevels(distances, priorClose, atr, standing);
    const starts = new Int32Array(prices.length).fill(fromMinute);
    for (const event of levelEvents(bars, { price: prices, fromMinute: starts }, atr)) {
      if (event.outcome !== 'true' && event.outcome !== 'false') continue;
      const stratum = stratumOf(event, prices[event.level]!, bars.open[0]!, atr);
      const count = counts.getOrInsertComputed(stratum, () => ({ stratum, events: 0, true: 0 }));
      count.events++;
      if (event.outcome === 'true') count.true++;
    }
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

/**
 * Levels of one family that lie within noise are one: that which was known first, since to drop it for a later one would
 * tell of what became of it.
 */
function withoutTwins(levels: readonly FixedLevel[], atr: number): FixedLevel[] {
  const kept: FixedLevel[] = [];
  for (const level of levels.toSorted((one, other) => one.fromMinute - other.fromMinute)) {
    const isTwin = kept.some(
      ({ family, price }) => family === level.family && Math.abs(price - level.price) <= NOISE_ATR * atr,
    );
    if (!isTwin) kept.push(level);
  }
  return kept;
}

/** The levels of the sessions before a date. */
function earlierLevels(
  { calendar }: TapeSource,
  date: string,
  levelsOn: (date: string) => LevelsOfDay | null,
): EarlierLevel[] {
  const index = calendar.sessionIndex(date);
  const found: EarlierLevel[] = [];
  for (let sessions = 1; sessions <= PLACEBO_SESSIONS; sessions++) {
    const earlier = calendar.sessionAt(index - sessions);
    const day = earlier === null ? null : levelsOn(earlier.tradeDate);
    if (day === null) continue;
    const { atr, priorClose } = day;
    for (const { fromMinute, price } of day.levels)
      found.push({ fromMinute, distance: (price - priorClose) / atr });
  }
  return found;
}
