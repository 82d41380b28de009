import { useQuery } from '@tanstack/react-query';
import { marketQuery } from './queries.ts';

/** The newest instant of the caller, by the service's clock: that of the browser may be wrong. Null until it is known. */
export function useNewest(): number | null {
  const { data } = useQuery(marketQuery(undefined));
  return data === undefined ? null : Date.parse(data.as_of);
}
