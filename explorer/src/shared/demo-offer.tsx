import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { client, useGrant } from './api/client.ts';
import { demoQuery } from './api/queries.ts';
import { Panel } from './ui/panel.tsx';
import { Refused } from './ui/states.tsx';
import './demo-offer.css';

/** How the demo stands; undefined for callers who may not know. */
export function useDemo() {
  // A token has the rights of its grant in place of those of this machine.
  const grant = useGrant();
  return useQuery({ ...demoQuery, enabled: grant === null }).data;
}

/** The simulated market, while it is there, and the way to leave it by one click. */
export function DemoOffer(): ReactNode {
  const queries = useQueryClient();
  const demo = useDemo();
  const leave = useMutation({
    mutationFn: () => dataOf(client.POST('/api/internal/demo/leave')),
    onSuccess: (standing) => queries.setQueryData(demoQuery.queryKey, standing),
  });
  const wasLeaving = useRef(false);
  useEffect(() => {
    if (demo?.state === 'leaving') wasLeaving.current = true;
    if (demo?.state !== 'none' || !wasLeaving.current) return;
    wasLeaving.current = false;
    // Everything that is shown may have been of it.
    void queries.invalidateQueries();
  }, [demo, queries]);
  if (demo === undefined || demo.state === 'none') return null;
  const { stocks, share_done } = demo;
  return (
    <Panel label="Demo" className="wide demo-offer">
      {demo.state === 'leaving' ? (
        <p className="import-progress" role="status">
          <progress {...(share_done === null ? {} : { value: share_done })} aria-label="Removing the demo" />
          <span>The demo is being removed.</span>
        </p>
      ) : (
        <>
          <p>
            {stocks.toLocaleString('en-US')} symbols here are a simulated market. It is a market of its own:
            nothing of it enters a number about your data.
          </p>
          <button type="button" disabled={leave.isPending} onClick={() => leave.mutate()}>
            Leave the demo and remove it
          </button>
        </>
      )}
      {leave.error === null ? null : <Refused error={leave.error} />}
    </Panel>
  );
}
