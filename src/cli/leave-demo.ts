import { demoStanding, leaveDemo } from '../api/demo/leave-demo.ts';
import type { Store } from '../app.ts';
import { count } from './print.ts';
import { withProgress } from './progress.ts';

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

interface DemoWishes {
  /** Whether the caller leaves it now. */
  readonly leaves: boolean;
  /** Whether a start without any data may build one. */
  readonly mayBuild: boolean;
}

/**
 * What becomes of the simulated market when a service starts: left where that is asked for or was interrupted, built where
 * there is no data at all.
 *
 * @returns whether it is there beside data or keys of the operator, and may be offered to be left
 */
export async function startDemo(
  app: Store,
  { leaves, mayBuild }: DemoWishes,
  build: () => Promise<unknown>,
): Promise<boolean> {
  const { stocks, isLeft } = await demoStanding(app.context.database);
  // Also what an interruption has left of it.
  if (leaves || (isLeft && stocks > 0)) await leaveDemoOf(app);
  else if (mayBuild && !isLeft && (await app.context.tape.symbols()).length === 0) await build();
  return !leaves && !isLeft && stocks > 0;
}

/** What to do about a simulated market beside data of one's own. */
export const LEAVE_OFFER =
  'The simulated market is still here, apart from this data. Leave it with: npm start -- --leave-demo, or by one click on the page Data';
