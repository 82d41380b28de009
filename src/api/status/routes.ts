import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getStatus } from './get-status.ts';
import { StatusAnswer, StatusQuery } from './schema.ts';

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
];
