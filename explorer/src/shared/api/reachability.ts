import { TigraphError } from '@tigraph/client';
import { useSyncExternalStore } from 'react';

/** Whether the service answers, is away, or refuses the token of the page; from the answers themselves. */
type Standing = 'answers' | 'away' | 'refused';

let standing: Standing = 'answers';
const listeners = new Set<() => void>();

const standingOf = (error: unknown): Standing => {
  if (!(error instanceof TigraphError)) return 'answers';
  return error.status === 0 ? 'away' : error.status === 401 ? 'refused' : 'answers';
};

/** @param error null for an answer */
export function noteAnswer(error: unknown): void {
  const now = standingOf(error);
  if (now === standing) return;
  standing = now;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useStanding = (): Standing => useSyncExternalStore(listen, () => standing);
