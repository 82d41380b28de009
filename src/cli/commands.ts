import { distance } from 'fastest-levenshtein';
import type { Command } from './command.ts';

const LIST: readonly Command[] = [
  {
    name: 'serve',
    usage: [
      'tigraph serve [--replay]',
      'tigraph serve [--role all|api|live|worker|scheduler] [--replay-from DIR [--date YYYY-MM-DD]]',
    ].join('\n'),
    summary:
      'Serves the graph over HTTP. On an empty data directory it first builds a simulated market, which then moves in session hours. With --replay it plays the newest recorded session instead: see replay. With --role the process does one part of it among several that share DATABASE_URL and NATS_URL: see docs/desk.md. With --replay-from the live feed plays a recorded session of another data directory (the newest, unless --date says otherwise) by the clock of TIGRAPH_NOW.',
    greeting: ({ dataDirectory, databaseUrl }) =>
      `tigraph opens ${databaseUrl === undefined ? dataDirectory : 'the database at DATABASE_URL'}`,
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    usage: [
      'tigraph import lean DIR',
      'tigraph import csv FILE… [--symbol SPY] [--interval 1m|5m|1h|1d] [--time-zone America/New_York]',
      '    [--map close=last,volume=vol] [--file-name DA-{symbol}.csv] [--date-format auto|month-first|day-first]',
      '    [--delimiter ;] [--columns date,open,…] [--no-volume]',
      'tigraph import profiles FILE [--known-at YYYY-MM-DD]',
      'tigraph import taq TRADES QUOTES',
      'tigraph import facts FILE… [--kind earnings_report]',
      'tigraph import chains FILE… [--as-of INSTANT]',
      '    --wait   until every process that answers callers has it',
    ].join('\n'),
    summary:
      'Brings data onto the tape. Repeating it skips what is there; what is refused is listed with its place and reason.',
    load: () => import('./import.ts'),
  },
  {
    name: 'simulate',
    usage:
      'tigraph simulate [--symbols N] [--days D] [--minutes SESSIONS] [--ticks SESSIONS] [--seed S] [--end YYYY-MM-DD]',
    summary: 'Builds a deterministic simulated market of any size and derives its newest session.',
    load: () => import('./simulate.ts'),
  },
  {
    name: 'sync',
    usage:
      'tigraph sync [--date YYYY-MM-DD | --from YYYY-MM-DD --to YYYY-MM-DD] [--symbols SPY,IBM] [--wait]',
    summary:
      'Derives the graph from the tape: what new data touched, or every session of the given dates. Running it again changes nothing. With --wait it ends once every process that answers callers has what was written.',
    load: () => import('./sync.ts'),
  },
  {
    name: 'replay',
    usage: 'tigraph replay [--date YYYY-MM-DD] [--speed N|max] [--symbols SPY,IBM] [--port N] [--undelayed]',
    summary:
      'Plays a recorded session (the newest, unless --date says otherwise) minute by minute on a store of its own, served over HTTP meanwhile; N times as fast as it was (60), or without waiting. With --undelayed callers without a token see the newest minute. Nothing is left behind.',
    load: () => import('./replay.ts'),
  },
  {
    name: 'client',
    usage: [
      'tigraph client create NAME [--json]',
      'tigraph client list [--json]',
      'tigraph client revoke ID',
      'tigraph client audit ID [--since YYYY-MM-DD] [--json]',
      'tigraph client end-tokens',
    ].join('\n'),
    summary:
      'Makes clients, lists and revokes them, and shows what their agents asked (of the last day, unless --since says otherwise). A secret is shown once. end-tokens drops the signing keys, and with them every token of every client.',
    load: () => import('./client.ts'),
  },
  {
    name: 'grant',
    usage: [
      'tigraph grant create CLIENT --scopes stock:read,… [--symbols SPY,IBM] [--feed delayed|realtime_sip]',
      '    [--calls-per-minute N] [--calls-per-day N] [--expires YYYY-MM-DD] [--agents A,B] [--json]',
      'tigraph grant list CLIENT [--json]',
      'tigraph grant revoke ID',
    ].join('\n'),
    summary:
      'Says what a client may do: scopes, symbols, feed, agents, calls, and until the end of which day (UTC). A revocation holds at once, for a running service too.',
    load: () => import('./grant.ts'),
  },
  {
    name: 'evaluate',
    usage: [
      'tigraph evaluate --score bullish_confluence [--horizon 5] [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--every N]',
      '    [--symbols SPY,IBM] [--top N] [--json FILE] [--svg FILE]',
    ].join('\n'),
    summary:
      'Measures how well a score has ordered stocks by their returns after it, over the dates on the tape. Writes nothing but the files that it is given.',
    load: () => import('./evaluate.ts'),
  },
  {
    name: 'backtest',
    usage: [
      'tigraph backtest --symbols SPY,IBM --from YYYY-MM-DD --to YYYY-MM-DD --signals vwap_touch,…',
      '    [--stops 0.5,1,…] [--targets 1,2,…] [--top N] [--commission DOLLARS] [--slippage BP] [--svg FILE] [--json FILE]',
    ].join('\n'),
    summary:
      'Tries every pair of stop and target, in multiples of the daily ATR, on the entries of intraday signals, and says how far the best can be believed. Writes nothing but the files that it is given.',
    load: () => import('./backtest.ts'),
  },
  {
    name: 'diffuse',
    usage: 'tigraph diffuse --date YYYY-MM-DD [--top N]',
    summary:
      'Finds the peers of every stock from the year before a completed session and prints whose returns on it were farthest from what their peers implied. The next sync brings the stock-days of the date to it.',
    load: () => import('./diffuse.ts'),
  },
  {
    name: 'dead-letters',
    usage: 'tigraph dead-letters [--json] [--clear]',
    summary:
      'Shows the work that failed on every worker, the newest first. Its stock-days stay due, and a later pass tries them again; --clear forgets the letters.',
    load: () => import('./dead-letters.ts'),
  },
  {
    name: 'real-data',
    usage: 'tigraph real-data',
    summary: 'Imports everything that the service understands from TIGRAPH_REAL_DATA and derives it.',
    load: () => import('./real-data.ts'),
  },
  {
    name: 'backup',
    usage: ['tigraph backup DIR|s3://BUCKET/PREFIX', 'tigraph backup /backups/2026-08-19'].join('\n'),
    summary:
      'Makes a backup of the whole store, of one instant, while a service reads and writes it. The place is empty, new, or of a backup that was interrupted. It holds secrets: market data and the keys that sign tokens.',
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    usage: [
      'tigraph restore [--same-installation] DIR|s3://BUCKET/PREFIX',
      'TIGRAPH_DATA_DIR=/new tigraph restore /backups/2026-08-19',
      'DATABASE_URL=postgres://… tigraph restore /backups/2026-08-19',
    ].join('\n'),
    summary:
      'Fills an empty data directory or database from a backup, of either kind of store, then reads every row back and compares it. Run again, an interrupted restore starts afresh. The store is a new installation, or with --same-installation takes the place of the one that was backed up.',
    load: () => import('./restore.ts'),
  },
  {
    name: 'verify',
    usage: ['tigraph verify', 'tigraph verify DIR|s3://BUCKET/PREFIX'].join('\n'),
    summary:
      'Looks for damage in the store, also while a service uses it: pages, rows and indexes of the database, and the files of the tape. With a place it reads every byte of that backup and compares it with its record, without restoring it.',
    load: () => import('./verify.ts'),
  },
];

/** Every command in the order of the help. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(LIST.map((command) => [command.name, command]));

/** Letters by which a misspelt command may differ. */
const LETTERS_WRONG_MAX = 2;

/** The error sentence for an unknown command. */
export function unknownCommand(word: string): string {
  const distances = LIST.map(({ name }) => ({ name, letters: distance(word.toLowerCase(), name) }));
  const nearest = distances.reduce((best, one) => (one.letters < best.letters ? one : best));
  const meant =
    nearest.letters <= LETTERS_WRONG_MAX
      ? `Did you mean ${nearest.name}?`
      : `There are ${distances.map(({ name }) => name).join(', ')}.`;
  return `tigraph knows no command ${word}. ${meant}\nSee tigraph --help.`;
}

export function usage(): string {
  const lines = LIST.map(({ usage, summary }) => `  ${usage.replaceAll('\n', '\n  ')}\n      ${summary}`);
  return `tigraph: a self-hosted trading intelligence graph

${lines.join('\n\n')}

Settings come from the environment; docs/operating.md lists them.
Exit codes: 0 done, 1 failed, 2 the call is wrong, 3 done but some of the input was refused.`;
}
