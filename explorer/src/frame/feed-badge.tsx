import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { marketQuery } from '../api/queries.ts';

/** Whether the data is simulated, delayed or real-time. */
export function FeedBadge(): ReactNode {
  const { data } = useQuery(marketQuery(undefined));
  if (data === undefined) return null;
  const isDelayed = data.source === 'delayed';
  return (
    <span
      className="badge"
      data-tip={
        isDelayed
          ? 'Data of this caller is at least 15 minutes old. A token with the real-time feed removes the delay.'
          : 'Data of the real-time feed.'
      }
    >
      {isDelayed ? 'delayed' : 'real-time'}
    </span>
  );
}
