import { hash } from 'node:crypto';
import { cellCount, SIGNAL_TYPES } from '../../analysis/backtest/spec.ts';
import {
  dataVersion,
  digestOf,
  type OptimizationRequest,
  type OwnEntries,
  specOf,
} from '../../backtests/optimization-request.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { parseInstant } from '../../base/dates.ts';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { FIRST_INSTANT } from '../../base/time-zone.ts';
import { isSimulated, type SymbolTape } from '../../tape/index.ts';
import { valueFault } from '../answers/refusals.ts';
import { seenTapes } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import { faultsOfSignals } from './own-signals.ts';
import { type OptimizationBody, REQUEST_DEFAULTS } from './schema.ts';

/** Largest symbols x sessions x cells of one run: two and a half times a year of 20 symbols and 400 cells. */
const WALKED_CELLS_MAX = 5_000_000;

type PlanningContext = Pick<AppContext, 'tape' | 'tapes' | 'calendar' | 'clock'>;

/**
 * Validates a request against calendar, clock and tape.
 *
 * @param delayMs how long ago a session must have ended
 * @throws ValidationRefusal with every fault found
 */
export async function planOptimization(context: PlanningContext, body: OptimizationBody, delayMs: number) {
  const own = ownEntries(body.signals ?? []);
  const request = canonicalRequest(body, own);
  const dateFault = faultOfDates(context, request);
  const tapes = await seenTapes(context, request.symbols, { delayMs });
  const faults = [
    ...unknownSymbols(body, tapes),
    ...bothMarkets(body, tapes),
    ...(dateFault === null ? [] : [dateFault]),
    ...faultsOfChoice(body),
    ...(dateFault === null ? faultsOfSignals(context, body, delayMs) : []),
  ];
  if (faults.length > 0) throw new ValidationRefusal(faults);
  const sessions = endedSessions(context, request, delayMs);
  const lastSession = sessions.at(-1);
  if (lastSession === undefined) throw new ValidationRefusal([noSession(context, request)]);
  const fault = faultOfSize(request, sessions) ?? faultOfBars(context, request, tapes, sessions, delayMs);
  if (fault !== null) throw new ValidationRefusal([fault]);
  return {
    request,
    own,
    sessions,
    lastSession,
    tapes,
    requestDigest: digestOf(request, lastSession),
    dataVersion: dataVersion(tapes, lastSession, request.half_spread),
  };
}

/** Sessions of the request that have ended for the caller; trades of a running one could still change. */
function endedSessions(
  { calendar, clock }: PlanningContext,
  { start_date: from, end_date: to }: OptimizationRequest,
  delayMs: number,
): string[] {
  const visible = clock.now() - delayMs;
  return calendar.sessionsBetween(from, to).filter((date) => calendar.session(date)!.close <= visible);
}

function faultOfDates(
  { calendar, clock }: PlanningContext,
  { start_date: from, end_date: to }: OptimizationRequest,
): ValidationFault | null {
  const today = calendar.tradeDateOf(clock.now());
  if (from > to) {
    return valueFault(
      ['body', 'end_date'],
      to,
      `end_date lies before start_date ${from}; name a later end_date or an earlier start_date`,
    );
  }
  if (midnightUtc(from) < FIRST_INSTANT)
    return valueFault(['body', 'start_date'], from, 'start_date lies before 1900');
  if (from > today) return valueFault(['body', 'start_date'], from, `start_date lies after today, ${today}`);
  if (to > today) return valueFault(['body', 'end_date'], to, `end_date lies after today, ${today}`);
  return null;
}

/** @param tapes of the symbols that are known */
function unknownSymbols({ symbols }: OptimizationBody, tapes: readonly SymbolTape[]): ValidationFault[] {
  const known = new Set(tapes.map(({ symbol }) => symbol));
  return symbols.flatMap((symbol, at) =>
    known.has(canonicalSymbol(symbol))
      ? []
      : [valueFault(['body', 'symbols', `${at}`], symbol, 'No stock with this symbol has data')],
  );
}

/** Trades of one run are judged together. */
function bothMarkets({ symbols }: OptimizationBody, tapes: readonly SymbolTape[]): ValidationFault[] {
  const simulated = tapes.find(isSimulated);
  const real = tapes.find((tape) => !isSimulated(tape));
  if (simulated === undefined || real === undefined) return [];
  const sentence = `${simulated.symbol} is a stock of the simulated market and ${real.symbol} a real one; name stocks of one market`;
  return [valueFault(['body', 'symbols'], symbols, sentence)];
}

function noSession({ calendar }: PlanningContext, { start_date: from, end_date: to }: OptimizationRequest) {
  const known = calendar.sessionCount(from, to);
  const why =
    known === 0
      ? `The exchange held no session from ${from} to ${to}`
      : `No session from ${from} to ${to} is over yet`;
  return valueFault(['body', 'start_date'], from, `${why}; name an earlier start_date`);
}

function faultOfSize(request: OptimizationRequest, sessions: readonly string[]): ValidationFault | null {
  const cells = cellCount(specOf(request, sessions));
  const walked = request.symbols.length * sessions.length * cells;
  if (walked <= WALKED_CELLS_MAX) return null;
  return {
    loc: ['body'],
    type: 'value_error',
    msg: `${request.symbols.length} symbols x ${sessions.length} sessions x ${cells} cells are ${walked}, more than ${WALKED_CELLS_MAX}; name fewer symbols, a shorter range of dates or fewer multipliers`,
    input: walked,
    ctx: { le: WALKED_CELLS_MAX },
  };
}

/** The fault of a request without a minute bar on any of its sessions. */
function faultOfBars(
  { calendar, clock }: PlanningContext,
  { symbols, start_date: from, end_date: to }: OptimizationRequest,
  tapes: readonly SymbolTape[],
  sessions: readonly string[],
  delayMs: number,
): ValidationFault | null {
  const visible = clock.now() - delayMs;
  const hasEnded = (day: number): boolean => (calendar.session(dateOf(day * DAY_MS))?.close ?? 0) <= visible;
  const days = tapes.flatMap(minuteDays).filter(hasEnded);
  const sessionDays = new Set(sessions.map((date) => midnightUtc(date) / DAY_MS));
  if (days.some((day) => sessionDays.has(day))) return null;
  const who = symbols.length === 1 ? symbols[0]! : 'any of the symbols';
  const range = `There are no one-minute bars of ${who} from ${from} to ${to}`;
  if (days.length === 0) {
    return valueFault(['body', 'symbols'], symbols, `${range}, nor on any other date; import them first`);
  }
  const [first, last] = [Math.min(...days), Math.max(...days)].map((day) => dateOf(day * DAY_MS));
  return valueFault(['body', 'start_date'], from, `${range}; there are some between ${first} and ${last}`);
}

/** Trade dates with a minute bar, as days since 1970-01-01. */
function minuteDays({ slices, running }: SymbolTape): number[] {
  const stored = slices.flatMap(({ kind, days }) => (kind === 'bars-1m' ? days : []));
  const fresh = running.flatMap(({ kind, columns }) =>
    kind === 'bars-1m' ? Array.from(new Set(columns[0]!.map((time) => Math.floor(time / DAY_MS)))) : [],
  );
  return [...stored, ...fresh];
}

/** Entries come from signals or from the caller. */
function faultsOfChoice({ signal_types, signals }: OptimizationBody): ValidationFault[] {
  if ((signal_types === undefined) !== (signals === undefined)) return [];
  const sentence =
    signals === undefined
      ? 'Name signal_types whose entries are tried, or send signals of your own: a symbol, a time and a side each'
      : 'signal_types and signals exclude one another; leave one of them out';
  return [valueFault(['body', 'signals'], signals?.length ?? null, sentence)];
}

/** Each once, by symbol and time. */
function ownEntries(signals: NonNullable<OptimizationBody['signals']>): OwnEntries {
  const bySymbol = Map.groupBy(signals, ({ symbol }) => canonicalSymbol(symbol));
  return Object.fromEntries(
    [...bySymbol.keys()].sort().map((symbol) => {
      const sides = new Map(
        bySymbol.get(symbol)!.map(({ time, side }) => [parseInstant(time)!, side === 'long' ? 1 : -1]),
      );
      return [symbol, [...sides].sort(([one], [other]) => one - other)];
    }),
  );
}

function takenSignals(own: OwnEntries): OptimizationRequest['signals'] {
  const count = Object.values(own).reduce((sum, { length }) => sum + length, 0);
  return count === 0 ? null : { count, sha256: hash('sha256', JSON.stringify(own)) };
}

/** Equal runs get equal requests: order, capitals, repetition and defaults do not matter. */
function canonicalRequest(body: OptimizationBody, own: OwnEntries): OptimizationRequest {
  const whole = { ...REQUEST_DEFAULTS, ...body };
  const types = new Set(whole.signal_types);
  return {
    symbols: [...new Set(whole.symbols.map(canonicalSymbol))].sort(),
    start_date: whole.start_date,
    end_date: whole.end_date,
    signal_types: SIGNAL_TYPES.filter((type) => types.has(type)),
    signals: takenSignals(own),
    stop_atr_range: ascending(whole.stop_atr_range),
    target_atr_range: ascending(whole.target_atr_range),
    top_n: whole.top_n,
    commission_per_share: whole.commission_per_share,
    slippage_bps: whole.slippage_bps,
    half_spread: whole.half_spread,
  };
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
