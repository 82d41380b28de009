import type { Static } from 'typebox';
import type { MarketView, StockView } from '../market/stock-view.ts';
import type { Block } from '../blocks/block.ts';
import { type Availability, loadChain } from './chain-snapshot.ts';
import { chainState } from '../blocks/chain-state.ts';
import { deriveBlocks } from './compose.ts';
import { earnings } from '../blocks/earnings.ts';
import { gex } from '../blocks/gex.ts';
import { options } from '../blocks/options.ts';
import { priceVolume } from '../blocks/price-volume.ts';
import { technical } from '../blocks/technical.ts';

const READ: readonly Block[] = [earnings, priceVolume, technical, chainState, gex, options];

/** The block `options` of a chain that a stock-day need not know yet. */
export type OptionFigures = {
  /** Null without a chain that can be priced. */
  readonly options: Static<NonNullable<typeof options.schema>> | null;
  readonly availability: Availability;
  readonly availability_qualifier: string;
};

export function optionFigures(view: StockView, market: MarketView): OptionFigures {
  const { priced, reason } = loadChain(view, market);
  if (priced === null) return optionFiguresUnavailable(reason);
  const figures = deriveBlocks(READ, view, market).get(options)!.nested;
  return {
    options: figures as OptionFigures['options'],
    availability: 'available',
    availability_qualifier: '',
  };
}

export const optionFiguresUnavailable = (reason: string): OptionFigures => ({
  options: null,
  availability: 'unavailable',
  availability_qualifier: reason,
});
