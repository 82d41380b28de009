import type { App } from '../app.ts';
import { bringStatesUpToDate } from '../pipeline/state-pass.ts';
import { EXIT_FAILED } from './command.ts';
import { count } from './import-feed.ts';
import { showProgress } from './progress.ts';

/** Brings states up to date with progress on stderr and the account of it on stdout; answers the exit code. */
export async function runStates(app: App, symbols?: readonly string[]): Promise<number> {
  const started = performance.now();
  const progress = showProgress('states');
  progress.waitFor('histories that have changed');
  const report = await bringStatesUpToDate(
    app.context,
    { ...(symbols === undefined ? {} : { symbols }), inBackground: app.context.database.isGuest() },
    ({ symbolsDone, symbols: all, written }) =>
      progress.update(symbolsDone, all, `${count(written)} states written`),
  ).finally(() => progress.end());
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `states: ${count(report.symbols)} histories looked at, ${count(report.written)} written, ${seconds} s`,
  );
  for (const { symbol, message } of report.failed) console.error(`  failed: ${symbol}: ${message}`);
  return report.failed.length > 0 ? EXIT_FAILED : 0;
}
