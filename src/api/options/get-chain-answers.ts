import { optionFiguresUnavailable } from '../../derive/chain-snapshot.ts';
import { type DteQuestion, dteUnavailable } from '../../derive/dte-scores.ts';
import { exposureUnavailable } from '../../derive/exposure.ts';
import { surfaceUnavailable } from '../../derive/volatility-surface.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { type ChainRequest, chainAnswer, peekChainAnswer } from './chain-answers.ts';

/**
 * Answers from the newest option chain that a viewer may see, or from the chain of a past date. A known symbol without
 * a chain gets an answer with `unavailable` and the reason.
 *
 * All throw CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout.
 */

type OnDate = Pick<ChainRequest, 'symbol' | 'date'>;

const dteScores = ({ symbol, date, timeframe, direction }: OnDate & DteQuestion): ChainRequest => ({
  symbol,
  date,
  question: { kind: 'dte-scores', timeframe, direction },
  unavailable: (reason) => dteUnavailable(symbol, { timeframe, direction }, reason),
});

const exposure = ({ symbol, date }: OnDate): ChainRequest => ({
  symbol,
  date,
  question: { kind: 'exposure' },
  unavailable: (reason) => exposureUnavailable(symbol, reason),
});

const surface = ({ symbol, date }: OnDate): ChainRequest => ({
  symbol,
  date,
  question: { kind: 'surface' },
  unavailable: (reason) => surfaceUnavailable(symbol, reason),
});

const optionFigures = ({ symbol, date }: OnDate): ChainRequest => ({
  symbol,
  date,
  question: { kind: 'figures' },
  unavailable: (reason) => ({ ...optionFiguresUnavailable(reason) }),
});

const get =
  <Request>(chainRequest: (request: Request) => ChainRequest) =>
  (context: AppContext, request: Request, viewer: Viewer): Promise<Answer> =>
    chainAnswer(context, chainRequest(request), viewer);

/** The cached answer, or null. */
const peek =
  <Request>(chainRequest: (request: Request) => ChainRequest) =>
  (context: AppContext, request: Request, viewer: Viewer): Answer | null =>
    peekChainAnswer(context, chainRequest(request), viewer);

/** Every expiration, scored on edge ratio, IV fitness, dealer flow and liquidity. */
export const getDteScores = get(dteScores);
export const peekDteScores = peek(dteScores);

/** Dealer gamma, delta, vanna and charm by strike and expiration. */
export const getExposure = get(exposure);
export const peekExposure = peek(exposure);

/** Implied volatility by strike and expiration. */
export const getSurface = get(surface);
export const peekSurface = peek(surface);

/** The block `options`, also from a chain that is newer than the stock's own answer. */
export const getOptionFigures = get(optionFigures);
