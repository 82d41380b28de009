import { type App, openApp } from '../app.ts';
import type { PacedClock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { showProgress } from './progress.ts';

/** Opens the app for a piece of work and closes it. An error of the work takes precedence over one of closing. */
export async function withApp<T>(
  config: Config,
  work: (app: App) => Promise<T>,
  clock?: PacedClock,
): Promise<T> {
  const progress = showProgress('database');
  const app = await openApp(config, clock, undefined, ({ done, total, detail }) =>
    progress.update(done, total, detail),
  ).finally(() => progress.end());
  let result: T;
  try {
    result = await work(app);
  } catch (error) {
    await app.close().catch(() => {});
    throw error;
  }
  await app.close();
  return result;
}
