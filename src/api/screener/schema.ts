import type { TSchema } from 'typebox';
import { tradeDate } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SESSIONS_BEHIND, SIMULATED } from '../../derive/compose.ts';
import type { ScalarType } from '../../derive/scalar-fields.ts';
import { marketParameter, parameters } from '../answers/parameters.ts';

export const PAGE_DEFAULT = 50;
const PAGE_MAX = 500;
/** Stocks of a page whose closes are answered. */
export const CLOSES_PAGE_MAX = 100;
/** Longer than any cursor. */
const CURSOR_LENGTH_MAX = 200;

/** What a row holds besides the symbol unless the request selects fields. */
export const SELECTED_BY_DEFAULT: readonly string[] = [
  'symbol',
  'company_name',
  'price.day_price',
  'price.change_pct',
  'rel_volume',
  'bullish_confluence',
  'bearish_confluence',
  'net_confluence',
  'directional_bias',
];

const FIELD_TYPES = [
  'number',
  'integer',
  'boolean',
  'text',
  'date',
  'instant',
] as const satisfies readonly ScalarType[];

/** Some hundred conditions with lists of symbols. */
export const SCREEN_BODY_BYTES = 262_144;
/** Validated by the use case, which knows the fields; the schema checks only its type. */
const described = (type: 'object' | 'array' | 'integer', description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ type: [type, 'null'], ...ANYTHING[type], description } as TSchema));
const ANYTHING = { object: { additionalProperties: true }, array: { items: {} }, integer: {} };

export const ScreenBody = Type.Object(
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
      'Number of stocks that miss one condition to return as well, nearest first.',
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
    closes: Type.Optional(
      Type.Boolean({
        description: `Whether each row has \`closes\` as well: the closes of the 15-minute bars of the regular session until \`as_of.newest\`, dollars, empty where the stock has none; for pages of at most ${CLOSES_PAGE_MAX} stocks.`,
      }),
    ),
    market: Type.Optional(marketParameter),
    date: Type.Optional({
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest that is whole and that the caller may see.',
    }),
  },
  { title: 'ScreenRequest', additionalProperties: false },
);

const anyValue = (description: string) =>
  Type.Unsafe<unknown>({ type: ['number', 'string', 'boolean', 'null'], description } as TSchema);

const NearMiss = wire.record('ScreenNearMiss', 'A stock that would pass but for one condition.', {
  symbol: wire.string('Ticker symbol.'),
  failed: wire.string('Path of the condition in the request, e.g. `filter.all.2`.'),
  condition: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'The condition as it was written.',
  } as TSchema),
  distance: wire.nullableNumber(
    'How far the value is from passing, in units of the field (days of a date, milliseconds of an instant); null where it is not known.',
  ),
  value: anyValue('What the stock has of the field; null where it has nothing, or where a group failed.'),
});

export const ScreenAnswer = wire.record('ScreenAnswer', 'A page of the stocks that fulfil a screen.', {
  date: wire.date('The trade date.'),
  sessions_behind: SESSIONS_BEHIND,
  as_of: wire.record('ScreenAsOf', 'Instants of the screened stocks.', {
    oldest: wire.nullableDateTime('Of the oldest; null where there is none.'),
    newest: wire.nullableDateTime('Of the newest.'),
  }),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'Market-data feed label of the caller.'),
  simulated: SIMULATED,
  total: wire.integer('Stocks that pass, on all pages.', wire.NOT_NEGATIVE),
  universe: wire.integer('Screened stocks.', wire.NOT_NEGATIVE),
  unknown: wire.integer(
    'Screened stocks that fail no condition and yet do not pass: too little is known of them.',
    wire.NOT_NEGATIVE,
  ),
  rows: wire.listOf(
    Type.Unsafe<object>({
      type: 'object',
      properties: {
        symbol: wire.string('Ticker symbol.'),
        closes: wire.listOf(wire.number('Dollars.'), 'Of the session, where the request asks for them.'),
      },
      required: ['symbol'],
      additionalProperties: anyValue('A selected value.'),
      title: 'ScreenRow',
      description: 'The symbol, and every selected value under the name that the request gave it.',
    } as TSchema),
    'In the requested order.',
  ),
  near_misses: wire.listOf(NearMiss, 'Nearest first; on the first page alone.'),
  next_cursor: wire.nullableString('Leads to the next page; null on the last.'),
});

export const FieldsQuery = parameters({});

export const FieldsAnswer = wire.record('ScreenFields', 'Every field that a screen may use.', {
  fields: wire.listOf(
    wire.record('ScreenField', 'A field of StockResult that holds a single value.', {
      path: wire.string('Its name, with dots between the levels.'),
      type: wire.oneOf(FIELD_TYPES, 'What its values are.'),
      unit: wire.nullableString(
        'What its numbers count, `ratio` for a plain one; null for what is no number.',
      ),
      description: wire.string('What it says.'),
      words: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'Every text that it can be; null where that is open.',
      } as TSchema),
      include: wire.nullableString(
        'The `include` word that shows it in the stock detail; null where it always is.',
      ),
      operators: wire.listOf(wire.string('An operator.'), 'Its operators.'),
      label: wire.string('What it is called when it is spelled out, without figures.'),
      short_name: wire.nullableString('What the trade calls it; null where it is called by its label.'),
      aliases: wire.listOf(wire.string('A name, in small letters.'), 'Other names that mean it alone.'),
    }),
    'In the order of the stock detail.',
  ),
});
