import {
  mirrored,
  regularMinutes,
  type SessionColumns,
  sessionColumns,
} from '../analysis/backtest/session-columns.ts';
import { PLAYBOOKS } from '../analysis/playbooks/library.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { type Playbook, priceOf } from '../analysis/playbooks/playbook.ts';
import { rangeSoFar } from '../analysis/records/level-events.ts';
import { addTrades, type BothSides, compared, sessionTrade } from '../analysis/records/playbook-trades.ts';
import { MINUTE_MS, rowAtOrAfter } from '../analysis/sessions.ts';
import { dayOf, type Session } from '../base/calendar.ts';
import { playbookInputs } from '../blocks/playbook-inputs.ts';
import { rowsOfEach, sessionsBefore, type TapeSource } from '../derive/tape-source.ts';
import type { BarColumns } from '../market/observations.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import type { SymbolTape } from '../tape/index.ts';
import { coversSession, readIntraday } from '../tape/read-view.ts';
import { atrAt, findByMinute, type MinutesWork, observedIn } from './around.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import { inWords, type RecordKind } from './kind.ts';
import { hasMinutesOn } from './level.ts';
import { NIGHTS } from './nights.ts';
import { type PartsAfter, playbookMinutes } from './playbook-minutes.ts';
import { dayRegime } from './regimes.ts';

/** Playbooks that name the price at which they enter. */
export const recordedPlaybooks = (of: Playbook['timeframe']): readonly Playbook[] =>
  PLAYBOOKS.filter(({ timeframe, prices }) => timeframe === of && prices.trigger !== null);

const INTRADAY_PLAYBOOKS = recordedPlaybooks('intraday');

/** Sessions before, at whose like minutes the same trade is entered for comparison. */
const CONTROL_SESSIONS = 20;
/** Those of them that serve: whose range up to that time, in ATR, was nearest. */
const CONTROL_NEAREST = 7;
/** So far from the event's time a control may enter. */
const CONTROL_MS = 15 * MINUTE_MS;

/**
 * The first match of each intraday playbook in a session that can be traded and whose trigger trades in the next bar, and what
 * became of a trade that enters at the open of the bar after that one, with the stop and the target of the match. The
 * controls are trades of the same side and distances on the sessions before.
 *
 * @param isCalledOff checked before each symbol; the rest is left out once it is true
 */
export function playbookClaims(
  source: TapeSource,
  { tapes, dates }: MinutesWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  return rowsOfEach(tapes, isCalledOff, (tape) => claimsOfSymbol(source, tape, dates));
}

function claimsOfSymbol(source: TapeSource, tape: SymbolTape, dates: readonly string[]): SymbolClaims[] {
  const history = new History(source, tape, dates);
  return dates.flatMap((date) => {
    const on = history.on(date);
    const day = on === null ? null : playbookMinutes(source, tape, on.session, on.whole);
    if (on === null || day === null) return [];
    const events = entriesOf(on.columns, day.partsAfter).map((entry) => eventOf(history, on, entry));
    return [{ symbol: tape.symbol, tradeDate: date, simulated: day.simulated, events, counts: [] }];
  });
}

/** A match whose trigger a bar traded. */
interface Entry {
  readonly match: PlaybookMatch;
  /** Row of the bar that traded the trigger. */
  readonly signalBar: number;
  /** Kind of day when it was served. */
  readonly regime: number;
}

/** Prices at which playbooks enter, each with those that enter there. */
const TRIGGERS = [
  ...Map.groupBy(INTRADAY_PLAYBOOKS, ({ prices }) => JSON.stringify(prices.trigger)).values(),
].map((playbooks) => ({ trigger: playbooks[0]!.prices.trigger, playbooks }));

/** The first of each playbook. */
function entriesOf({ open, high, low, close }: SessionColumns, partsAfter: PartsAfter): Entry[] {
  const entries: Entry[] = [];
  const found = new Set<Playbook>();
  for (let bar = 1; bar < close.length; bar++) {
    const parts = partsAfter(bar);
    const inputs = playbookInputs(parts);
    for (const { trigger, playbooks } of TRIGGERS) {
      if (playbooks.every((playbook) => found.has(playbook))) continue;
      const price = priceOf(trigger, inputs);
      // Traded in the bar, or passed over before its open.
      const isTraded =
        (low[bar]! <= price && price <= high[bar]!) || (close[bar - 1]! - price) * (open[bar]! - price) < 0;
      if (!isTraded) continue;
      for (const playbook of playbooks) {
        const match = found.has(playbook) ? null : offeredMatch(playbook, inputs);
        if (match === null) continue;
        found.add(playbook);
        entries.push({ match, signalBar: bar, regime: dayRegime(parts.day?.day_type ?? null) });
      }
    }
  }
  return entries;
}

/** A session of one stock by the minute. */
interface MinuteSession extends BothSides {
  readonly session: Session;
  /** Bars of the trade date, those before the open too. */
  readonly whole: BarColumns;
  /** When each of its minutes begins, epoch milliseconds. */
  readonly time: Float64Array;
  /** Of the session up to the end of each of its minutes, in ATR. */
  readonly range: Float64Array;
}

/** The sessions of a stock whose minutes are whole. */
class History {
  readonly #source: TapeSource;
  readonly #tape: SymbolTape;
  readonly #prices: DailyPrices;
  /** Of each run of sessions without a hole, by its first row. */
  readonly #sessions = new Map<string, MinuteSession | null>();
  readonly #before = new Map<string, readonly MinuteSession[]>();

  constructor(source: TapeSource, tape: SymbolTape, dates: readonly string[]) {
    const { reader, calendar } = source;
    const first = calendar.sessionAt(Math.max(0, calendar.sessionIndex(dates[0]!) - CONTROL_SESSIONS))!;
    this.#source = source;
    this.#tape = tape;
    const days = { first: dayOf(first.tradeDate), last: dayOf(dates.at(-1)!) };
    this.#prices = new DailyPrices(reader, tape, calendar, days);
  }

  on(date: string): MinuteSession | null {
    return this.#sessions.getOrInsertComputed(date, () => this.#read(date));
  }

  /** The sessions before one, the nearest first. */
  before(date: string): readonly MinuteSession[] {
    return this.#before.getOrInsertComputed(date, () =>
      sessionsBefore(this.#source.calendar, date, CONTROL_SESSIONS).flatMap(
        ({ tradeDate }) => this.on(tradeDate) ?? [],
      ),
    );
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
    const range = rangeSoFar(columns).map((width) => width / dailyAtr);
    return { session, whole: bars, columns, shorts: mirrored(columns), time: minutes.time, range };
  }

  /** ATR(14) of a day in the shares of another; NaN where it has none. */
  #atrOn(day: number, inSharesOf: number): number {
    const row = this.#prices.rowOn(day);
    return row < 0 ? Number.NaN : atrAt(this.#prices, row, day, inSharesOf);
  }
}

function eventOf(history: History, on: MinuteSession, { match, signalBar, regime }: Entry): ClaimEvent {
  const { trigger, stop, target } = match;
  const { session, columns, time } = on;
  const { key, claim: prices, side, price } = matchClaim(match);
  const instantOf = (bar: number): number => time[bar]! + MINUTE_MS;
  const entry = columns.open[signalBar + 1] ?? Number.NaN;
  const distances = {
    stop: (side * (entry - stop)) / columns.dailyAtr,
    target: (side * (target - entry)) / columns.dailyAtr,
  };
  const claim = {
    key,
    claim: prices,
    begunAt: instantOf(signalBar),
    side,
    price,
    regime,
    chance: null,
    controls: 0,
  } as const;
  // Already beyond one of the two prices, or no bar left: nobody enters.
  if (!(distances.stop > 0 && distances.target > 0))
    return { ...claim, decidedAt: null, outcome: 'undecided', isGone: false, isAmbiguous: false };
  const { gain, decidedBar, isAmbiguous } = sessionTrade(on, signalBar, side, distances);
  const controls = { count: 0, won: 0, gain: 0 };
  const entered = time[signalBar + 1]! - session.open;
  for (const earlier of likeSessions(history, on, entered)) {
    const at = earlier.session.open + entered;
    // A trade enters a bar after its signal.
    const from = Math.max(0, rowAtOrAfter(earlier.time, at - CONTROL_MS) - 1);
    const to = rowAtOrAfter(earlier.time, at + CONTROL_MS + 1) - 1;
    if (from < to) addTrades(controls, earlier, from, to, side, distances);
  }
  // What the plan risks, in daily ATR, is one R.
  const risk = Math.abs(trigger - stop) / columns.dailyAtr;
  return {
    ...claim,
    decidedAt: decidedBar === null ? session.close : instantOf(decidedBar),
    outcome: gain > 0 ? 'true' : 'false',
    isGone: false,
    isAmbiguous,
    gain: gain / risk,
    ...compared(controls, risk),
  };
}

/**
 * The sessions before one that had ranged about as far by that time: on days wider than the weeks before, which breakouts
 * ask for, stops are reached more often and fewer trades are open at the close.
 *
 * @param elapsed from the open to the entry, milliseconds
 */
function likeSessions(history: History, on: MinuteSession, elapsed: number): MinuteSession[] {
  const rangeIn = ({ session, time, range }: MinuteSession): number =>
    range[rowAtOrAfter(time, session.open + elapsed) - 1] ?? 0;
  const own = rangeIn(on);
  return history
    .before(on.session.tradeDate)
    .map((earlier) => ({ earlier, apart: Math.abs(rangeIn(earlier) - own) }))
    .sort((one, other) => one.apart - other.apart)
    .slice(0, CONTROL_NEAREST)
    .map(({ earlier }) => earlier);
}

/** A match as a claim, whose stop and target are the text. */
export const matchClaim = ({ playbook, trigger, stop, target }: PlaybookMatch) => ({
  key: playbook.strategy,
  claim: `stop ${stop.toFixed(2)}, target ${target.toFixed(2)}`,
  side: playbook.direction === 'bullish' ? (1 as const) : (-1 as const),
  price: trigger,
});

/** What playbooks have in common, however long their trades are held. */
export const playbookKind = (within: 'session' | 'nights') =>
  ({
    releasedAt: '2026-11-30',
    keys: recordedPlaybooks(within === 'session' ? 'intraday' : 'swing').map(({ strategy }) => strategy),
    horizonOf: () => (within === 'session' ? 0 : NIGHTS),
    measures: 'gains',
    says: {
      subject: (key: string): string => `Trades of ${inWords(key)} made money after costs in`,
      tested: within === 'session' ? 'playbooks' : 'playbooks over nights',
    },
  }) as const;

export const playbook: RecordKind<MinutesWork> = {
  ...playbookKind('session'),
  name: 'playbook',
  version: 4,
  datesAtOnce: 40,
  reads: { minutes: 21 },
  load: (ground, dates, pass) => findByMinute(ground, playbook, dates, pass, () => ({})),
  find: (source, work, isCalledOff) => observedIn(playbookClaims(source, work, isCalledOff)),
};
