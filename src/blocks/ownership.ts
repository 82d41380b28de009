import { DAY_MS, dateOf, midnightUtc } from '../base/dates.ts';
import * as wire from '../base/schema.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { splitFactorSince } from '../analysis/reported-figures.ts';

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

/** A quarter: insiders may trade in few weeks of it, so a shorter look misses most of what they do. */
const INSIDER_DAYS = 90;

/**
 * What insiders did in the 90 days up to the trade date, by the day of the transaction, as far as it was filed. Null
 * when no transaction at all is known: then nobody watches; zeros when those that are known are older.
 */
export const ownership = defineBlock({
  name: 'ownership',
  schema: Ownership,
  flat: {},
  reads: [],
  derive(view) {
    if (view.facts.insider_transaction.length === 0) return { nested: null, flat: {} };
    const { purchases, sales, bought, sold, acquired, disposed } = tally(view);
    return {
      nested: {
        insider_purchases: purchases,
        insider_sales: sales,
        insider_acquired: acquired,
        insider_disposed: disposed,
        insider_sentiment: sentiment(purchases - sales, bought - sold),
      },
      flat: {},
    };
  },
});

/** Counts and shares of the window. A purchase or a sale needs no telling which way it went; other codes do. */
function tally(view: StockView) {
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

/** Open-market trades alone speak, and only when most of them and most of their shares go the same way. */
function sentiment(netTrades: number, netShares: number): 'buying' | 'selling' | 'neutral' {
  if (netTrades > 0 && netShares > 0) return 'buying';
  return netTrades < 0 && netShares < 0 ? 'selling' : 'neutral';
}
