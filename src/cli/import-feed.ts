import type { Store } from '../app.ts';
import { printable } from '../base/printable.ts';
import { stopwatch } from '../base/timers.ts';
import { inOptions } from '../files/choices.ts';
import type { Feed } from '../market/feed.ts';
import { REFUSALS } from '../market/refusals.ts';
import {
  type ImportReport,
  INFORMATIONAL,
  importFeed,
  type RefusalSummary,
  refusedRows,
} from '../tape/ingest.ts';
import { EXIT_REFUSED } from './command.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';

/** Imports a feed and prints a report; returns the exit code and whether there may be something to derive. */
export async function runImport(app: Store, title: string, feed: Feed) {
  const started = stopwatch();
  const report = await withProgress(title, ({ update, waitFor }) => {
    waitFor('the list of sources');
    return importFeed(app.context, feed, ({ weightDone: done, weightTotal: total, rowsKept, unit }) => {
      update({ done, total, detail: `${count(rowsKept)} rows kept, ${printable(unit)}` });
      if (done === total) waitFor('the last rows, and daily bars summed from intraday bars');
    });
  });
  printReport(title, report, started);
  return { exit: refusedRows(report) > 0 ? EXIT_REFUSED : 0, hasTaken: report.taken.size > 0 };
}

function printReport(title: string, report: ImportReport, started: number): void {
  const some = (value: number, words: (counted: string) => string): string =>
    value === 0 ? '' : words(count(value));
  const known = (value: number): string => some(value, (counted) => ` (${counted} already known)`);
  const skipped = some(report.unitsSkipped, (counted) => `, ${counted} of them already on the tape`);
  console.log(`${title}: ${count(report.units)} sources${skipped}, ${secondsSince(started)}`);
  const facts = some(
    report.factsKept,
    (counted) => `, ${counted} splits, dividends or reported facts${known(report.factsUnchanged)}`,
  );
  console.log(`  ${count(report.rowsKept)} rows kept${known(report.rowsUnchanged)}${facts}`);
  if (report.taken.size > 0) console.log(takenLine(report));
  if (report.dailyBarsSummed > 0)
    console.log(`  ${count(report.dailyBarsSummed)} daily bars summed from intraday bars`);
  for (const line of refusalLines(report.refusals)) console.log(line);
}

/** Symbols of one line. */
const SYMBOLS_SHOWN = 8;

/** Which symbols were taken, what named them, and of several how many rows and facts each has. */
export function takenLine({ taken, namedBy }: Pick<ImportReport, 'taken' | 'namedBy'>): string {
  const symbols = [...taken].sort(([one], [other]) => (one < other ? -1 : 1));
  const by = namedBy.length === 0 ? '' : `, from ${inOptions(namedBy.join(' and '))}`;
  if (symbols.length === 1) return `  symbol ${symbols[0]![0]}${by}`;
  const shown = symbols.slice(0, SYMBOLS_SHOWN).map(([symbol, rows]) => `${symbol} ${count(rows)}`);
  const more = symbols.length > shown.length ? ` and ${count(symbols.length - shown.length)} more` : '';
  return `  ${count(symbols.length)} symbols${by}: ${shown.join(', ')}${more}`;
}

/** Refused rows by reason, then rows without trades, repaired values and unread files. */
export function refusalLines(refusals: readonly RefusalSummary[]): string[] {
  const lines: string[] = [];
  const refused = refusedRows({ refusals });
  if (refused > 0) lines.push(`  ${count(refused)} rows or files refused:`);
  for (const summary of refusals.filter(({ reason }) => !INFORMATIONAL.has(reason))) {
    const { reason, rows } = summary;
    lines.push(`    ${count(rows)} ${reason}${placeOf(summary)}`);
  }
  for (const summary of refusals) {
    const { reason, rows } = summary;
    if (reason === 'untraded') lines.push(`  ${count(rows)} rows without trades${placeOf(summary)}`);
    if (reason === 'repaired') lines.push(`  ${count(rows)} values repaired${placeOf(summary)}`);
    if (reason === 'not_read') lines.push(`  ${count(rows)} files not read${placeOf(summary)}`);
  }
  return lines;
}

function placeOf({ reason, units, where, example }: RefusalSummary): string {
  const sources = units === 1 ? '' : ` in ${count(units)} sources`;
  return `${sources}: ${REFUSALS[reason]}; first at ${printable(where)}${example === '' ? '' : `: ${inOptions(example)}`}`;
}
