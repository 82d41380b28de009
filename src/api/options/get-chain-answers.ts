import { optionFiguresUnavailable } from '../../derive/chain-snapshot.ts';
import type { ChainQuestion } from '../../derive/deriver.ts';
import { type DteQuestion, dteUnavailable } from '../../derive/dte-scores.ts';
import { exposureUnavailable } from '../../derive/exposure.ts';
import { surfaceUnavailable } from '../../derive/volatility-surface.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { chainAnswer } from './chain-answers.ts';

/**
 * Answers from the newest option chain that a viewer may see, or from the chain of a past date. A known symbol without
 * a chain gets an answer with `unavailable` and the reason.
 *
 * All throw CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout.
 */

const answers =
  <Request extends SymbolOnDate>(
    questionOf: (request: Request) => ChainQuestion,
    unavailable: (request: Request, reason: string) => object,
  ) =>
  (context: AppContext, request: Request, viewer: Viewer): Answer | Promise<Answer> =>
    chainAnswer(
      context,
      {
        symbol: request.symbol,
        date: request.date,
        question: questionOf(request),
        unavailable: (reason) => unavailable(request, reason),
      },
      viewer,
    );

/** Every expiration, scored on edge ratio, IV fitness, dealer flow and liquidity. */
export const getDteScores = answers(
  ({ timeframe, direction }: SymbolOnDate & DteQuestion) => ({ kind: 'dte-scores', timeframe, direction }),
  ({ symbol, timeframe, direction }, reason) => dteUnavailable(symbol, { timeframe, direction }, reason),
);

/** Dealer gamma, delta, vanna and charm by strike and expiration. */
export const getExposure = answers(
  () => ({ kind: 'exposure' }),
  ({ symbol }, reason) => exposureUnavailable(symbol, reason),
);

/** Implied volatility by strike and expiration. */
export const getSurface = answers(
  () => ({ kind: 'surface' }),
  ({ symbol }, reason) => surfaceUnavailable(symbol, reason),
);

/** The block `options`, also from a chain that is newer than the stock's own answer. */
export const getOptionFigures = answers(
  () => ({ kind: 'figures' }),
  (_, reason) => optionFiguresUnavailable(reason),
);
