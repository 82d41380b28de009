import { waitMs } from './api/query-client.ts';
import { watchedFetch } from './api/reachability.ts';

/**
 * Parts of the program, which the browser asks for when a reader first wants them. Once the first page is drawn it asks
 * for the rest, so that the application goes on where the service stops.
 */

const parts: (() => Promise<unknown>)[] = [];
const RELOADED_KEY = 'tigraph.reloaded';

/** A part that waits for a service that is away. */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  parts.push(load);
  return async () => {
    try {
      return await load();
    } catch (error) {
      await untilServed();
      // A browser may keep the failure; and a newer build has replaced the file that a link leads to. The address is
      // the whole state, so nothing is lost.
      if (sessionStorage.getItem(RELOADED_KEY) === `${error}`) throw error;
      sessionStorage.setItem(RELOADED_KEY, `${error}`);
      location.reload();
      return new Promise(() => {});
    }
  };
}

async function untilServed(): Promise<void> {
  for (let failures = 0; ; failures++) {
    const answer = await watchedFetch(new Request('/health/live')).catch(() => null);
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs(failures)));
  }
}

/** Asks for every part, one after the other, while the browser has nothing else to do. */
export async function bringParts(): Promise<void> {
  for (const load of parts) {
    await new Promise<void>((resolve) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
      else setTimeout(resolve);
    });
    // What does not come is asked for again when it is wanted.
    await load().catch(() => {});
  }
}
