import { requireSession } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import type { Config } from '../config.ts';
import type { PeerDay } from '../market/peer-day.ts';
import { measurePeers } from '../pipeline/topology-pass.ts';
import type { Define } from './command.ts';
import { date, wholeNumber } from './options.ts';
import { number, table } from './print.ts';
import { withPipeline } from './with-app.ts';

interface Diverged {
  readonly symbol: string;
  readonly day: PeerDay;
}

interface Options {
  readonly date: string;
  readonly top: number;
}

export const define: Define = (command, call) => {
  command
    .requiredOption('--date <date>', 'a completed session', date)
    .option('--top <n>', 'stocks either way', wholeNumber(1, 1_000), 10)
    .action((options: Options) => call((config) => diffuse(options, config)));
};

async function diffuse({ date, top }: Options, config: Config): Promise<number> {
  return withPipeline(config, async ({ context }) => {
    const session = requireSession(context.calendar, date);
    if (context.clock.now() - context.delayMs < session.close) {
      throw new CodedError('no_data_for_date', `The session of ${date} has not ended.`);
    }
    const simulated = await context.tape.marketOf(null);
    const days = await measurePeers(context, simulated, date);
    if (days.length === 0) {
      throw new CodedError(
        'no_data_for_date',
        `Too few stocks have a return on ${date} and half a year of them before it.`,
      );
    }
    console.log(divergenceTable(date, days, top));
    return 0;
  });
}

/** The strongest divergences either way, as a table for a terminal. */
export function divergenceTable(date: string, days: readonly Diverged[], top: number): string {
  const byScore = days.toSorted(
    (a, b) => b.day.composite - a.day.composite || (a.symbol < b.symbol ? -1 : 1),
  );
  const stronger = byScore.filter(({ day }) => day.composite > 0).slice(0, top);
  const weaker = byScore
    .filter(({ day }) => day.composite < 0)
    .slice(-top)
    .reverse();
  const { windowFrom, windowTo } = days[0]!.day;
  return [
    `Divergence from peers on ${date}: ${days.length} stocks, peers of ${windowFrom} to ${windowTo}`,
    '',
    ...table([['stronger', ...COLUMNS], ...stronger.map(cellsOf)], isText),
    '',
    ...table([['weaker', ...COLUMNS], ...weaker.map(cellsOf)], isText),
    '',
    'Scores are in deviations of the stock’s own history; a mark says who dominates the mean of its peers.',
  ].join('\n');
}

const COLUMNS = ['composite', 'local', 'medium', 'broad', 'own %', 'implied %', 'peers', 'nearest', 'mark'];

/** Symbols to the left of the figures, peers and mark to the right. */
const isText = (column: number): boolean => column === 0 || column >= 8;

function cellsOf({ symbol, day }: Diverged): string[] {
  return [
    symbol,
    number(day.composite, 2),
    number(day.local, 2),
    number(day.medium, 2),
    number(day.broad, 2),
    number(day.returnPct, 2),
    number(day.impliedLocalPct, 2),
    `${day.peersLocal}`,
    day.peers
      .slice(0, 3)
      .map((peer) => peer.symbol)
      .join(' '),
    day.contamination === 'none' ? '' : day.contamination,
  ];
}
