import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { CodedError } from '../base/errors.ts';
import { simulatedFeed } from '../market/feeds/simulated.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import type { Run } from './command.ts';
import { runImport } from './import-feed.ts';
import { wholeNumber } from './options.ts';
import { runSync } from './sync.ts';
import { withApp } from './with-app.ts';

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

const DEFAULTS = { symbols: '100', days: '504', seed: '1', minutes: '20' };

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      symbols: { type: 'string', default: DEFAULTS.symbols },
      days: { type: 'string', default: DEFAULTS.days },
      minutes: { type: 'string', default: DEFAULTS.minutes },
      ticks: { type: 'string' },
      seed: { type: 'string', default: DEFAULTS.seed },
      end: { type: 'string' },
    },
  });
  const minuteSessions = wholeNumber('--minutes', values.minutes, 0, 10_000);
  const market = {
    symbols: wholeNumber('--symbols', values.symbols, 1, 100_000),
    days: wholeNumber('--days', values.days, 1, 10_000),
    minuteSessions,
    tickSessions: wholeNumber('--ticks', values.ticks ?? `${Math.min(1, minuteSessions)}`, 0, minuteSessions),
    seed: wholeNumber('--seed', values.seed, 0, 4_294_967_295),
    ...(values.end === undefined ? {} : { end: values.end }),
  };
  return withApp(config, (app) => atLowerPriority(app.context, () => simulateInto(app, market)));
};

/** Builds the market on the tape and derives its newest session; answers the exit code. */
export async function simulateInto(app: App, market: SimulatedMarket): Promise<number> {
  const { calendar } = app.context;
  const end = market.end ?? lastEndedSession(app);
  if (!calendar.isSession(end)) {
    throw new CodedError(
      'no_session',
      `--end ${end} is not a trade date; the nearest is ${calendar.nearestSession(end)}.`,
    );
  }
  const feed = simulatedFeed({ ...market, end, calendar });
  const imported = await runImport(app, 'simulated market', feed);
  const synced = await runSync(app, { kind: 'touched' });
  return imported || synced;
}

/** The newest session that every caller may see whole. */
function lastEndedSession({ context: { calendar, clock, delayMs } }: App): string {
  const now = clock.now() - delayMs;
  const today = calendar.tradeDateOf(now);
  const session = calendar.session(today);
  return session !== null && session.postClose <= now ? today : calendar.previousSession(today)!;
}
