import { parseArgs } from 'node:util';
import { parseDate } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import type { PeerDay } from '../market/peer-day.ts';
import { measurePeers } from '../pipeline/topology-pass.ts';
import type { Run } from './command.ts';
import { wholeNumber } from './simulate.ts';
import { withApp } from './with-app.ts';

/** A stock and how it compared with its peers. */
interface Diverged {
  readonly symbol: string;
  readonly day: PeerDay;
}

export const run: Run = async (words, config) => {
  const { values } = parseArgs({
    args: [...words],
    options: { date: { type: 'string' }, top: { type: 'string', default: '10' } },
  });
  const top = wholeNumber('--top', values.top, 1, 1_000);
  const date = dateOption(values.date);
  return withApp(config, async ({ context }) => {
    const session = context.calendar.session(date);
    if (session === null) {
      throw new CodedError('no_session', `${date} is not a trade date (${context.calendar.reason(date)}).`);
    }
    if (context.clock.now() - context.delayMs < session.close) {
      throw new CodedError('no_data_for_date', `The session of ${date} is not over.`);
    }
    const days = await measurePeers(context, date);
    if (days.length === 0) {
      throw new CodedError(
        'no_data_for_date',
        `Too few stocks have a return on ${date} and half a year of them before it.`,
      );
    }
    console.log(divergenceTable(date, days, top));
    return 0;
  });
};

function dateOption(text: string | undefined): string {
  if (text === undefined)
    throw new CodedError('validation_failed', '--date is missing: the session to measure.');
  const date = parseDate(text);
  if (date === null) {
    throw new CodedError('validation_failed', `--date ${text} is not a date such as 2013-10-10.`);
  }
  return date;
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
    ...table(['stronger', ...COLUMNS], stronger),
    '',
    ...table(['weaker', ...COLUMNS], weaker),
    '',
    'Scores are in deviations of the stock’s own history; a mark says who dominates the mean of its peers.',
  ].join('\n');
}

const COLUMNS = ['composite', 'local', 'medium', 'broad', 'own %', 'implied %', 'peers', 'nearest', 'mark'];

function table(head: readonly string[], rows: readonly Diverged[]): string[] {
  const cells = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column >= 8 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf({ symbol, day }: Diverged): string[] {
  return [
    symbol,
    figure(day.composite),
    figure(day.local),
    figure(day.medium),
    figure(day.broad),
    figure(day.returnPct),
    figure(day.impliedLocalPct),
    `${day.peersLocal}`,
    day.peers
      .slice(0, 3)
      .map((peer) => peer.symbol)
      .join(' '),
    day.contamination === 'none' ? '' : day.contamination,
  ];
}

const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
