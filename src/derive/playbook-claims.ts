import {
  mirrored,
  regularMinutes,
  type SessionColumns,
  sessionColumns,
} from '../analysis/backtest/session-columns.ts';
import { atr } from '../analysis/indicators/true-range.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { type Playbook, priceOf } from '../analysis/playbooks/playbook.ts';
import {
  type ClaimEvent,
  horizonOf,
  RECORDED_PLAYBOOKS,
  type SymbolClaims,
} from '../analysis/records/claims.ts';
import { laterTrade, sessionTrades, type TradeDistances } from '../analysis/records/playbook-trades.ts';
import { MINUTE_MS, sliceBars } from '../analysis/sessions.ts';
import { DAY_MS, dateOf, dayOf, type Session } from '../base/calendar.ts';
import { playbookInputs } from '../blocks/playbook-inputs.ts';
import type { BarColumns } from '../market/observations.ts';
import type { SymbolTape } from '../market/tape/index.ts';
import { coversSession, readIntraday } from '../market/tape/read-view.ts';
import { DailyPrices } from './daily-prices.ts';
import { hasMinutesOn } from './level-claims.ts';
import { type PartsAfter, playbookMinutes } from './playbook-minutes.ts';
import { type TapeSource, unlessDamaged } from './tape-source.ts';

export interface PlaybookClaimsWork {
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending. */
  readonly dates: readonly string[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** Sessions before, at whose like minutes the same trade is entered for comparison. */
const CONTROL_SESSIONS = 20;
/** So far from the event's minute a control may enter. */
const CONTROL_MINUTES = 15;

/**
 * The first match of each playbook in a session that can be traded and whose trigger trades in the next bar, and what
 * became of a trade that enters at the open of the bar after that one, with the stop and the target of the match. The
 * controls are trades of the same side and distances on the sessions before.
 *
 * @param isCalledOff checked before each symbol; the rest is left out once it is true
 */
export function playbookClaims(
  source: TapeSource,
  { tapes, dates, lastDay }: PlaybookClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  const claims: SymbolClaims[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return claims;
    claims.push(...unlessDamaged(() => claimsOfSymbol(source, tape, dates, lastDay)));
  }
  return claims;
}

function claimsOfSymbol(
  source: TapeSource,
  tape: SymbolTape,
  dates: readonly string[],
  lastDay: number,
): SymbolClaims[] {
  const history = new History(source, tape, dates, lastDay);
  return dates.flatMap((date) => {
    const on = history.on(date);
    const day = on === null ? null : playbookMinutes(source, tape, on.session, on.whole);
    if (on === null || day === null) return [];
    const events = entriesOf(on.columns, day.partsAfter).map((entry) => eventOf(history, on, entry));
    return [{ symbol: tape.symbol, tradeDate: date, simulated: day.simulated, events, controls: [] }];
  });
}

/** A match whose trigger a bar traded. */
interface Entry {
  readonly match: PlaybookMatch;
  /** Row of the bar that traded the trigger. */
  readonly signalBar: number;
}

/** The first of each playbook. */
function entriesOf({ open, high, low, close }: SessionColumns, partsAfter: PartsAfter): Entry[] {
  const entries: Entry[] = [];
  const waiting = new Set<Playbook>(RECORDED_PLAYBOOKS);
  for (let bar = 1; bar < close.length; bar++) {
    const inputs = playbookInputs(partsAfter(bar));
    for (const playbook of waiting) {
      const trigger = priceOf(playbook.prices.trigger, inputs);
      // Traded in the bar, or passed over before its open.
      const isTraded =
        (low[bar]! <= trigger && trigger <= high[bar]!) ||
        (close[bar - 1]! - trigger) * (open[bar]! - trigger) < 0;
      const match = isTraded ? offeredMatch(playbook, inputs) : null;
      if (match === null) continue;
      waiting.delete(playbook);
      entries.push({ match, signalBar: bar });
    }
  }
  return entries;
}

/** A session of one stock by the minute. */
interface MinuteSession {
  readonly session: Session;
  readonly day: number;
  /** Bars of the trade date, those before the open too. */
  readonly whole: BarColumns;
  readonly columns: SessionColumns;
  readonly shorts: SessionColumns;
  /** Minutes from the open to the beginning of each bar. */
  readonly minute: Int32Array;
}

interface Trade {
  readonly minute: number;
  /** After costs, in daily ATR. */
  readonly gain: number;
  /** Null while it is open. */
  readonly decidedAt: number | null;
  readonly isGone: boolean;
  readonly isAmbiguous: boolean;
}

/** The sessions of a stock whose minutes are whole, with the days around them. */
class History {
  readonly #source: TapeSource;
  readonly #tape: SymbolTape;
  readonly #prices: DailyPrices;
  readonly #lastDay: number;
  readonly #sessions = new Map<string, MinuteSession | null>();

  constructor(source: TapeSource, tape: SymbolTape, dates: readonly string[], lastDay: number) {
    const { reader, calendar } = source;
    const first = calendar.sessionAt(Math.max(0, calendar.sessionIndex(dates[0]!) - CONTROL_SESSIONS))!;
    this.#source = source;
    this.#tape = tape;
    this.#lastDay = lastDay;
    this.#prices = new DailyPrices(reader, tape, calendar, { first: dayOf(first.tradeDate), last: lastDay });
  }

  on(date: string): MinuteSession | null {
    return this.#sessions.getOrInsertComputed(date, () => this.#read(date));
  }

  /** The sessions before one, the nearest first. */
  before(date: string): MinuteSession[] {
    const { calendar } = this.#source;
    const index = calendar.sessionIndex(date);
    return Array.from({ length: CONTROL_SESSIONS }, (_, at) => calendar.sessionAt(index - 1 - at)).flatMap(
      (session) => (session === null ? [] : (this.on(session.tradeDate) ?? [])),
    );
  }

  /** Whether all trades of a session have ended by the newest one. */
  isOver({ session }: MinuteSession, horizon: number): boolean {
    return this.#endDay(session, horizon) <= this.#lastDay;
  }

  /** Trades entered at the open after each of some bars, over a horizon in sessions. */
  trades(
    on: MinuteSession,
    signalBars: Iterable<number>,
    side: 1 | -1,
    distances: TradeDistances,
    horizon: number,
  ): Trade[] {
    const { session, columns, shorts, minute } = on;
    const instantOf = (bar: number): number => session.open + (minute[bar]! + 1) * MINUTE_MS;
    return sessionTrades(columns, shorts, signalBars, side, distances).map((trade) => {
      const { entryBar, gain, decidedBar, isAmbiguous } = trade;
      const entered = { minute: minute[entryBar]!, isGone: false };
      if (decidedBar !== null) return { ...entered, gain, decidedAt: instantOf(decidedBar), isAmbiguous };
      if (horizon === 0) return { ...entered, gain, decidedAt: session.close, isAmbiguous: false };
      return { ...entered, ...this.#heldOn(on, columns.open[entryBar]!, gain, side, distances, horizon) };
    });
  }

  /** What became of a trade after its session. */
  #heldOn(
    { session, day, columns }: MinuteSession,
    entry: number,
    gain: number,
    side: 1 | -1,
    distances: TradeDistances,
    horizon: number,
  ) {
    const endDay = this.#endDay(session, horizon);
    const until = Math.min(endDay, this.#lastDay);
    const bars = this.#prices.inSharesOf(until);
    const row = this.#prices.rowOn(day);
    const to = this.#prices.endOf(until);
    const isOver = endDay <= this.#lastDay;
    const closeOf = (on: number): number => this.#source.calendar.session(dateOf(on * DAY_MS))!.close;
    const none = { gain, decidedAt: isOver ? closeOf(endDay) : null, isGone: isOver, isAmbiguous: false };
    if (row < 0 || row + 1 >= to) return none;
    const scale = bars.close[row]! / this.#prices.inSharesOf(day).close[row]!;
    const from = { entry: entry * scale, atr: columns.dailyAtr * scale };
    const later = laterTrade(bars, { from: row + 1, to }, side, from, distances);
    const decided = later.decidedRow;
    return {
      gain: later.gain,
      decidedAt: decided === null ? none.decidedAt : closeOf(bars.time[decided]! / DAY_MS),
      isGone: isOver && decided === null && bars.time[to - 1]! < endDay * DAY_MS,
      isAmbiguous: later.isAmbiguous,
    };
  }

  #endDay({ tradeDate }: Session, horizon: number): number {
    const { calendar } = this.#source;
    const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon);
    return end === null ? Number.POSITIVE_INFINITY : dayOf(end.tradeDate);
  }

  #read(date: string): MinuteSession | null {
    const { reader, calendar } = this.#source;
    const [session, prior] = [calendar.session(date)!, calendar.previousSession(date)];
    const day = dayOf(date);
    if (prior === null || !hasMinutesOn(this.#tape, day)) return null;
    const { bars, interval } = readIntraday(reader, this.#tape, day, session, session.close);
    const minutes = coversSession(bars, session) ? regularMinutes(bars, interval, session) : null;
    const dailyAtr = this.#atrOn(dayOf(prior), day);
    if (minutes === null || !(dailyAtr > 0)) return null;
    const columns = sessionColumns(minutes, session.open, dailyAtr, []);
    const minute = Int32Array.from(minutes.time, (at) => Math.round((at - session.open) / MINUTE_MS));
    return { session, day, whole: bars, columns, shorts: mirrored(columns), minute };
  }

  /** ATR(14) of a day in the shares of another; NaN where it has none. */
  #atrOn(day: number, inSharesOf: number): number {
    const row = this.#prices.rowOn(day);
    if (row < 0) return Number.NaN;
    const from = this.#prices.firstRow(row, day);
    const { high, low, close } = sliceBars(this.#prices.inSharesOf(inSharesOf), { from, to: row + 1 });
    return atr(high, low, close, 14).at(-1)!;
  }
}

function eventOf(history: History, on: MinuteSession, { match, signalBar }: Entry): ClaimEvent {
  const { playbook, trigger, stop, target } = match;
  const { session, columns, minute } = on;
  const side = playbook.direction === 'bullish' ? 1 : -1;
  const horizon = horizonOf('playbook', playbook.strategy);
  const entry = columns.open[signalBar + 1] ?? Number.NaN;
  const distances = {
    stop: (side * (entry - stop)) / columns.dailyAtr,
    target: (side * (target - entry)) / columns.dailyAtr,
  };
  const claim = {
    key: playbook.strategy,
    claim: `stop ${stop.toFixed(2)}, target ${target.toFixed(2)}`,
    begunAt: session.open + (minute[signalBar]! + 1) * MINUTE_MS,
    side,
    price: trigger,
    chance: null,
    controls: 0,
    stratum: 0,
  } as const;
  // Already beyond one of the two prices, or no bar left: nobody enters.
  if (!(distances.stop > 0 && distances.target > 0))
    return { ...claim, decidedAt: null, outcome: 'undecided', isGone: false, isAmbiguous: false };
  // What the plan risks, in daily ATR, is one R.
  const risk = Math.abs(trigger - stop) / columns.dailyAtr;
  const [trade] = history.trades(on, [signalBar], side, distances, horizon);
  const { gain, decidedAt, isGone, isAmbiguous } = trade!;
  if (decidedAt === null) return { ...claim, decidedAt, outcome: null, isGone, isAmbiguous };
  const judged = {
    ...claim,
    decidedAt,
    isGone,
    isAmbiguous,
    outcome: gain > 0 ? ('true' as const) : ('false' as const),
    gain: gain / risk,
  };
  if (!history.isOver(on, horizon)) return judged;
  const controls = history.before(session.tradeDate).flatMap((earlier) => {
    const near = barsNear(earlier.minute, minute[signalBar + 1]!);
    return history.trades(earlier, near, side, distances, horizon);
  });
  if (controls.length === 0) return judged;
  return {
    ...judged,
    controls: controls.length,
    chance: controls.filter((control) => control.gain > 0).length / controls.length,
    chanceGain: controls.reduce((sum, control) => sum + control.gain, 0) / risk / controls.length,
  };
}

/** Bars after which a trade enters within 15 minutes of a minute. */
function barsNear(minutes: Int32Array, minute: number): number[] {
  const near: number[] = [];
  for (let bar = 0; bar + 1 < minutes.length; bar++)
    if (Math.abs(minutes[bar + 1]! - minute) <= CONTROL_MINUTES) near.push(bar);
  return near;
}
