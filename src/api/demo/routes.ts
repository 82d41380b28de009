import { INTERNAL_SCOPE } from '../access/scopes.ts';
import { sendUncached } from '../http/answer.ts';
import { requireWhole } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import type { Demo } from './demo.ts';
import { DemoAnswer } from './schema.ts';

const URL = '/api/internal/demo';
const WHO = 'Answers callers of this machine, and others with the internal scope.';

export const demoRoutes = (demo: Demo): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: URL,
    operationId: 'getDemo',
    tag: 'internal',
    summary: 'Whether the simulated market is there',
    description: `Whether the simulated market of the first start is there, or how far it is removed. ${WHO}`,
    scope: INTERNAL_SCOPE,
    answer: DemoAnswer,
    example: () => ({ answer: { state: 'there', stocks: 102, share_done: null } }),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) => {
      requireWhole(request);
      return sendUncached(reply, JSON.stringify(await demo.standing()));
    },
  },
  {
    method: 'POST',
    url: `${URL}/leave`,
    operationId: 'leaveDemo',
    tag: 'internal',
    summary: 'Leave the simulated market',
    description: `Removes the simulated market whole, and keeps later starts from building it; the answer comes at once, and again while it is removed. Without such a market nothing happens. ${WHO}`,
    scope: INTERNAL_SCOPE,
    answer: DemoAnswer,
    example: () => ({ answer: { state: 'leaving', stocks: 102, share_done: null } }),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) => {
      requireWhole(request);
      return sendUncached(reply, JSON.stringify(await demo.leave()));
    },
  },
];
