import type { TProperties, TSchema } from 'typebox';
import type { Block, Derived } from '../../src/blocks/block.ts';
import { blocks } from '../../src/blocks/index.ts';
import { deriveBlocks } from '../../src/derive/compose.ts';
import { type MarketView, unknownMarket } from '../../src/market/market-view.ts';
import type { StockView } from '../../src/market/stock-view.ts';

/** What one block derives from a view, with every block before it derived from the same view. */
export function derived<Nested extends TSchema, Flat extends TProperties>(
  block: Block<Nested, Flat>,
  view: StockView,
  market: MarketView = unknownMarket(view.tradeDate, view.asOf),
): Derived<Nested, Flat> {
  const all = deriveBlocks(blocks, view, market);
  return all.get(block as unknown as Block) as Derived<Nested, Flat>;
}
