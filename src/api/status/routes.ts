import type { AppContext } from '../context/app-context.ts';
import { sendAnswer, sendUncached } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getFeeds } from './get-feeds.ts';
import { getStatus } from './get-status.ts';
import { FeedsAnswer, StatusAnswer, StatusQuery } from './schema.ts';

export const FEEDS_URL = '/health/feeds';

export const statusRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/status',
    operationId: 'getStatus',
    tag: 'market',
    summary: 'How fresh and how complete the data is',
    description:
      'The newest row of each kind of data against its promised age, what the tape has of each series, how far derivation has come, and versions. A caller without the real-time feed gets what was known 15 minutes ago, and ages from then; nothing that is counted or dated is newer than the instant of the caller.',
    scope: 'market:read',
    querystring: StatusQuery,
    answer: StatusAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503, 504],
    handler: async (request, reply) =>
      sendAnswer(request, reply, await getStatus(context, callerAt(request, context))),
  },
  {
    method: 'GET',
    url: FEEDS_URL,
    operationId: 'getLiveFeeds',
    tag: 'market',
    summary: 'How the live feed fares',
    description:
      'Whether the stream is connected and rows arrive, how far they are behind the market, holes of the session, refused rows with an example, and what the plan of the key allows. Every process of a desk answers it, with the age of what that says which follows the feed. No key is shown.',
    scope: 'market:read',
    answer: FeedsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await getFeeds(context, callerAt(request, context)))),
  },
];
