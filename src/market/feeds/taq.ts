import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Calendar } from '../../base/calendar.ts';
import type { Delivery, Feed, SourceUnit } from '../feed.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { type RefusalTally, refusalTally, refusedFile } from './refusal-tally.ts';
import { deliverLines, fileFingerprint } from './source-file.ts';
import { quoteRow } from './taq-quotes.ts';
import { sessionDeliveries } from './taq-session.ts';
import { tradeReader } from './taq-trades.ts';

/** Goes up when the reader changes what it makes of the same bytes; files read before are then read again. */
const READER_VERSION = 1;

const TICK_FILE = /^(.+)_(trades|quotes)\.csv(\.gz|\.zip)?$/;

export interface TaqOptions {
  /** Files named `SOMETHING_trades.csv` and, with the same beginning, `SOMETHING_quotes.csv`; packed or not. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
}

interface TaqPair {
  readonly trades: string;
  readonly quotes: string | null;
}

/**
 * Trades and quotes with the fields and letters of NYSE TAQ, one session and symbol a pair of files;
 * `docs/data-formats.md` names the columns. Each exchange's own quotes are brought to a best quote here. A path that
 * does not exist rejects when the units are listed.
 */
export function taqFeed({ paths, calendar }: TaqOptions): Feed {
  return {
    name: 'taq',
    simulated: false,
    async units() {
      const { pairs, others } = pairsOf(paths);
      return [...(await Promise.all(pairs.map((pair) => unitOf(pair, calendar)))), ...others.map(passedOver)];
    },
  };
}

/** Trades with their quotes, and files that are neither or are quotes of no trades. */
function pairsOf(paths: readonly string[]): { pairs: TaqPair[]; others: string[] } {
  const known = paths.map((path) => ({ path, match: TICK_FILE.exec(basename(path)) }));
  const fileOf = (beginning: string, side: string): string | null =>
    known.find(({ match }) => match?.[1] === beginning && match[2] === side)?.path ?? null;
  const pairs: TaqPair[] = [];
  const others: string[] = [];
  for (const { path, match } of known) {
    if (match?.[2] === 'trades') pairs.push({ trades: path, quotes: fileOf(match[1]!, 'quotes') });
    else if (match === null || fileOf(match[1]!, 'trades') === null) others.push(path);
  }
  return { pairs, others };
}

async function unitOf({ trades, quotes }: TaqPair, calendar: Calendar): Promise<SourceUnit> {
  const bytes = async (path: string | null): Promise<number> => (path === null ? 0 : (await stat(path)).size);
  return {
    key: basename(trades),
    weight: (await bytes(trades)) + (await bytes(quotes)),
    async fingerprint() {
      const quotesPrint = quotes === null ? null : await fileFingerprint(quotes, 'quotes');
      return fileFingerprint(trades, { reader: 'taq', version: READER_VERSION, quotes: quotesPrint });
    },
    async *read() {
      const tally = refusalTally();
      for await (const text of textFiles(trades, basename(trades))) {
        if (isTextFile(text)) yield* rowsOf(text, quotes, calendar, tally);
        else yield text;
      }
      yield* tally.refusals();
    },
  };
}

async function* rowsOf(
  file: TextFile,
  quotesPath: string | null,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const trades = tradeReader(calendar);
  yield* deliverLines(file, tally, trades.take, nothingYet);
  const session = trades.session();
  if (session === null) return;
  if (quotesPath !== null) {
    for await (const text of textFiles(quotesPath, basename(quotesPath))) {
      if (isTextFile(text)) yield* deliverLines(text, tally, quoteRow(session), nothingYet);
      else yield text;
    }
  }
  yield* sessionDeliveries(session, file.where, tally);
}

const nothingYet = (): Delivery[] => [];

function passedOver(path: string): SourceUnit {
  const key = basename(path);
  const refusal = TICK_FILE.test(key)
    ? refusedFile('not_read', key, 'quotes without their trades')
    : refusedFile('unknown_format', key, key);
  return {
    key,
    weight: 1,
    fingerprint: async () => `${refusal.reason}:${READER_VERSION}`,
    async *read() {
      yield refusal;
    },
  };
}
