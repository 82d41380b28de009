import type { FactRegistry } from '../facts/fact-registry.ts';
import { addNewsItem, NEWEST, type StockAnswer } from '../facts/stock-facts.ts';
import { floored, type Piece } from './piece.ts';
import type { FoundNews } from './search-texts.ts';
import { newsPiece } from './stock-pieces.ts';
import { untrusted } from './untrusted.ts';

/**
 * News that a query finds, best first: of a stock in `stock_data`, of the whole market in `market_context` with the stock
 * that each item mentions. An item that is among the newest of the stock keeps the ids of its facts; the facts of others are
 * `news.found.N`.
 */
export function foundNewsPieces(
  found: readonly FoundNews[],
  answer: StockAnswer | null,
  registry: FactRegistry,
): Piece[] {
  const newest = (answer?.news?.items ?? []).slice(0, NEWEST).map(({ id }) => id);
  const pieces = found.flatMap(({ symbol, item }, at) => {
    const known = newest.indexOf(item.id);
    const subject = known < 0 ? `news.found.${at + 1}` : `news.${known + 1}`;
    if (known < 0) addNewsItem(registry, subject, item);
    const section = answer === null ? 'market_context' : 'stock_data';
    const more = answer === null ? { symbol } : {};
    return newsPiece(['found', section, 'news'], registry, subject, item, more, {
      summary: untrusted(item.summary),
    });
  });
  return floored(pieces);
}
