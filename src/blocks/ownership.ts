import { ofReports, type Reported, splitFactorSince } from '../analysis/reported-figures.ts';
import { DAY_MS, dateOf, midnightUtc } from '../base/dates.ts';
import * as wire from '../base/schema.ts';
import { nestedBlock } from './block.ts';

const Ownership = wire.record(
  'Ownership',
  'Transactions that insiders reported on Form 4.',
  {
    insider_purchases: wire.nullableInteger('Open-market purchases by insiders.'),
    insider_sales: wire.nullableInteger('Open-market sales by insiders.'),
    insider_acquired: wire.nullableNumber('Shares acquired by insiders.'),
    insider_disposed: wire.nullableNumber('Shares disposed of by insiders.'),
    insider_sentiment: wire.nullableOneOf(['buying', 'selling', 'neutral'], 'What insiders do on balance.'),
  },
  [],
);

/** A quarter: insiders may trade only in a few weeks of it. */
export const INSIDER_DAYS = 90;

/**
 * Insider trades of the 90 days up to the trade date, by transaction date, as filed by then. Null when no transaction
 * is known at all; zeros when all are older.
 */
export const ownership = nestedBlock({
  name: 'ownership',
  schema: Ownership,
  derive: ofReports((view) => {
    if (view.facts.insider_transaction.length === 0) return null;
    const { purchases, sales, bought, sold, acquired, disposed } = tally(view);
    return {
      insider_purchases: purchases,
      insider_sales: sales,
      insider_acquired: acquired,
      insider_disposed: disposed,
      insider_sentiment: sentiment(purchases - sales, bought - sold),
    };
  }),
});

/** Counts and shares of the window. Codes P and S imply the direction; other codes state it. */
function tally(view: Reported) {
  const from = dateOf(midnightUtc(view.tradeDate) - INSIDER_DAYS * DAY_MS);
  const sum = { purchases: 0, sales: 0, bought: 0, sold: 0, acquired: 0, disposed: 0 };
  for (const transaction of view.facts.insider_transaction) {
    const { date, code, direction } = transaction;
    if (date < from || date > view.tradeDate) continue;
    const shares = transaction.shares * splitFactorSince(view, transaction.knownAt);
    if (code === 'P') {
      sum.purchases++;
      sum.bought += shares;
      sum.acquired += shares;
    } else if (code === 'S') {
      sum.sales++;
      sum.sold += shares;
      sum.disposed += shares;
    } else if (direction !== null) sum[direction] += shares;
  }
  return sum;
}

/** Only open-market trades count, and only when most trades and most shares agree. */
function sentiment(netTrades: number, netShares: number): 'buying' | 'selling' | 'neutral' {
  if (netTrades > 0 && netShares > 0) return 'buying';
  return netTrades < 0 && netShares < 0 ? 'selling' : 'neutral';
}
