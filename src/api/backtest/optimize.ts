import { join } from 'node:path';
import { SESSION_OUTCOMES, type SessionOutcome } from '../../analysis/backtest/partial.ts';
import { CodedError } from '../../base/errors.ts';
import type { SymbolTape } from '../../market/tape/index.ts';
import type { OptimizationText } from '../../derive/backtest-text.ts';
import type { Backtester, WalkOutcome } from '../../workers/backtest-tasks.ts';
import { type OptimizationRequest, specOf } from './optimization-request.ts';

/** What a run is made of. */
export interface OptimizationWork {
  readonly request: OptimizationRequest;
  /** Trade dates, ascending. */
  readonly sessions: readonly string[];
  readonly tapes: readonly SymbolTape[];
  /** Folder of the symbols that are done, and a word for the data that they were walked on. */
  readonly folder: string;
  readonly dataVersion: string;
}

/** Share of the work that is over when every symbol has been walked, percent; merging is the rest. */
const WALKED_PCT = 95;

/**
 * Walks every symbol through the grid, as many at once as there are threads, and merges what they came to. A symbol
 * whose outcome lies in the folder, from an attempt on the same data that did not end, is not walked again.
 *
 * @param onProgress called with a percentage that never falls and is below 100
 * @throws CodedError no_data_for_date, tape_damaged; the reason of the signal when it aborts
 */
export async function optimize(
  backtester: Backtester,
  work: OptimizationWork,
  signal: AbortSignal,
  onProgress: (percent: number) => void = () => {},
): Promise<OptimizationText> {
  const { request, sessions } = work;
  const spec = specOf(request, sessions);
  const tapes = work.tapes.toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const files = tapes.map((_, at) => join(work.folder, `${work.dataVersion}-${at}.partial`));
  const done = tapes.map(() => 0);
  const outcomes: WalkOutcome[] = [];
  let next = 0;

  async function walkSymbols(failure: AbortSignal): Promise<void> {
    while (next < tapes.length) {
      const at = next++;
      const outcome = await backtester.walk({ spec, tape: tapes[at]!, file: files[at]! }, failure, (days) => {
        done[at] = days;
        const walked = done.reduce((sum, one) => sum + one, 0);
        onProgress((WALKED_PCT * walked) / (tapes.length * sessions.length));
      });
      outcomes.push(outcome);
    }
  }

  // When one symbol cannot be walked the others need not be.
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const lanes = Array.from({ length: Math.min(backtester.threads, tapes.length) }, () => walkSymbols(either));
  try {
    await Promise.all(lanes);
  } catch (error) {
    failing.abort(error);
    await Promise.allSettled(lanes);
    throw error;
  }
  if (outcomes.every(({ outcomes: of }) => of.walked === 0)) throw nothingWalked(work, outcomes);
  return backtester.merge(files, signal);
}

const REASONS: Readonly<Record<Exclude<SessionOutcome, 'walked'>, string>> = {
  no_minute_bars: 'without one-minute bars of the regular session',
  fragment: 'whose bars stop short of the open or the close',
  no_daily_atr: 'without the 15 daily bars before them that the ATR needs',
};

/** Says of what there was too little, so that the caller knows what to bring or to change. */
function nothingWalked({ request, sessions }: OptimizationWork, all: readonly WalkOutcome[]): CodedError {
  const counts = SESSION_OUTCOMES.flatMap((name) => {
    const count = all.reduce((sum, { outcomes }) => sum + outcomes[name], 0);
    return name === 'walked' || count === 0 ? [] : [`${count} ${REASONS[name]}`];
  });
  const why = counts.length === 0 ? 'none has a bar' : counts.join(', ');
  return new CodedError(
    'no_data_for_date',
    `No session of ${request.symbols.join(', ')} from ${sessions[0]} to ${sessions.at(-1)} can be tested: ${why}. Name other dates or symbols, or import one-minute and daily bars.`,
  );
}
