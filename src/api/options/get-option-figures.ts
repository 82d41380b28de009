import { optionFiguresUnavailable } from '../../derive/chain-snapshot.ts';
export type { OptionFigures } from '../../derive/chain-snapshot.ts';
import type { Answer } from '../stocks/answer-cache.ts';
import { chainAnswer } from './chain-answers.ts';
import type { Viewer, AppContext } from '../app-context.ts';

/**
 * The block `options` of the newest chain that a viewer may see of a trade date, also where the stock's own answer ends
 * before the chain was taken.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function getOptionFigures(
  context: AppContext,
  { symbol, date }: { readonly symbol: string; readonly date: string },
  viewer: Viewer,
): Promise<Answer> {
  const unavailable = (_symbol: string, reason: string) => ({ ...optionFiguresUnavailable(reason) });
  return chainAnswer(context, { symbol, date, question: { kind: 'figures' } }, viewer, { unavailable });
}
