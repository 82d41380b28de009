import type { TSchema } from 'typebox';
import { asOfParameter, dateOrInstant, stockSymbol } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { optional, parameters } from '../answers/parameters.ts';
import { ScreenBody } from '../screener/schema.ts';

/** Values of an answer: 500 stocks over 250 sessions by 80 fields. */
export const VALUES_MAX = 10_000_000;
export const SYMBOLS_MAX = 10_000;
export const PANEL_BODY_BYTES = 524_288;
export const SESSIONS_MAX = 5_200;
export const SESSIONS_BY_DEFAULT = 260;

export const PanelQuery = parameters({ ...optional({ as_of: asOfParameter }) });

export const PanelBody = Type.Object(
  {
    fields: Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Fields of the stock detail that hold a single value: see the fields of a screen.',
      examples: [['last_price', 'technical.rsi_14', 'net_confluence']],
    }),
    ...optional({
      symbols: Type.Array(stockSymbol, {
        minItems: 1,
        maxItems: SYMBOLS_MAX,
        description: 'Ticker symbols in the order of the answer; this, `list` or `screen`.',
      }),
      list: Type.String({ minLength: 1, maxLength: 60, description: 'Name of a list of yours.' }),
      screen: ScreenBody,
      from: dateOrInstant(`The first session. Default: ${SESSIONS_BY_DEFAULT} sessions before \`to\`.`),
      to: dateOrInstant('The last session, included. Default: the newest.'),
      derive: wire.oneOf(
        ['wait', 'no'],
        'What happens to days without stored values: `wait` derives them as the answer is sent, stock by stock; `no` leaves their fields null, except those of bars. Default: wait.',
      ),
    }),
  },
  { title: 'PanelRequest', additionalProperties: false },
);

const value = Type.Unsafe<number | string | boolean | null>({
  type: ['number', 'string', 'boolean', 'null'],
  description: 'As in the stock detail of the date.',
} as TSchema);

export const PanelAnswer = wire.record('Panel', 'Fields of stocks over trade dates, as columns by stock.', {
  as_of: wire.dateTime('Nothing counts that became known later.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  from: wire.nullable(wire.date('The first session of the range; null where it has none.')),
  to: wire.nullable(wire.date('The last one.')),
  units: wire.mapOf(
    wire.nullableString('`ratio` for a plain number; null for what is no number.'),
    'Of the fields.',
  ),
  stocks: wire.listOf(
    wire.record('PanelStock', 'A stock of a panel.', {
      symbol: wire.string('Ticker symbol.'),
      dates: wire.listOf(wire.date('A trade date.'), 'Sessions with a bar, ascending.'),
      not_derived: wire.listOf(
        wire.date('A trade date.'),
        'Those of which fields beyond bars are null because nothing has derived them.',
      ),
      columns: wire.mapOf(
        wire.listOf(value, 'One value for each date; null where it has none.'),
        'The values by field, in the order of the request.',
      ),
    }),
    'In the order of the request, or of the list or screen.',
  ),
});
