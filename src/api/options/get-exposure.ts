import { exposureUnavailable } from '../../derive/exposure.ts';
import type { Answer } from '../stocks/answer-cache.ts';
import { type ChainAsk, chainAnswer, peekChainAnswer } from './chain-answers.ts';
import type { Viewer, AppContext } from '../app-context.ts';

export { Exposure } from '../../derive/exposure.ts';

export interface ExposureRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest chain. */
  readonly date?: string | undefined;
}

/**
 * Dealer gamma, delta, vanna and charm by strike and expiration of the newest chain that a viewer may see, or of that
 * of a past date.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function getExposure(context: AppContext, request: ExposureRequest, viewer: Viewer): Promise<Answer> {
  return chainAnswer(context, askOf(request), viewer, { unavailable: exposureUnavailable });
}

/** The ready answer, or null when it has to be made. */
export function peekExposure(context: AppContext, request: ExposureRequest, viewer: Viewer): Answer | null {
  return peekChainAnswer(context, askOf(request), viewer);
}

const askOf = ({ symbol, date }: ExposureRequest): ChainAsk => ({
  symbol,
  date,
  question: { kind: 'exposure' },
});
