import { stopwatch } from '../base/timers.ts';
import type { Kept } from '../blocks/kept.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { type OptionFigures, optionFigures } from './chain-snapshot.ts';
import { viewOfChain } from './chain-view.ts';
import type { ChainAnswer, ChainQuestion, ChainRequest } from './deriver.ts';
import { type DteAnswer, DteScores, dteScores } from './dte-scores.ts';
import { Exposure, type ExposureAnswer, exposure } from './exposure.ts';
import { rounderOf } from './rounding.ts';
import type { TapeSource } from './tape-source.ts';
import { type SurfaceAnswer, VolatilitySurface, volatilitySurface } from './volatility-surface.ts';

/** Answers a question about the newest chain at an instant, from the tape alone. */
export function chainAnswer(
  source: TapeSource,
  { tape, tradeDate, asOf, chainAt, question }: ChainRequest,
  kept: Kept,
): ChainAnswer {
  const start = stopwatch();
  const view = { ...viewOfChain(source, tape, tradeDate, asOf), chainAt };
  const answer = answerOfChain(view, unknownMarket(tradeDate, asOf), question, kept);
  return { answer, computationMs: stopwatch() - start };
}

const roundScores = rounderOf(DteScores) as (answer: DteAnswer) => DteAnswer;
const roundSurface = rounderOf(VolatilitySurface) as (answer: SurfaceAnswer) => SurfaceAnswer;
const roundExposure = rounderOf(Exposure) as (answer: ExposureAnswer) => ExposureAnswer;

function answerOfChain(
  view: StockView,
  market: MarketView,
  question: ChainQuestion,
  kept: Kept,
): DteAnswer | ExposureAnswer | SurfaceAnswer | OptionFigures {
  if (question.kind === 'exposure') return roundExposure(exposure(view, market, kept));
  if (question.kind === 'surface') return roundSurface(volatilitySurface(view, market, kept));
  if (question.kind === 'figures') return optionFigures(view, market, kept);
  const { timeframe, direction } = question;
  return roundScores(dteScores(view, market, { timeframe, direction }, kept));
}
