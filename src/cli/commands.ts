import type { Config } from '../config.ts';
import type { Define } from './command.ts';

/** A command before its code is loaded. */
interface Entry {
  readonly name: string;
  readonly summary: string;
  /** Printed at once, for a command that loads slowly. */
  greeting?(config: Config): string;
  /** Loads only the code that the command needs. */
  load(): Promise<{ readonly define: Define }>;
}

export const COMMANDS: readonly Entry[] = [
  {
    name: 'serve',
    summary:
      'Serves the graph over HTTP. On an empty data directory it first builds a simulated market, which then moves in session hours.',
    greeting: ({ dataDirectory, databaseUrl }) =>
      `tigraph opens ${databaseUrl === undefined ? dataDirectory : 'the database at DATABASE_URL'}`,
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    summary:
      'Brings data onto the tape. Repeating it skips what is there; what is refused is listed with its place and reason.',
    load: () => import('./import.ts'),
  },
  {
    name: 'simulate',
    summary: 'Builds a deterministic simulated market of any size and derives its newest session.',
    load: () => import('./simulate.ts'),
  },
  {
    name: 'sync',
    summary:
      'Derives the graph from the tape: what new data touched, or every session of the given dates. Running it again changes nothing.',
    load: () => import('./sync.ts'),
  },
  {
    name: 'client',
    summary: 'Makes clients, lists and revokes them, and shows what their agents asked.',
    load: () => import('./client.ts'),
  },
  {
    name: 'grant',
    summary:
      'Says what a client may do: scopes, symbols, feed, agents, calls, and until when. A revocation holds at once, for a running service too.',
    load: () => import('./grant.ts'),
  },
  {
    name: 'alert',
    summary: 'Makes, lists and deletes alerts of this machine, and sends a receiver a test.',
    load: () => import('./alert.ts'),
  },
  {
    name: 'mcp',
    summary:
      'Answers an assistant over standard input and output by the Model Context Protocol. It asks a running service, or opens the data directory.',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'record',
    summary:
      'Counts how often levels, patterns, scores and divergences came true, and how often by chance, and how well any score has ordered stocks. Building it again writes what differs.',
    load: () => import('./record.ts'),
  },
  {
    name: 'backtest',
    summary:
      'Tries every pair of stop and target, in multiples of the daily ATR, on the entries of intraday signals, and says how far the best can be believed. Writes nothing but the file that it is given.',
    load: () => import('./backtest.ts'),
  },
  {
    name: 'diffuse',
    summary:
      'Finds the peers of every stock from the year before a completed session and prints whose returns on it were farthest from what their peers implied. The next sync brings the stock-days of the date to it.',
    load: () => import('./diffuse.ts'),
  },
  {
    name: 'export',
    summary:
      'Writes bars, facts of stock-days or another kind of columns as Parquet, Arrow or CSV files with a manifest. Given again it writes what has changed, and what an interruption has left.',
    load: () => import('./export.ts'),
  },
  {
    name: 'dead-letters',
    summary:
      'Shows the work that failed on every worker, the newest first. Its stock-days stay due, and a later pass tries them again.',
    load: () => import('./dead-letters.ts'),
  },
  {
    name: 'real-data',
    summary: 'Imports everything that the service understands from TIGRAPH_REAL_DATA and derives it.',
    load: () => import('./real-data.ts'),
  },
  {
    name: 'backup',
    summary:
      'Makes a backup of the whole store, of one instant, while a service reads and writes it. It holds secrets: market data and the keys that sign tokens.',
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    summary:
      'Fills an empty data directory or database from a backup, of either kind of store, then reads every row back and compares it. Run again, an interrupted restore starts afresh.',
    load: () => import('./restore.ts'),
  },
  {
    name: 'verify',
    summary:
      'Looks for damage in the store, also while a service uses it: pages, rows and indexes of the database, and the files of the tape. With a place it reads every byte of that backup and compares it with its record.',
    load: () => import('./verify.ts'),
  },
];
