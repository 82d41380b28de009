import type { App } from '../app.ts';
import type { Scope } from '../pipeline/detector.ts';
import { type SyncReport, syncGraph } from '../pipeline/graph-sync.ts';
import { openTextPass } from '../pipeline/text-pass.ts';
import { EXIT_FAILED, EXIT_REFUSED } from './command.ts';
import { count } from './import-feed.ts';
import { showProgress } from './progress.ts';

/** Failures that are printed one by one; the rest are counted. */
const FAILURES_SHOWN = 10;

/** Derives a scope with progress on stderr and the account of it on stdout; answers the exit code. */
export async function runSync(app: App, scope: Scope): Promise<number> {
  const started = performance.now();
  const progress = showProgress('sync');
  progress.waitFor('peers, and the market of the dates');
  const report = await syncGraph(app.context, scope, ({ done, planned }) => {
    progress.update(done, planned, `${count(done)} stock-days`);
    if (done === planned) progress.waitFor('stock-days that market or peers have moved, rows for screens');
  }).finally(() => progress.end());
  printReport(report, performance.now() - started);
  await embedTexts(app);
  if (report.failed.length > 0) return EXIT_FAILED;
  return report.unknown.length > 0 ? EXIT_REFUSED : 0;
}

/** Texts without vectors are no failure of the pass: the graph is whole without them. */
async function embedTexts({ context }: App): Promise<void> {
  const started = performance.now();
  const progress = showProgress('texts');
  progress.waitFor('vectors of news and playbooks');
  const { embedded, failed, message } = await openTextPass(context)().finally(() => progress.end());
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (embedded > 0) console.log(`texts: ${count(embedded)} embedded, ${took}`);
  if (failed > 0) console.error(`texts: ${count(failed)} have no vectors yet: ${message}`);
}

function printReport(report: SyncReport, tookMs: number): void {
  const { derived, written, unchanged, missing, failed, unknown } = report;
  const missed = missing === 0 ? '' : `, ${count(missing)} without a bar`;
  console.log(
    `sync: ${count(derived)} stock-days derived, ${count(written)} written, ${count(unchanged)} unchanged${missed}, ${(tookMs / 1000).toFixed(1)} s`,
  );
  if (unknown.length > 0) console.error(`  not on the tape: ${unknown.join(', ')}`);
  for (const { symbol, tradeDate, message } of failed.slice(0, FAILURES_SHOWN)) {
    console.error(`  failed: ${symbol} ${tradeDate}: ${message.split('\n', 2).join(' ')}`);
  }
  if (failed.length > FAILURES_SHOWN) console.error(`  … and ${count(failed.length - FAILURES_SHOWN)} more`);
}
