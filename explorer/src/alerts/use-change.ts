import { useMutation, useQueryClient } from '@tanstack/react-query';
import { alertsQuery } from '../shared/api/queries.ts';

/** Changes something of alerts, and asks for what has changed by it. */
export function useChange<Of>(change: (of: Of) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
}
