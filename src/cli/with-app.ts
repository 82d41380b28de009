import { type Opening, openApi, openPipeline, openStore, type Store } from '../app.ts';
import type { PacedClock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { count } from './print.ts';
import { withProgress } from './progress.ts';

interface Closable {
  close(): Promise<void>;
}

/** Opens a part of the app for a piece of work and closes it. An error of the work takes precedence over one of closing. */
const withPart =
  <Part extends Closable>(open: (config: Config, opening: Opening) => Promise<Part>) =>
  async <T>(config: Config, work: (part: Part) => Promise<T>, clock?: PacedClock): Promise<T> => {
    const part = await withProgress('database', ({ update }) => open(config, { clock, onStage: update }));
    let result: T;
    try {
      result = await work(part);
    } catch (error) {
      await part.close().catch(() => {});
      throw error;
    }
    await part.close();
    return result;
  };

/** For what reads and fills the tape. */
export const withStore = withPart(openStore);

/** For what derives. */
export const withPipeline = withPart(openPipeline);

/** For what answers. */
export const withApp = withPart(openApi);

/** Waits until every process that answers callers has what was written, and says so. */
export async function waitUntilServed(app: Store): Promise<void> {
  const serving = await app.served();
  console.log(
    serving === 0
      ? 'No process serves callers at the moment.'
      : `Served by ${serving === 1 ? 'the one process' : `all ${count(serving)} processes`} that answer${serving === 1 ? 's' : ''} callers.`,
  );
}
