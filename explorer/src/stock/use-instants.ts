import { useDeferredValue, useEffect, useState } from 'react';
import type { Instant } from '../shared/instant.ts';

/** Time in which a handle that is dragged, played or stepped by a key moves on. */
const SETTLED_MS = 300;

/** Where a page stands while its time handle is dragged or played. */
export interface Instants {
  /** Of the handle, which runs ahead of the answers. */
  readonly handle: Instant;
  /** Whose answers are shown. */
  readonly shown: Instant;
  /** The last at which the handle stood still: what is dear is not asked for each minute that is passed. */
  readonly settled: Instant;
}

export function useInstants(handle: Instant): Instants {
  const shown = useDeferredValue(handle);
  const [settled, setSettled] = useState(shown);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return { handle, shown, settled };
}
