import { DIRECTIONS, TIMEFRAMES } from '../../analysis/options/dte-axes.ts';
import { asOfParameter, tradeDate } from '../../base/parameters.ts';
import { oneOf, withDefault } from '../../base/schema.ts';
import { optional, parameters } from '../answers/parameters.ts';

const OF_CHAIN = {
  date: {
    ...tradeDate,
    description: 'Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol.',
  },
  as_of: asOfParameter,
};

export const DteQuery = parameters(
  optional({
    timeframe: withDefault(
      oneOf(TIMEFRAMES, 'How long the trade is held: one session, five, twenty.'),
      'swing',
    ),
    direction: withDefault(oneOf(DIRECTIONS, 'Which way the trade is.'), 'bullish'),
    ...OF_CHAIN,
  }),
);

export const ChainQuery = parameters(optional(OF_CHAIN));
