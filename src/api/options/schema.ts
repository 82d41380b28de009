import { DIRECTIONS, TIMEFRAMES } from '../../analysis/options/dte-axes.ts';
import { asOfParameter, stockSymbol, tradeDate } from '../../base/parameters.ts';
import { oneOf, withDefault } from '../../base/schema.ts';
import { Type } from '../../base/type.ts';

const chainDate = {
  ...tradeDate,
  description: 'Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol.',
};

const tradeTimeframe = withDefault(
  oneOf(TIMEFRAMES, 'How long the trade is held: one session, five, twenty.'),
  'swing',
);

const tradeDirection = withDefault(oneOf(DIRECTIONS, 'Which way the trade is.'), 'bullish');

export const OptionPath = Type.Object({ symbol: stockSymbol }, { additionalProperties: false });

export const DteQuery = Type.Object(
  {
    timeframe: Type.Optional(tradeTimeframe),
    direction: Type.Optional(tradeDirection),
    date: Type.Optional(chainDate),
    as_of: Type.Optional(asOfParameter),
  },
  { additionalProperties: false },
);

export const ChainQuery = Type.Object(
  { date: Type.Optional(chainDate), as_of: Type.Optional(asOfParameter) },
  { additionalProperties: false },
);
