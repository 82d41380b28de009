import { returnToDemo } from '../api/demo/leave-demo.ts';
import type { Pipeline } from '../app.ts';
import { CodedError } from '../base/errors.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { simulatedFeed } from '../simulated/feed.ts';
import type { Define } from './command.ts';
import { runImport } from './import-feed.ts';
import { date, wholeNumber, wrongCall } from './options.ts';
import { runSync } from './sync.ts';
import { withPipeline } from './with-app.ts';

export interface SimulatedMarket {
  readonly symbols: number;
  readonly days: number;
  readonly seed: number;
  readonly minuteSessions: number;
  /** Newest sessions with trades and quotes, summed by minute into order flow. */
  readonly tickSessions: number;
  /** Last trade date; absent for the last session that has ended. */
  readonly end?: string;
}

interface Options extends Omit<SimulatedMarket, 'minuteSessions' | 'tickSessions'> {
  readonly minutes: number;
  readonly ticks?: number;
}

export const define: Define = (command, call) => {
  command
    .option('--symbols <n>', 'stocks', wholeNumber(1, 100_000), 100)
    .option('--days <n>', 'sessions', wholeNumber(1, 10_000), 504)
    .option('--minutes <n>', 'newest sessions with minute bars', wholeNumber(0, 10_000), 20)
    .option('--ticks <n>', 'newest sessions with trades and quotes (1)', wholeNumber(0, 10_000))
    .option('--seed <n>', 'equal seeds, equal markets', wholeNumber(0, 4_294_967_295), 1)
    .option('--end <date>', 'last session (the newest that has ended)', date)
    .action(({ minutes, ticks = Math.min(1, minutes), ...rest }: Options) =>
      call((config) => {
        if (ticks > minutes) throw wrongCall(`--ticks ${ticks} is more than --minutes ${minutes}.`);
        const market = { ...rest, minuteSessions: minutes, tickSessions: ticks };
        return withPipeline(config, (app) => atLowerPriority(app.context, () => simulateInto(app, market)));
      }),
    );
};

/** Builds the market on the tape and derives its newest session; answers the exit code. */
export async function simulateInto(app: Pipeline, market: SimulatedMarket): Promise<number> {
  const { calendar } = app.context;
  const end = market.end ?? lastEndedSession(app);
  if (!calendar.isSession(end)) {
    throw new CodedError(
      'no_session',
      `--end ${end} is not a trade date; the nearest is ${calendar.nearestSession(end)}.`,
    );
  }
  await returnToDemo(app.context.database);
  const feed = simulatedFeed({ ...market, end, calendar });
  const imported = await runImport(app, 'simulated market', feed);
  const synced = await runSync(app, { kind: 'touched' });
  return imported.exit || synced;
}

/** The newest session that every caller may see whole. */
function lastEndedSession({ context: { calendar, clock, delayMs } }: Pipeline): string {
  const now = clock.now() - delayMs;
  const today = calendar.tradeDateOf(now);
  const session = calendar.session(today);
  return session !== null && session.postClose <= now ? today : calendar.previousSession(today)!;
}
