import { type Credentials, createClient, dataOf, type TigraphClient, TigraphError } from '@tigraph/client';
import { useSyncExternalStore } from 'react';
import { queries } from './query-client.ts';
import { watchedFetch } from './reachability.ts';

/** The one connection of the page to its service: without a token, or with one that renews itself in memory. */
export let client: TigraphClient = createClient({ baseUrl: '', fetch: watchedFetch });

let grant: string | null = null;
const listeners = new Set<() => void>();

function connect(next: TigraphClient, of: string | null): void {
  client = next;
  grant = of;
  for (const listener of listeners) listener();
  // What another caller was answered is not this caller's.
  void queries.resetQueries();
}

/**
 * Goes on with a token. The secret stays in the memory of this page and goes with it.
 *
 * @throws TigraphError if the service refuses the exchange; the page then goes on as before
 */
export async function enterCredentials(credentials: Credentials): Promise<void> {
  const next = createClient({ baseUrl: '', credentials, fetch: watchedFetch });
  try {
    await dataOf(next.GET('/api/graph/v1/status'));
  } catch (error) {
    // A token that may not read this much may read other things.
    if (!(error instanceof TigraphError && error.code === 'insufficient_scope')) throw error;
  }
  connect(next, credentials.grant_id);
}

export const forgetCredentials = (): void =>
  connect(createClient({ baseUrl: '', fetch: watchedFetch }), null);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The grant of the token in use; null without one. */
export const useGrant = (): string | null => useSyncExternalStore(listen, () => grant);
