import { leaveDemo } from '../api/demo/leave-demo.ts';
import type { Store } from '../app.ts';
import { count } from './print.ts';
import { withProgress } from './progress.ts';

export const LEAVE_DEMO = ['--leave-demo', 'first removes the simulated market, whole and for good'] as const;

/** Removes the simulated market and says so. */
export async function leaveDemoOf({ context }: Store): Promise<void> {
  const stocks = await withProgress('simulated market', ({ update }) =>
    leaveDemo(context, ({ done, total }) =>
      update({ done, total, detail: `${count(done)} of ${count(total)} stock-days removed` }),
    ),
  );
  console.log(
    stocks === 0
      ? 'There is no simulated market, and no start will build one.'
      : `The simulated market is left: ${count(stocks)} stocks are removed, and no start will build it again.`,
  );
}

/** What to do about a simulated market beside data of one's own. */
export const LEAVE_OFFER =
  'The simulated market is still here, apart from this data. Leave it with: npm start -- --leave-demo, or by one click on the page Data';
