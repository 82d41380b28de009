import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { asOfInstant } from '../base/as-of.ts';
import { parseDate } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Scope } from '../pipeline/detector.ts';
import { EXIT_REFUSED, type Run } from './command.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { runSync } from './sync-graph.ts';
import { runStates } from './sync-states.ts';
import { withApp } from './with-app.ts';

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      date: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      symbols: { type: 'string' },
    },
  });
  const scope = scopeOf(values);
  return withApp(config, async (app) => {
    const refusal = noSession(app, scope, values.date);
    if (refusal !== null) {
      console.error(`sync: ${refusal}`);
      return EXIT_REFUSED;
    }
    return atLowerPriority(app.context, async () => {
      const synced = await runSync(app, scope);
      return (await runStates(app, scope.symbols)) || synced;
    });
  });
};

interface SyncOptions {
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly symbols?: string | undefined;
}

function scopeOf({ date, from, to, symbols: list }: SyncOptions): Scope {
  const symbols = list
    ?.split(',')
    .flatMap((symbol) => (symbol.trim() === '' ? [] : [canonicalSymbol(symbol)]));
  const named = symbols === undefined ? {} : { symbols };
  if (date === undefined && from === undefined && to === undefined) return { kind: 'touched', ...named };
  if (date !== undefined && (from !== undefined || to !== undefined)) {
    throw new CodedError('validation_failed', 'Give either --date or --from and --to, not both.');
  }
  const first = date === undefined ? dateOption('--from', from) : dateOption('--date', date);
  const last = date === undefined ? dateOption('--to', to) : first;
  if (first > last) throw new CodedError('validation_failed', `--from ${first} lies after --to ${last}.`);
  return { kind: 'range', from: first, to: last, ...named };
}

/** Why there is nothing to derive on the dates of a scope, whatever the tape holds; null where there may be. */
function noSession(
  { context: { calendar, clock, delayMs } }: App,
  scope: Scope,
  date?: string,
): string | null {
  if (scope.kind === 'touched') return null;
  const { from, to } = scope;
  const [first] = calendar.sessionsBetween(from, to);
  if (first === undefined) {
    return date === undefined
      ? `the exchange held no session from ${from} to ${to}.`
      : `--date ${date} is not a trade date (${calendar.reason(date)}); the nearest session is ${calendar.nearestSession(date)}.`;
  }
  if (asOfInstant(calendar.session(first)!, clock.now(), delayMs) !== null) return null;
  return `the session of ${first} has not begun yet, or not for callers with delay.`;
}

function dateOption(option: string, text: string | undefined): string {
  if (text === undefined)
    throw new CodedError('validation_failed', `${option} is missing: a range has two ends.`);
  const date = parseDate(text);
  if (date === null)
    throw new CodedError('validation_failed', `${option} ${text} is not a date such as 2013-10-10.`);
  return date;
}
