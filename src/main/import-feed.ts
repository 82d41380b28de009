import type { App } from '../app.ts';
import type { Feed } from '../market/feed.ts';
import { REFUSALS } from '../market/refusals.ts';
import { type ImportReport, importFeed, refusedRows } from '../sync/ingest.ts';
import { EXIT_REFUSED } from './command.ts';
import { showProgress } from './progress.ts';

/** Imports a feed with progress on stderr and the account of it on stdout; answers the exit code. */
export async function runImport(app: App, title: string, feed: Feed): Promise<number> {
  const started = performance.now();
  const progress = showProgress(title);
  const report = await importFeed(app.world, feed, ({ weightDone, weightTotal, rowsKept, unit }) =>
    progress.update(weightDone, weightTotal, `${count(rowsKept)} rows kept, ${unit}`),
  ).finally(() => progress.end());
  printReport(title, report, performance.now() - started);
  return refusedRows(report) > 0 ? EXIT_REFUSED : 0;
}

function printReport(title: string, report: ImportReport, tookMs: number): void {
  const skipped =
    report.unitsSkipped === 0 ? '' : `, ${count(report.unitsSkipped)} of them already on the tape`;
  console.log(`${title}: ${count(report.units)} sources${skipped}, ${(tookMs / 1000).toFixed(1)} s`);
  const unchanged = report.rowsUnchanged === 0 ? '' : ` (${count(report.rowsUnchanged)} already known)`;
  const factsUnchanged =
    report.factsUnchanged === 0 ? '' : ` (${count(report.factsUnchanged)} already known)`;
  const facts =
    report.factsKept === 0
      ? ''
      : `, ${count(report.factsKept)} splits, dividends or reported facts${factsUnchanged}`;
  console.log(`  ${count(report.rowsKept)} rows kept${unchanged}${facts}`);
  if (report.dailyBarsSummed > 0)
    console.log(`  ${count(report.dailyBarsSummed)} daily bars summed from intraday bars`);
  const refused = refusedRows(report);
  if (refused > 0) console.log(`  ${count(refused)} rows or files refused:`);
  for (const { reason, rows, units, where, example } of report.refusals) {
    const sources = units === 1 ? '' : ` in ${count(units)} sources`;
    console.log(
      `    ${count(rows)} ${reason}${sources}: ${REFUSALS[reason]}; first at ${where}${example === '' ? '' : `: ${example}`}`,
    );
  }
}

export const count = (value: number): string => value.toLocaleString('en-US');
