import type { Scope } from '../../base/scope.ts';
import { countSimulated } from '../../database/symbol-market.ts';
import type { AppContext } from '../context/app-context.ts';
import { type LeavingProgress, leaveDemo } from './leave-demo.ts';
import type { DemoAnswer } from './schema.ts';

type DemoContext = Pick<AppContext, 'database' | 'tape'>;

/** Says whether the simulated market is there, and leaves it in the background, once at a time. */
export function openDemo(context: DemoContext, scope: Scope, onError: (error: unknown) => void) {
  let leaving: { progress: LeavingProgress | null } | null = null;

  async function standing(): Promise<DemoAnswer> {
    const stocks = await countSimulated(context.database);
    if (leaving === null) return { state: stocks > 0 ? 'there' : 'none', stocks, share_done: null };
    const { progress } = leaving;
    return { state: 'leaving', stocks, share_done: progress && progress.done / progress.total };
  }

  return {
    standing,
    /** Begins to leave; a call meanwhile changes nothing. */
    async leave(): Promise<DemoAnswer> {
      if (leaving === null && (await countSimulated(context.database)) > 0) {
        const own: { progress: LeavingProgress | null } = { progress: null };
        leaving = own;
        void scope.run('leaving the simulated market', async () => {
          try {
            await leaveDemo(context, (progress) => {
              own.progress = progress;
            });
          } catch (error) {
            onError(error);
          } finally {
            leaving = null;
          }
        });
      }
      return standing();
    },
  };
}

export type Demo = ReturnType<typeof openDemo>;
