import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client, useGrant } from '../shared/api/client.ts';

/** Time in which announcements become one request. */
const GATHER_MS = 200;

/** While the newest minute is shown, asks chart, ledger and head again as soon as the stream announces a change. */
export function useLiveStock(symbols: readonly string[], isLive: boolean): void {
  const list = symbols.join();
  const queries = useQueryClient();
  const grant = useGrant();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another caller has another stream
  useEffect(() => {
    if (!isLive || list === '') return;
    const watched = list.split(',');
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({
          predicate: ({ queryKey }) =>
            queryKey[0] === 'feeds' ||
            (queryKey.at(-1) === 'live' && (watched.includes(`${queryKey[1]}`) || queryKey[0] === 'market')),
        });
      }, GATHER_MS);
    };
    void watch(watched, refresh, leaving.signal);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [list, isLive, grant, queries]);
}

/** Calls back on every change after the first snapshot. A stream that is refused for good leaves the timed refresh. */
async function watch(symbols: readonly string[], onChange: () => void, signal: AbortSignal): Promise<void> {
  try {
    for await (const { event } of client.stream(symbols, { signal })) if (event !== 'snapshot') onChange();
  } catch {
    // The page itself shows why the stock is refused.
  }
}
