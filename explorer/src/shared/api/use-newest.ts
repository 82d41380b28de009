import { useQuery } from '@tanstack/react-query';
import { dateOf } from '../instant.ts';
import { type MarketContext, marketQuery } from './queries.ts';

/** The newest instant of the caller, by the service's clock: that of the browser may be wrong. Null until it is known. */
export function useNewest(): number | null {
  const { data } = useQuery(marketQuery(undefined));
  return data === undefined ? null : newestOf(data);
}

/**
 * The newest instant that a market tells of. The market of a session that runs may not be counted yet where its stocks are
 * there already: then the clock is ahead of the market by less than a session.
 */
export function newestOf({ as_of, clock }: Pick<MarketContext, 'as_of' | 'clock'>): number {
  const [marketMs, clockMs] = [Date.parse(as_of), Date.parse(clock.at)];
  const isOfNext = clock.next_session !== null && dateOf(clockMs) === clock.next_session;
  return isOfNext ? Math.max(marketMs, clockMs) : marketMs;
}
