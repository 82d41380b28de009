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
import { vwapColumns } from '../analysis/vwap.ts';
import { dayOf, type Session } from '../base/calendar.ts';
import { levelLadder } from '../blocks/level-ladder.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import { readStockView, type SymbolTape } from '../market/tape/index.ts';
import { deriveWith } from './compose.ts';
import { type TapeSource, unlessDamaged } from './tape-source.ts';

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
  /** Minutes of the whole session; null where the tape has none, or a fragment. */
  readonly bars: SessionBars | null;
  /** VWAP at the end of each of these minutes. */
  readonly vwap: Float64Array;
  readonly simulated: boolean;
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
    claims.push(...unlessDamaged(() => claimsOfSymbol(source, tape, dates)));
  }
  return claims;
}

function claimsOfSymbol(source: TapeSource, tape: SymbolTape, dates: readonly string[]): SymbolClaims[] {
  const known = new Map<string, LevelsOfDay | null>();
  const levelsOn = (date: string): LevelsOfDay | null =>
    known.getOrInsertComputed(date, () => levelsServed(source, tape, date));
  return dates
    .filter((date) => hasMinutesOn(tape, dayOf(date)))
    .flatMap((date) => claimsOn(source, tape, date, levelsOn) ?? []);
}

export function hasMinutesOn(tape: SymbolTape, day: number): boolean {
  return (
    tape.slices.some(({ kind, days }) => kind === 'bars-1m' && days.includes(day)) ||
    tape.running.some(({ kind }) => kind === 'bars-1m')
  );
}

function claimsOn(
  source: TapeSource,
  tape: SymbolTape,
  date: string,
  levelsOn: (date: string) => LevelsOfDay | null,
): SymbolClaims | null {
  const session = source.calendar.session(date)!;
  const day = levelsOn(date);
  if (day === null || day.bars === null) return null;
  const { atr, levels, bars, vwap } = day;
  const price = Float64Array.from(levels, (level) => level.price);
  const fromMinute = Int32Array.from(levels, (level) => level.fromMinute);
  const moving = { price: Float64Array.of(Number.NaN), fromMinute: Int32Array.of(0), paths: [vwap] };
  const earlier = earlierDays(source, date, levelsOn);
  const place = { open: bars.open[0]!, atr };
  return {
    symbol: tape.symbol,
    tradeDate: date,
    simulated: day.simulated,
    events: [
      ...levelEvents(bars, { price, fromMinute }, atr).map((event) =>
        claimOf(event, levels[event.level]!, session, place),
      ),
      ...levelEvents(bars, moving, atr).map((event) => claimOf(event, VWAP, session, place)),
    ],
    controls: [...controlsOfLevels(earlier, day, bars), ...controlsOfVwap(earlier, day, bars)],
  };
}

const VWAP = { family: 'vwap', name: 'vwap' } as const;

function claimOf(
  event: LevelEvent,
  { family, name }: Pick<FixedLevel, 'family' | 'name'>,
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
    price: event.price,
    outcome: event.outcome,
    isGone: false,
    isAmbiguous: event.isAmbiguous,
    chance: null,
    controls: 0,
    stratum: stratumOf(event, event.price, open, atr),
  };
}

/**
 * What became of levels where none was: those of earlier sessions, as far from the prior close. They keep away from levels
 * that were known before the open alone: an opening range is the session's own path, and controls that keep away from it
 * are chosen by whether they held.
 */
function controlsOfLevels(
  earlier: readonly LevelsOfDay[],
  { atr, priorClose, levels }: LevelsOfDay,
  bars: SessionBars,
): ControlCount[] {
  const standing = Float64Array.from(
    levels.filter(({ fromMinute }) => fromMinute === 0),
    ({ price }) => price,
  );
  const far = earlier.flatMap((day) =>
    day.levels.map(({ fromMinute, price }) => ({ fromMinute, distance: (price - day.priorClose) / day.atr })),
  );
  const events = [...Map.groupBy(far, ({ fromMinute }) => fromMinute)].flatMap(([fromMinute, some]) => {
    const distances = Float64Array.from(some, ({ distance }) => distance);
    const price = placeboLevels(distances, priorClose, atr, standing);
    return levelEvents(bars, { price, fromMinute: new Int32Array(price.length).fill(fromMinute) }, atr);
  });
  return byStratum(null, events, bars, atr);
}

/** What became of the paths that the VWAP of earlier sessions took, minute by minute as far from the prior close. */
function controlsOfVwap(
  earlier: readonly LevelsOfDay[],
  { atr, priorClose }: LevelsOfDay,
  bars: SessionBars,
): ControlCount[] {
  const paths = earlier.flatMap((day) => {
    if (day.bars === null) return [];
    const { minute } = day.bars;
    let at = -1;
    return [
      Float64Array.from(bars.minute, (now) => {
        while (at + 1 < minute.length && minute[at + 1]! <= now) at++;
        return priorClose + (((day.vwap[at] ?? Number.NaN) - day.priorClose) / day.atr) * atr;
      }),
    ];
  });
  const nothing = { price: new Float64Array(paths.length), fromMinute: new Int32Array(paths.length) };
  return byStratum(VWAP.family, levelEvents(bars, { ...nothing, paths }, atr), bars, atr);
}

function byStratum(
  of: string | null,
  events: readonly LevelEvent[],
  { open }: SessionBars,
  atr: number,
): ControlCount[] {
  const counts = new Map<number, ControlCount & { events: number; true: number }>();
  for (const event of events) {
    if (event.outcome !== 'true' && event.outcome !== 'false') continue;
    const stratum = stratumOf(event, event.price, open[0]!, atr);
    const count = counts.getOrInsertComputed(stratum, () => ({ of, stratum, regime: 0, events: 0, true: 0 }));
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
  const whole = readStockView(reader, tape, calendar, date, session.close);
  const minutes =
    whole === null || !whole.intradayWhole
      ? null
      : regularMinutes(whole.intraday, whole.intradayInterval, session);
  return {
    atr,
    priorClose: early.priorClose,
    levels: withoutTwins(fixed, atr),
    bars: minutes === null ? null : sessionBars(minutes, session),
    vwap:
      minutes === null ? new Float64Array() : vwapColumns(minutes, { from: 0, to: minutes.time.length }).vwap,
    simulated: whole?.simulated ?? false,
  };
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
function earlierDays(
  { calendar }: TapeSource,
  date: string,
  levelsOn: (date: string) => LevelsOfDay | null,
): LevelsOfDay[] {
  const index = calendar.sessionIndex(date);
  return Array.from({ length: PLACEBO_SESSIONS }, (_, at) => calendar.sessionAt(index - 1 - at)).flatMap(
    (session) => (session === null ? [] : (levelsOn(session.tradeDate) ?? [])),
  );
}
