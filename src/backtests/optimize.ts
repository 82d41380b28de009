import { join } from 'node:path';
import { SESSION_OUTCOMES, type SessionOutcome } from '../analysis/backtest/partial.ts';
import { CodedError } from '../base/errors.ts';
import type { SymbolTape } from '../tape/index.ts';
import type { MergedRun, WalkOutcome } from '../workers/backtest-worker.ts';
import type { Backtester } from '../workers/backtester.ts';
import { type OptimizationRequest, type OwnEntries, specOf } from './optimization-request.ts';

export interface OptimizationWork {
  readonly request: OptimizationRequest;
  /** Entries of the caller; empty where signals find them. */
  readonly own: OwnEntries;
  /** Trade dates, ascending. */
  readonly sessions: readonly string[];
  readonly tapes: readonly SymbolTape[];
  /** Folder for the outcomes of symbols, and the version of the data that they come from. */
  readonly folder: string;
  readonly dataVersion: string;
}

/** Progress once every symbol is walked, percent; merging is the rest. */
const WALKED_PCT = 95;

/**
 * Walks every symbol through the grid, one per thread, and merges the outcomes. Reuses outcomes in the folder from an
 * interrupted attempt on the same data.
 *
 * @param onProgress called with a percentage that never falls and is below 100
 * @throws CodedError no_data_for_date, tape_damaged; the reason of the signal when it aborts
 */
export async function optimize(
  backtester: Backtester,
  work: OptimizationWork,
  signal: AbortSignal,
  onProgress: (percent: number) => void = () => {},
): Promise<MergedRun> {
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
      const tape = tapes[at]!;
      const walk = { spec, tape, own: work.own[tape.symbol] ?? [], file: files[at]! };
      const outcome = await backtester.walk(walk, failure, (days) => {
        done[at] = days;
        const walked = done.reduce((sum, one) => sum + one, 0);
        onProgress((WALKED_PCT * walked) / (tapes.length * sessions.length));
      });
      outcomes.push(outcome);
    }
  }

  // One failure stops the others.
  const failing = new AbortController();
  const stop = AbortSignal.any([signal, failing.signal]);
  const lanes = Array.from({ length: Math.min(backtester.threads, tapes.length) }, () => walkSymbols(stop));
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
  no_quotes: 'without a quote from the first minute on, of which half the spread is a cost',
};

/** Counts why no session could be tested. */
function nothingWalked({ request, sessions }: OptimizationWork, all: readonly WalkOutcome[]): CodedError {
  const counts = SESSION_OUTCOMES.flatMap((name) => {
    const count = all.reduce((sum, { outcomes }) => sum + outcomes[name], 0);
    return name === 'walked' || count === 0 ? [] : [`${count} ${REASONS[name]}`];
  });
  const why = counts.length === 0 ? 'none has a bar' : counts.join(', ');
  return new CodedError(
    'no_data_for_date',
    `No session of ${request.symbols.join(', ')} from ${sessions[0]} to ${sessions.at(-1)} can be tested: ${why}. Name other dates or symbols, or import ${request.half_spread ? 'quotes, ' : ''}one-minute and daily bars.`,
  );
}
