import { TigraphError } from '@tigraph/client';
import { useSyncExternalStore } from 'react';

/** Whether the service answers, from the answers themselves. */

let reachable = true;
const listeners = new Set<() => void>();

/** @param error null for an answer */
export function noteAnswer(error: unknown): void {
  const now = !(error instanceof TigraphError && error.status === 0);
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useReachable = (): boolean => useSyncExternalStore(listen, () => reachable);
