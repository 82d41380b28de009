import { tradeDate } from '../../base/parameters.ts';
import { oneOf, withDefault } from '../../base/schema.ts';
import { DIRECTIONS, TIMEFRAMES } from './get-dte-scores.ts';

/** The date of a chain; by itself it says nothing of the symbol's newest bar. */
export const chainDate = {
  ...tradeDate,
  description: 'Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol.',
};

export const tradeTimeframe = withDefault(
  oneOf(TIMEFRAMES, 'How long the trade is held: one session, five, twenty.'),
  'swing',
);

export const tradeDirection = withDefault(oneOf(DIRECTIONS, 'Which way the trade is.'), 'bullish');
