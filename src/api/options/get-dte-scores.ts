import { type DteQuestion, dteUnavailable } from '../../derive/dte-scores.ts';
import type { Answer } from '../stocks/answer-cache.ts';
import { type ChainAsk, chainAnswer, peekChainAnswer } from './chain-answers.ts';
import type { Viewer, AppContext } from '../app-context.ts';

export { DIRECTIONS, TIMEFRAMES } from '../../analysis/options/dte-axes.ts';
export { DteScores } from '../../derive/dte-scores.ts';

export interface DteRequest extends DteQuestion {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest chain. */
  readonly date?: string | undefined;
}

/**
 * Every expiration of the newest chain that a viewer may see, or of that of a past date, on the four axes.
 *
 * A known symbol without a chain is an answer too: `unavailable`, with the reason.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function getDteScores(context: AppContext, request: DteRequest, viewer: Viewer): Promise<Answer> {
  const { timeframe, direction } = request;
  return chainAnswer(context, askOf(request), viewer, {
    unavailable: (symbol, reason) => dteUnavailable(symbol, { timeframe, direction }, reason),
  });
}

/** The ready answer, or null when it has to be made. */
export function peekDteScores(context: AppContext, request: DteRequest, viewer: Viewer): Answer | null {
  return peekChainAnswer(context, askOf(request), viewer);
}

const askOf = ({ symbol, date, timeframe, direction }: DteRequest): ChainAsk => ({
  symbol,
  date,
  question: { kind: 'dte-scores', timeframe, direction },
});
