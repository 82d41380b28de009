import type { Scope } from '../base/scope.ts';
import { keepPassing, type PassTimes } from './background-pass.ts';
import { type PassWatching, passMeter } from './pass-metrics.ts';
import { openTextPass, type TextPassContext, type TextReport } from './text-pass.ts';

/** Stock-days are written in bursts; their texts follow. What failed, or came during a pass, is embedded by a later one. */
const TIMES: PassTimes = { quietMs: 3_000, pollIntervalMs: 300_000 };

/**
 * Gives new texts their vectors while the service runs, whatever wrote them. A failure is reported once, and again only
 * after a pass without one.
 *
 * @param onFailure receives why texts have no vectors for now
 */
export async function keepTextsEmbedded(
  scope: Scope,
  context: TextPassContext & PassWatching,
  onFailure: (error: unknown) => void,
  onEmbedded: (report: TextReport) => void = () => {},
  times: PassTimes = TIMES,
): Promise<void> {
  if (context.embedder === null) return;
  const run = openTextPass(context);
  const metered = passMeter(context, 'texts');
  let hasFailed = false;
  const report = (error: unknown): void => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  await keepPassing(scope, 'text pass', context.database, times, async (signal) => {
    try {
      const pass = await metered(
        () => run(signal),
        ({ embedded, failed }) => ({ written: embedded, failed }),
      );
      if (pass.embedded > 0) onEmbedded(pass);
      if (pass.failed > 0) report(new Error(`${pass.failed} texts have no vectors yet: ${pass.message}`));
      else hasFailed = false;
    } catch (error) {
      if (!signal.aborted) report(error);
    }
  });
}
