import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { type Answer, sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer, sendUncached } from '../http/answer.ts';
import { callerOf } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { faultsOf } from '../http/validation.ts';
import { listScreenFields } from './list-screen-fields.ts';
import { FieldsAnswer, FieldsQuery, SCREEN_BODY_BYTES, ScreenAnswer, ScreenBody } from './schema.ts';
import { type ScreenRequest, screenFaults, screenStocks } from './screen-stocks.ts';

const FAULTS_MAX = 100;

const SCREEN_EXAMPLE = {
  filter: {
    all: [
      { field: 'last_price', op: '>=', value: 5 },
      { field: 'technical.rsi_14', op: '<', value: 60 },
    ],
  },
  computed: { atr_above_trend: '(last_price - technical.moving_averages.sma_50) / technical.atr_14' },
  sort: [{ field: 'rel_volume', order: 'desc' }],
  select: ['last_price', 'technical.rsi_14', 'computed.atr_above_trend'],
  near_misses: 5,
};

let sealed: Answer | undefined;
const screenFields = (): Answer => (sealed ??= sealAnswer(JSON.stringify(listScreenFields())));

/** The faults of the body's schema and of its conditions, each once. */
function allFaults(faults: readonly ValidationFault[], body: unknown): ValidationFault[] {
  const merged = new Map<string, ValidationFault>();
  for (const fault of [...faults, ...screenFaults(body)]) {
    const name = JSON.stringify([fault.loc, fault.type]);
    if (!merged.has(name)) merged.set(name, fault);
  }
  return [...merged.values()].slice(0, FAULTS_MAX);
}

export const screenerRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'POST',
    onlyReads: true,
    url: '/api/graph/v1/screener',
    operationId: 'screenStocks',
    tag: 'screener',
    summary: 'Stocks that fulfil a tree of conditions',
    description:
      'Screens every stock of a trade date on any single value of the stock detail, and on numbers computed from them, a page at a time. Pages of one screen belong together whatever is written meanwhile. A caller without the real-time feed is shown the newest session that is old enough as a whole.',
    scope: 'screener:read',
    body: ScreenBody,
    bodyLimitBytes: SCREEN_BODY_BYTES,
    answer: ScreenAnswer,
    example: ({ date }) => ({ body: { ...SCREEN_EXAMPLE, ...(date === null ? {} : { date }) } }),
    refusals: [401, 403, 404, 410, 429, 503, 504],
    preValidation(request, _reply, done) {
      const faults = faultsOf(request);
      if (faults.length === 0) done();
      else done(new ValidationRefusal(allFaults(faults, request.body)));
    },
    async handler(request, reply) {
      const text = await screenStocks(context, request.body as ScreenRequest, callerOf(request));
      return sendUncached(reply, text);
    },
  },
  {
    method: 'GET',
    url: '/api/graph/v1/screener/fields',
    operationId: 'listScreenFields',
    tag: 'screener',
    summary: 'Fields of a screen',
    description:
      'Every single value of the stock detail, flat or nested, with its type, its unit and the operators that it takes.',
    scope: 'screener:read',
    querystring: FieldsQuery,
    answer: FieldsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: (request, reply) => sendAnswer(request, reply, screenFields()),
  },
];
