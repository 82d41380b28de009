import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, useGrant } from '../shared/api/client.ts';

/** Time in which announcements become one request. */
const GATHER_MS = 200;

/** While the newest minute is shown, asks chart, ledger and head again as soon as the stream announces a change. */
export function useLiveStock(symbol: string, isLive: boolean): void {
  const queries = useQueryClient();
  const grant = useGrant();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another caller has another stream
  useEffect(() => {
    if (!isLive) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({
          predicate: ({ queryKey }) =>
            queryKey[0] === 'feeds' ||
            (queryKey.at(-1) === 'live' && (queryKey[1] === symbol || queryKey[0] === 'market')),
        });
      }, GATHER_MS);
    };
    void watch(symbol, refresh, leaving.signal);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [symbol, isLive, grant, queries]);
}

/** Calls back on every change after the first snapshot. A stream that is refused for good leaves the timed refresh. */
async function watch(symbol: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  try {
    for await (const { event } of client.stream([symbol], { signal })) if (event !== 'snapshot') onChange();
  } catch {
    // The page itself shows why the stock is refused.
  }
}
