import type { Store } from '../app.ts';
import { count } from './print.ts';

/** Waits until every process that answers callers has what was written, and says so. */
export async function waitUntilServed(app: Store): Promise<void> {
  const serving = await app.served();
  console.log(
    serving === 0
      ? 'No process serves callers at the moment.'
      : `Served by ${serving === 1 ? 'the one process' : `all ${count(serving)} processes`} that answer${serving === 1 ? 's' : ''} callers.`,
  );
}
