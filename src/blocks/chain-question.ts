import type { MarketView, StockView } from '../market/stock-view.ts';
import { type DteAnswer, type DteQuestion, dteScores } from './dte-scores.ts';
import { type ExposureAnswer, exposure } from './exposure.ts';
import { type OptionFigures, optionFigures } from './option-figures.ts';

/** What may be asked of an option chain. */
export type ChainQuestion =
  | ({ readonly kind: 'dte-scores' } & DteQuestion)
  | { readonly kind: 'exposure' }
  | { readonly kind: 'figures' };

/** Answers from the view's chain. */
export function answerOfChain(
  view: StockView,
  market: MarketView,
  question: ChainQuestion,
): DteAnswer | ExposureAnswer | OptionFigures {
  if (question.kind === 'exposure') return exposure(view, market);
  if (question.kind === 'figures') return optionFigures(view, market);
  const { timeframe, direction } = question;
  return dteScores(view, market, { timeframe, direction });
}
