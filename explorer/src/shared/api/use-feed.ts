import { useQuery } from '@tanstack/react-query';
import { feedsQuery, type LiveFeed } from './queries.ts';

/** The live feed that the service follows; undefined while that is not known, and where it follows none. */
export const useFeed = (): LiveFeed | undefined => useQuery(feedsQuery).data?.feeds[0];
