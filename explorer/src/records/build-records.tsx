import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { client } from '../shared/api/client.ts';
import { recordBuildQuery } from '../shared/api/queries.ts';
import { Refused } from '../shared/ui/states.tsx';

/** Starts the count of past sessions, and shows how far it is. Callers who may not start it, or have, see nothing. */
export function BuildRecords(): ReactNode {
  const queries = useQueryClient();
  const build = useQuery({ ...recordBuildQuery, retry: false }).data;
  const start = useMutation({
    mutationFn: () => dataOf(client.POST('/api/internal/records/build')),
    onSuccess: (standing) => queries.setQueryData(recordBuildQuery.queryKey, standing),
  });
  const wasBuilding = useRef(false);
  useEffect(() => {
    if (build?.state === 'building') wasBuilding.current = true;
    else if (wasBuilding.current) {
      wasBuilding.current = false;
      void queries.invalidateQueries({ queryKey: ['records'] });
    }
  }, [build, queries]);
  if (build === undefined || build.state === 'built') return null;
  return (
    <div className="build-records">
      {build.state === 'building' ? (
        <p role="status">
          <progress
            {...(build.share_done === null ? {} : { value: build.share_done })}
            aria-label="Counting past sessions"
          />{' '}
          Counting past sessions
          {build.share_done === null ? '' : `: ${Math.floor(100 * build.share_done)} %`}
        </p>
      ) : (
        <button type="button" disabled={start.isPending} onClick={() => start.mutate()}>
          Count past sessions
        </button>
      )}
      {build.state === 'failed' ? <p role="alert">The last count failed; the log has the cause.</p> : null}
      {start.error === null ? null : <Refused error={start.error} />}
    </div>
  );
}
