import { CodedError } from '../../base/errors.ts';
import type { ScreenRow } from '../../derive/stock-day.ts';
import type { SymbolTape } from '../../market/tape/index.ts';
import { type Day, deriveDays } from '../answers/load-stock.ts';
import type { AppContext } from '../context/app-context.ts';

const AT_ONCE = 4;
/** Of the time of a query; the rest is for the answer. */
const SHARE_OF_TIME = 0.7;

/**
 * Derives days of a stock, newest first, as many as the time allows.
 *
 * @param isCompared whether divergences from peers are wanted
 * @returns by trade date its row, null without a bar; a day that was not reached is left out, and one whose peers are
 *   still to be measured
 * @throws CodedError when a day cannot be derived
 */
export async function deriveMissing(
  context: AppContext,
  tape: SymbolTape,
  days: readonly Day[],
  isCompared: boolean,
): Promise<Map<string, ScreenRow | null>> {
  const rows = new Map<string, ScreenRow | null>();
  const signal = AbortSignal.timeout(SHARE_OF_TIME * context.queryTimeoutMs);
  const waiting = days.toReversed();
  const work = async (): Promise<void> => {
    for (let day = waiting.shift(); day !== undefined && !signal.aborted; day = waiting.shift()) {
      const { row, isFinal } = await deriveRow(context, tape, day, isCompared, signal);
      if (isFinal) rows.set(day.tradeDate, row);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !signal.aborted) throw outcome.reason;
  }
  return rows;
}

async function deriveRow(
  context: AppContext,
  tape: SymbolTape,
  day: Day,
  isCompared: boolean,
  signal: AbortSignal,
): Promise<{ readonly row: ScreenRow | null; readonly isFinal: boolean }> {
  const { deriveToStore } = context.deriver;
  // A row has every scalar, and no text is read.
  const asked = [{ tape, day, asOf: day.asOf }];
  const outcomes = await deriveDays(context, asked, isCompared, signal, (jobs, options) =>
    deriveToStore(jobs, { ...options, blocks: [] }),
  );
  const { outcome, isFinal } = outcomes.get(tape.symbol)!;
  if (outcome.kind === 'missing') return { row: null, isFinal: true };
  if (outcome.kind === 'derived') return { row: outcome.screen ?? null, isFinal };
  throw new CodedError(outcome.code, `${tape.symbol} on ${day.tradeDate}: ${outcome.message}`);
}
