import { dateOf, DAY_MS, midnightUtc } from '../base/dates.ts';
import { nullableInteger, nullableNumber, nullableOneOf, record } from '../base/schema.ts';
import type { InsiderTransaction } from '../market/facts.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { splitFactorSince } from './reported-facts.ts';

const Ownership = record(
  'Ownership',
  'Transactions that insiders reported on Form 4.',
  {
    insider_purchases: nullableInteger('Open-market purchases by insiders.'),
    insider_sales: nullableInteger('Open-market sales by insiders.'),
    insider_acquired: nullableNumber('Shares acquired by insiders.'),
    insider_disposed: nullableNumber('Shares disposed of by insiders.'),
    insider_sentiment: nullableOneOf(['buying', 'selling', 'neutral'], 'What insiders do on balance.'),
  },
  [],
);

/** A quarter: insiders may trade in few weeks of it, so a shorter look misses most of what they do. */
const INSIDER_DAYS = 90;

type Filed = InsiderTransaction & { readonly knownAt: number };

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
    const filed = view.facts.insider_transaction;
    if (filed.length === 0) return { nested: null, flat: {} };
    const from = dateOf(midnightUtc(view.tradeDate) - INSIDER_DAYS * DAY_MS);
    const recent = filed.filter(({ date }) => date >= from && date <= view.tradeDate);
    const purchases = recent.filter(({ code }) => code === 'P');
    const sales = recent.filter(({ code }) => code === 'S');
    return {
      nested: {
        insider_purchases: purchases.length,
        insider_sales: sales.length,
        insider_acquired: sharesIn(
          view,
          recent.filter((one) => directionOf(one) === 'acquired'),
        ),
        insider_disposed: sharesIn(
          view,
          recent.filter((one) => directionOf(one) === 'disposed'),
        ),
        insider_sentiment: sentiment(
          purchases.length - sales.length,
          sharesIn(view, purchases) - sharesIn(view, sales),
        ),
      },
      flat: {},
    };
  },
});

/** What a purchase or a sale on the open market does to a holding needs no telling; of other codes only the filing knows. */
function directionOf({ code, direction }: Filed): 'acquired' | 'disposed' | null {
  if (code === 'P') return 'acquired';
  return code === 'S' ? 'disposed' : direction;
}

function sharesIn(view: StockView, transactions: readonly Filed[]): number {
  return transactions.reduce((sum, { shares, knownAt }) => sum + shares * splitFactorSince(view, knownAt), 0);
}

/** Open-market trades alone speak, and only when most of them and most of their shares go the same way. */
function sentiment(netTrades: number, netShares: number): 'buying' | 'selling' | 'neutral' {
  if (netTrades > 0 && netShares > 0) return 'buying';
  return netTrades < 0 && netShares < 0 ? 'selling' : 'neutral';
}
