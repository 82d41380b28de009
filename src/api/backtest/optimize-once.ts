import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { optimize } from '../../backtests/optimize.ts';
import type { OptimizationText } from '../../derive/backtest-text.ts';
import type { AppContext } from '../context/app-context.ts';
import { planOptimization } from './plan-optimization.ts';
import type { OptimizationBody, OptimizationRequest } from './schema.ts';

export type { WireAnalysis, WireResults } from '../../derive/backtest-text.ts';

/**
 * Runs an optimisation in this process and stores nothing. It sees data without delay.
 *
 * @param onProgress `percent` is below 100 and never falls
 * @throws ValidationRefusal; CodedError no_data_for_date, tape_damaged; the reason of the signal when it aborts
 */
export async function optimizeOnce(
  context: Pick<AppContext, 'tape' | 'tapes' | 'calendar' | 'clock' | 'backtester'>,
  body: OptimizationBody,
  signal: AbortSignal,
  onProgress: (progress: Readonly<Record<'symbols' | 'sessions' | 'percent', number>>) => void,
): Promise<{ readonly request: OptimizationRequest; readonly text: OptimizationText }> {
  const plan = await planOptimization(context, body, 0);
  const counts = { symbols: plan.tapes.length, sessions: plan.sessions.length };
  const folder = join(context.backtester.directory, `cli-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  try {
    const { text } = await optimize(context.backtester, { ...plan, folder }, signal, (percent) =>
      onProgress({ ...counts, percent }),
    );
    return { request: plan.request, text };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
