import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { absent, fieldsOf, itemOfFacts, type Piece } from '../../texts/piece.ts';
import type { Caller } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { getRun } from '../backtest/get-run.ts';
import { listRuns } from '../backtest/list-runs.ts';
import type { AppContext } from '../context/app-context.ts';

const RUNS_SHOWN = 3;
/** Of a run its best cell alone: the others only show how many were tried. */
const FIGURES = [
  ['total_trades', 'count'],
  ['win_rate', 'fraction'],
  ['avg_rr_ratio', null],
  ['profit_factor', null],
  ['sharpe_ratio', null],
  ['max_drawdown', null],
] as const;

type Cell = Readonly<Record<(typeof FIGURES)[number][0], number | null>> & {
  readonly parameter_set: { readonly stop_atr: number; readonly target_atr: number };
};

/**
 * The newest completed runs of a caller with how far each can be believed, in pieces of `stock_data`. Runs need a
 * scope that a token for the chat does not include.
 */
export async function runPieces(
  context: AppContext,
  caller: Caller,
  registry: FactRegistry,
): Promise<Piece[]> {
  if (caller.holder !== null && !caller.scopes.has('backtest:run')) {
    return [absent('stock_data', 'backtest_runs', absence('absent.runs_granted'))];
  }
  const { runs: heads } = await listRuns(context, { limit: RUNS_SHOWN, status: 'completed' }, caller);
  if (heads.length === 0) return [absent('stock_data', 'backtest_runs', absence('absent.runs'))];
  const runs = await Promise.all(heads.map(({ id }) => getRun(context, id, caller)));
  return runs.flatMap(({ request, results, analysis, finished_at, id }, at) => {
    const [best] = JSON.parse(results ?? '[]') as Cell[];
    const { overfitting } = JSON.parse(analysis ?? 'null') as { overfitting: { verdict: string } };
    if (best === undefined) return [];
    const [name, instant] = [`run.${at + 1}`, finished_at!.toISOString()];
    for (const [figure, unit] of FIGURES) {
      const label = `${figure.replaceAll('_', ' ')} of a backtest run`;
      registry.add(`${name}.${figure}`, label, best[figure], unit, { instant, source: 'backtest_run' });
    }
    const fields = fieldsOf(name, FIGURES.map(([figure]) => figure).join(' '));
    return itemOfFacts(['runs', 'stock_data', 'backtest_runs'], registry, fields, {
      id,
      symbols: request.symbols,
      signal_types: request.signal_types,
      from: request.start_date,
      to: request.end_date,
      verdict: overfitting.verdict,
      parameter_set: best.parameter_set,
    });
  });
}
