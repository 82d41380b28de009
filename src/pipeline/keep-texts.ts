import { onChange } from '../database/changes.ts';
import { behindReaders } from '../database/database.ts';
import { openTextPass, type TextReport, type TextPassContext } from './text-pass.ts';

/** Stock-days are written in bursts; their texts follow when the graph has been quiet for this long. */
const QUIET_MS = 3_000;
/** What failed is tried again after this long. */
const TRY_AGAIN_MS = 60_000;

/**
 * Gives new texts their vectors while the service runs, whoever wrote them, and has the model ready for questions. One
 * pass at a time; what fails is told once, and again only after it went well in between.
 *
 * @param onFailure hears why texts have no vectors for now
 */
export function keepTextsEmbedded(
  context: TextPassContext,
  onFailure: (error: unknown) => void,
  onEmbedded: (report: TextReport) => void = () => {},
): { stop(): Promise<void> } {
  if (context.embedder === null) return { stop: async () => {} };
  const stopping = new AbortController();
  const run = openTextPass(context);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWanted = false;
  let hasFailed = false;

  const passAfter = (delayMs: number): void => {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(pass, delayMs);
    timer.unref();
  };
  const pass = (): void => {
    isWanted = false;
    running = behindReaders(() => run(stopping.signal))
      .then(onReport, (error: unknown) => (stopping.signal.aborted ? undefined : onFault(error)))
      .finally(() => {
        running = null;
        if (hasFailed) passAfter(TRY_AGAIN_MS);
        else if (isWanted) passAfter(QUIET_MS);
      });
  };
  const onReport = (report: TextReport): void => {
    if (report.embedded > 0) onEmbedded(report);
    if (report.failed > 0)
      onFault(new Error(`${report.failed} texts have no vectors yet: ${report.message}`));
    else hasFailed = false;
  };
  const onFault = (error: unknown): void => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  // Minutes of a running session bring no nodes; who announces them says so.
  const listening = onChange(context.database, (_symbols, origin) => {
    if (origin !== null) return;
    isWanted = true;
    if (running === null && !hasFailed) passAfter(QUIET_MS);
  });
  // What cannot be loaded is told of by the first text that needs it.
  context.embedder.warm?.().catch(() => {});
  passAfter(0);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      const stopListening = await listening;
      stopListening();
      await running;
    },
  };
}
