import type { FastifyRequest } from 'fastify';
import { canonicalSymbol } from '../../base/symbols.ts';
import { INTERNAL_SCOPE } from '../access/scopes.ts';
import { requireSymbols } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { CONTENT_TYPE } from '../http/answer.ts';
import { callerOf } from '../http/authentication.ts';
import type { Examples, RouteEntry, RouteExample } from '../http/route-entry.ts';
import { checkDiffusion, computeDiffusion } from './compute-diffusion.ts';
import { DIFFUSION_BODY_BYTES, DiffusionAnswer, DiffusionBody } from './schema.ts';

export const diffusionRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'POST',
    onlyReads: true,
    url: '/api/internal/graph-diffusion/compute',
    operationId: 'computeDiffusion',
    tag: 'internal',
    summary: 'Divergence scores of supplied returns',
    description:
      'Measures a vector of returns against the peers of the newest topology at three scales. Answers callers of this machine, and others with the internal scope.',
    scope: INTERNAL_SCOPE,
    body: DiffusionBody,
    bodyLimitBytes: DIFFUSION_BODY_BYTES,
    answer: DiffusionAnswer,
    example: exampleOfDiffusion,
    refusals: [400, 401, 403, 429, 503, 504],
    preValidation(request, _reply, done) {
      checkDiffusion(context, schemaVersionOf(request));
      done();
    },
    async handler(request, reply) {
      const { returns, schema_version: schemaVersion } = request.body as DiffusionBody;
      const symbols = Object.keys(returns).map(canonicalSymbol);
      requireSymbols(callerOf(request), symbols);
      const answer = await computeDiffusion(context, { returns, schemaVersion });
      return reply.header('content-type', CONTENT_TYPE).header('cache-control', 'no-store').send(answer);
    },
  },
];

/** The answer is made up: only callers on this machine get one. */
const exampleOfDiffusion = ({ symbols }: Examples): RouteExample => ({
  body: {
    returns: Object.fromEntries(
      symbols.map((symbol, index) => [symbol, (index % 2 === 0 ? 12 : -4) / 1_000]),
    ),
    schema_version: 1,
  },
  answer: {
    schema_version: 1,
    simulated: false,
    computed_at: '2026-01-02T15:00:00.000Z',
    symbols_computed: 1,
    symbols_skipped: 0,
    topology_built_at: '2026-01-02T01:00:00.000Z',
    scores: [
      {
        symbol: symbols[0],
        signal: 'bullish_divergence',
        peers_local: 6,
        peers_medium: 14,
        peers_broad: 40,
        weight_config: 'local_medium_broad',
        local: 2.4,
        medium: 2.1,
        broad: 1.8,
        composite: 2.2,
        contaminated: false,
      },
    ],
  },
});

/** The version of a body that is not validated yet. */
const schemaVersionOf = ({ body }: FastifyRequest): unknown =>
  (body as { schema_version?: unknown } | null | undefined)?.schema_version;
