import type { Static } from 'typebox';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { getPlan } from './get-plan.ts';
import { getReview } from './get-review.ts';
import { Plan, PlanQuery, Review, ReviewQuery } from './schema.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';

export const planRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/plan',
    operationId: 'getPlan',
    tag: 'plan',
    summary: 'The plan of a session',
    description:
      'What matters in a session for the stocks of a list, in an order that is the sum of named reasons: gap, nearest levels with their record, expected move, gamma, what is due, what changed since the close before, playbooks, and what would change the view. As of the instant it is the same whenever it is asked for.',
    scope: 'stock:read',
    querystring: PlanQuery,
    answer: Plan,
    alsoServed: 'text/markdown',
    example: ({ symbols, date }) => ({ parameters: { symbols: symbols.join(), date, list: null } }),
    refusals: [401, 403, 404, 406, 410, 429, 503, 504],
    handler(request, reply) {
      const query = request.query as Static<typeof PlanQuery>;
      const answer = getPlan(context, query, callerAt(request, context));
      return sendAnswer(request, reply, answer, query.format === 'markdown' ? { contentType: MARKDOWN } : {});
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/review',
    operationId: 'getReview',
    tag: 'plan',
    summary: 'What became of a plan',
    description:
      'The plan of the morning with the truth beside it: each level untouched, held or broken and when, the expected move kept or not, what each setup made, alerts that fired; and how the plans of the last sessions fared.',
    scope: 'stock:read',
    querystring: ReviewQuery,
    answer: Review,
    example: ({ symbols, date }) => ({
      parameters: { symbols: symbols.join(), date, list: null, sessions: null },
    }),
    refusals: [401, 403, 404, 410, 429, 503, 504],
    handler(request, reply) {
      const { sessions, ...query } = request.query as Static<typeof ReviewQuery>;
      const asked = { ...query, sessions: Number(sessions ?? 0) };
      return sendAnswer(request, reply, getReview(context, asked, callerAt(request, context)));
    },
  },
];
