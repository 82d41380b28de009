import { type TSchema, Type } from 'typebox';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import {
  integer,
  listOf,
  nullableDateTime,
  nullableNumber,
  nullableString,
  oneOf,
  record,
  string,
} from '../../base/schema.ts';
import {
  CURSOR_LENGTH_MAX,
  FIELD_TYPES,
  listScreenFields,
  PAGE_DEFAULT,
  PAGE_MAX,
  type ScreenRequest,
  SELECTED_BY_DEFAULT,
  screenFaults,
  screenStocks,
} from './index.ts';
import type { AppContext } from '../app-context.ts';
import { CONTENT_TYPE, sendAnswer, VARY } from '../server/answer.ts';
import { tradeDate } from '../../base/parameters.ts';
import type { RouteEntry } from '../server/route-entry.ts';
import { faultsOf } from '../server/validation.ts';
import { callerOf } from '../server/viewer.ts';

/** What goes over the wire when stocks are screened. */

/** Some hundred conditions with lists of symbols. */
const SCREEN_BODY_BYTES = 262_144;
/** Faults that an answer lists. */
const FAULTS_MAX = 100;

/** What is checked by the operation, which knows the fields; here it is described, and held to be of its kind. */
const described = (type: string, description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ type: [type, 'null'], description } as TSchema));

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

const ScreenBody = Type.Object(
  {
    filter: described(
      'object',
      'A condition, `{field, op, value}` or `{field, op, other}`, or a group of them: `{all: […]}`, `{any: […]}`, `{not: …}`. A condition on an absent value selects nothing, nor does its negation. Without a filter every stock passes.',
    ),
    computed: described(
      'object',
      'Numbers by name that follow from fields, each an expression; elsewhere they are called `computed.NAME`.',
    ),
    sort: described(
      'array',
      'Keys, the first one first; equal stocks come in the order of their symbols, absent values last.',
    ),
    select: described(
      'array',
      `What is answered of each stock beside its symbol. Default: ${SELECTED_BY_DEFAULT.join(', ')}.`,
    ),
    near_misses: described(
      'integer',
      'Stocks that miss by one condition which are wanted as well, nearest first.',
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PAGE_MAX,
        default: PAGE_DEFAULT,
        description: 'Stocks of a page.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description: '`next_cursor` of the page before, sent with the same screen.',
      }),
    ),
    date: Type.Optional({
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest that is whole and that the caller may see.',
    }),
  },
  { title: 'ScreenRequest', additionalProperties: false },
);

const anyValue = (description: string) =>
  Type.Unsafe<unknown>({ type: ['number', 'string', 'boolean', 'null'], description } as TSchema);

const NearMiss = record('ScreenNearMiss', 'A stock that would pass but for one condition.', {
  symbol: string('Ticker symbol.'),
  failed: string('Where the condition stands in the request, e.g. `filter.all.2`.'),
  condition: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'The condition as it was written.',
  } as TSchema),
  distance: nullableNumber(
    'How far the value is from passing, in units of the field (days of a date, milliseconds of an instant); null where that cannot be told.',
  ),
  value: anyValue('What the stock has of the field; null where it has nothing, or where a group failed.'),
});

const ScreenAnswer = record('ScreenAnswer', 'A page of the stocks that fulfil a screen.', {
  date: Type.Unsafe<string>({ type: 'string', format: 'date', description: 'The trade date.' } as TSchema),
  as_of: record('ScreenAsOf', 'Which instants the stocks that were looked at speak for.', {
    oldest: nullableDateTime('Of the oldest; null where there is none.'),
    newest: nullableDateTime('Of the newest.'),
  }),
  source: oneOf(['realtime_sip', 'delayed', 'byok'], 'Market-data feed label of the caller.'),
  total: integer('Stocks that pass, on all pages.', { minimum: 0 }),
  universe: integer('Stocks that were looked at.', { minimum: 0 }),
  rows: listOf(
    Type.Unsafe<object>({
      type: 'object',
      properties: { symbol: string('Ticker symbol.') },
      required: ['symbol'],
      additionalProperties: anyValue('A selected value.'),
      title: 'ScreenRow',
      description: 'The symbol, and every selected value under the name that the request gave it.',
    } as TSchema),
    'In the order asked for.',
  ),
  near_misses: listOf(NearMiss, 'Nearest first; on the first page alone.'),
  next_cursor: nullableString('Leads to the next page; null on the last.'),
});

const FieldsAnswer = record('ScreenFields', 'Everything that a screen may ask about.', {
  fields: listOf(
    record('ScreenField', 'A field of StockResult that holds a single value.', {
      path: string('Its name, with dots between the levels.'),
      type: oneOf(FIELD_TYPES, 'What its values are.'),
      unit: nullableString('What its numbers count, `ratio` for a plain one; null for what is no number.'),
      description: string('What it says.'),
      words: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'Every text that it can be; null where that is open.',
      } as TSchema),
      include: nullableString(
        'The `include` word that shows it in the stock detail; null where it always is.',
      ),
      operators: listOf(string('An operator.'), 'What may be asked of it.'),
    }),
    'In the order of the stock detail.',
  ),
});

/** The faults of body and tree together, so that nobody has to mend them one after the other. */
function allFaults(faults: readonly ValidationFault[], body: unknown): ValidationFault[] {
  const merged = new Map<string, ValidationFault>();
  for (const fault of [...faults, ...screenFaults(body)]) {
    const name = JSON.stringify([fault.loc, fault.type]);
    if (!merged.has(name)) merged.set(name, fault);
  }
  return [...merged.values()].slice(0, FAULTS_MAX);
}

export function screenerRoutes(context: AppContext): readonly RouteEntry[] {
  return [
    {
      method: 'POST',
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
      refusals: [401, 403, 404, 410, 413, 429, 503, 504],
      preValidation(request, _reply, done) {
        const faults = faultsOf(request);
        if (faults.length === 0) done();
        else done(new ValidationRefusal(allFaults(faults, request.body)));
      },
      async handler(request, reply) {
        const text = await screenStocks(context, request.body as ScreenRequest, callerOf(request));
        return reply
          .header('content-type', CONTENT_TYPE)
          .header('cache-control', 'no-store')
          .header('vary', VARY)
          .send(text);
      },
    },
    {
      method: 'GET',
      url: '/api/graph/v1/screener/fields',
      operationId: 'listScreenFields',
      tag: 'screener',
      summary: 'What a screen may ask about',
      description:
        'Every single value of the stock detail, flat or nested, with its type, its unit and the operators that it takes.',
      scope: 'screener:read',
      querystring: Type.Object({}, { additionalProperties: false }),
      answer: FieldsAnswer,
      example: () => ({}),
      refusals: [401, 403, 429, 503],
      handler: (request, reply) => sendAnswer(request, reply, listScreenFields()),
    },
  ];
}
