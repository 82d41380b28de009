import type { Pipeline } from '../app.ts';
import { asOfInstant } from '../base/as-of.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { takeDayWork } from '../pipeline/day-work.ts';
import type { SyncScope } from '../pipeline/detector.ts';
import { type SyncReport, syncGraph } from '../pipeline/graph-sync.ts';
import { bringStatesUpToDate } from '../pipeline/state-pass.ts';
import { openTextPass } from '../pipeline/text-pass.ts';
import { type Define, EXIT_FAILED, EXIT_REFUSED } from './command.ts';
import { checkRange, date, list, wrongCall } from './options.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';
import { waitUntilServed, withPipeline } from './with-app.ts';

interface Options {
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
  readonly symbols?: readonly string[];
  readonly wait?: boolean;
}

export const define: Define = (command, call) => {
  command
    .option('--date <date>', 'one session', date)
    .option('--from <date>', 'first session', date)
    .option('--to <date>', 'last session', date)
    .option('--symbols <list>', 'only these, e.g. SPY,IBM', list(100_000, canonicalSymbol))
    .option('--wait', 'until every process that answers callers has what was written')
    .action((options: Options) => call((config) => sync(options, config)));
};

async function sync(options: Options, config: Config): Promise<number> {
  const scope = scopeOf(options);
  return withPipeline(config, async (app) => {
    const refusal = noSession(app, scope, options.date);
    if (refusal !== null) {
      console.error(`sync: ${refusal}`);
      return EXIT_REFUSED;
    }
    return atLowerPriority(app.context, async () => {
      const synced = await runSync(app, scope);
      const exit = (await runStates(app, scope.symbols)) || synced;
      if (options.wait === true) await waitUntilServed(app);
      return exit;
    });
  });
}

function scopeOf({ date, from, to, symbols }: Options): SyncScope {
  const named = symbols === undefined ? {} : { symbols };
  if (date !== undefined && (from !== undefined || to !== undefined)) {
    throw wrongCall('Give either --date or --from and --to, not both.');
  }
  if (date !== undefined) return { kind: 'range', from: date, to: date, ...named };
  if (from === undefined && to === undefined) return { kind: 'touched', ...named };
  if (from === undefined || to === undefined) {
    throw wrongCall(`--${from === undefined ? 'from' : 'to'} is missing: a date such as 2013-10-10.`);
  }
  checkRange(from, to);
  return { kind: 'range', from, to, ...named };
}

/** Why no tape has data for the dates of a scope; null if one may. */
function noSession(
  { context: { calendar, clock, delayMs } }: Pipeline,
  scope: SyncScope,
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
  if (asOfInstant(calendar.session(first)!, clock.now() - delayMs) !== null) return null;
  return `the session of ${first} has not begun yet, or not for callers with delay.`;
}

const FAILURES_SHOWN = 10;

/** Derives a scope and prints a report; returns the exit code. */
export async function runSync(app: Pipeline, scope: SyncScope): Promise<number> {
  const started = stopwatch();
  const { bus } = app.context;
  // Beside the workers, of which there may be none.
  const taking = app.context.scope.child('sync');
  if (bus !== undefined) takeDayWork(taking, app.context, bus, app.config.workers);
  const report = await withProgress('sync', ({ update, waitFor }) => {
    waitFor('peers, and the market of the dates');
    return syncGraph(app.context, scope, ({ done, planned: total }) => {
      update({ done, total, detail: `${count(done)} stock-days` });
      if (done === total) waitFor('stock-days that market or peers have moved, rows for screens');
    });
  }).finally(() => taking.close());
  printReport(report, started);
  await embedTexts(app);
  if (report.failed.length > 0) return EXIT_FAILED;
  return report.unknown.length > 0 ? EXIT_REFUSED : 0;
}

async function embedTexts({ context }: Pipeline): Promise<void> {
  const started = stopwatch();
  const { embedded, failed, message } = await withProgress('texts', ({ waitFor }) => {
    waitFor('vectors of news and playbooks');
    return openTextPass(context)();
  });
  if (embedded > 0) console.log(`texts: ${count(embedded)} embedded, ${secondsSince(started)}`);
  if (failed > 0) console.error(`texts: ${count(failed)} have no vectors yet: ${message}`);
}

function printReport(report: SyncReport, started: number): void {
  const { derived, written, unchanged, missing, failed, unknown } = report;
  const missed = missing === 0 ? '' : `, ${count(missing)} without a bar`;
  console.log(
    `sync: ${count(derived)} stock-days derived, ${count(written)} written, ${count(unchanged)} unchanged${missed}, ${secondsSince(started)}`,
  );
  if (unknown.length > 0) console.error(`  not on the tape: ${unknown.join(', ')}`);
  for (const { symbol, tradeDate, message } of failed.slice(0, FAILURES_SHOWN)) {
    console.error(`  failed: ${symbol} ${tradeDate}: ${message.split('\n', 2).join(' ')}`);
  }
  if (failed.length > FAILURES_SHOWN) console.error(`  … and ${count(failed.length - FAILURES_SHOWN)} more`);
}

/** Updates the states of stocks and prints a report; returns the exit code. */
export async function runStates(app: Pipeline, symbols?: readonly string[]): Promise<number> {
  const started = stopwatch();
  const report = await withProgress('states', ({ update, waitFor }) => {
    waitFor('histories that have changed');
    const named = symbols === undefined ? {} : { symbols };
    return bringStatesUpToDate(
      app.context,
      { ...named, inBackground: app.context.database.isGuest() },
      ({ symbolsDone: done, symbols: total, written }) =>
        update({ done, total, detail: `${count(written)} states written` }),
    );
  });
  console.log(
    `states: ${count(report.symbols)} histories read, ${count(report.written)} written, ${secondsSince(started)}`,
  );
  for (const { symbol, message } of report.failed) console.error(`  failed: ${symbol}: ${message}`);
  return report.failed.length > 0 ? EXIT_FAILED : 0;
}
