import { dateOf } from '../../base/calendar.ts';
import { MINUTE_MS, parseInstant } from '../../base/dates.ts';
import type { ValidationFault } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time-zone.ts';
import { valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import type { OptimizationBody } from './schema.ts';

/**
 * A fault for each signal of the caller that can have no entry: of a symbol that the run does not have, outside the regular
 * sessions of the run, or of both sides in one minute.
 *
 * @param delayMs how long ago a session must have ended
 */
export function faultsOfSignals(
  { calendar, clock }: Pick<AppContext, 'calendar' | 'clock'>,
  { signals = [], symbols, start_date: from, end_date: to }: OptimizationBody,
  delayMs: number,
): ValidationFault[] {
  const visible = clock.now() - delayMs;
  const known = new Set(symbols.map(canonicalSymbol));
  const sides = new Map<string, string>();
  return signals.flatMap(({ symbol, time, side }, at) => {
    const name = canonicalSymbol(symbol);
    const instant = parseInstant(time)!;
    const fault = (field: string, input: string, sentence: string): ValidationFault[] => [
      valueFault(['body', 'signals', `${at}`, field], input, `${name} at ${time}: ${sentence}`),
    ];
    if (!known.has(name)) {
      return fault(
        'symbol',
        symbol,
        `${name} is none of the symbols of the run; add it to symbols, or leave the signal out`,
      );
    }
    const date = dateOf(newYorkDay(instant));
    const session = calendar.session(date);
    if (date < from || date > to) {
      return fault(
        'time',
        time,
        `it lies outside the run, ${from} to ${to}; move start_date or end_date, or leave it out`,
      );
    }
    if (session === null) {
      return fault('time', time, `the exchange held no session on ${date}; leave it out`);
    }
    if (session.close > visible) {
      return fault(
        'time',
        time,
        `the session of ${date} is not over yet; ask again after it, or leave it out`,
      );
    }
    const last = session.close - MINUTE_MS;
    if (instant < session.open || instant > last) {
      const hours = [session.open, last]
        .map((edge) => new Date(edge).toISOString().slice(11, 16))
        .join(' to ');
      return fault(
        'time',
        time,
        `it lies outside the regular session, in which a signal has an entry from ${hours} UTC`,
      );
    }
    const minute = `${name} ${Math.ceil(instant / MINUTE_MS)}`;
    const other = sides.get(minute);
    sides.set(minute, side);
    return other === undefined || other === side
      ? []
      : fault('side', side, `another signal of the same minute is ${other}; keep one of them`);
  });
}
