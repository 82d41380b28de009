import type { MarketView, StockView } from '../market/stock-view.ts';
import { type DteAnswer, type DteQuestion, DteScores, dteScores } from './dte-scores.ts';
import { Exposure, type ExposureAnswer, exposure } from './exposure.ts';
import { type OptionFigures, optionFigures } from './option-figures.ts';
import { rounderOf } from './rounding.ts';

/** What may be asked of an option chain. */
export type ChainQuestion =
  | ({ readonly kind: 'dte-scores' } & DteQuestion)
  | { readonly kind: 'exposure' }
  | { readonly kind: 'figures' };

const roundScores = rounderOf(DteScores) as (answer: DteAnswer) => DteAnswer;
const roundExposure = rounderOf(Exposure) as (answer: ExposureAnswer) => ExposureAnswer;

/** Answers from the view's chain, its numbers rounded. */
export function answerOfChain(
  view: StockView,
  market: MarketView,
  question: ChainQuestion,
): DteAnswer | ExposureAnswer | OptionFigures {
  if (question.kind === 'exposure') return roundExposure(exposure(view, market));
  if (question.kind === 'figures') return optionFigures(view, market);
  const { timeframe, direction } = question;
  return roundScores(dteScores(view, market, { timeframe, direction }));
}
