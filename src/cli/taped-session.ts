import { existsSync } from 'node:fs';
import type { Store } from '../app.ts';
import { tapeFiles } from '../backup/file-store.ts';
import { requireSession } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import type { Config } from '../config.ts';
import { newestIntradayDate, sessionFromTape, type TapedSession } from '../live/replay-from-tape.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/market-view.ts';
import { wrongCall } from './options.ts';
import { withStore } from './with-app.ts';

/**
 * A session from the tape of the store in a data directory.
 *
 * @param date null for the newest with intraday bars
 * @param symbols null for all
 * @throws CodedError validation_failed, no_session, no_data_for_date
 */
export async function sessionOfDirectory(
  dataDirectory: string,
  { date, symbols }: { readonly date: string | null; readonly symbols: readonly string[] | null },
  config: Config,
): Promise<TapedSession> {
  if (!existsSync(tapeFiles({ dataDirectory }).directory!))
    throw wrongCall(`There is no tape in ${dataDirectory}: name a data directory with a recorded session.`);
  const { databaseUrl, databaseReadUrl, natsUrl, tape, ...alone } = config;
  return withStore({ ...alone, dataDirectory }, (app) => takeSession(app, date, symbols));
}

/**
 * A session from the tape of the app.
 *
 * @param date null for the newest with intraday bars
 * @param symbols null for all
 * @throws CodedError unknown_symbol, other_market, no_session, no_data_for_date
 */
export async function takeSession(
  { context: { tape, calendar } }: Store,
  date: string | null,
  symbols: readonly string[] | null,
): Promise<TapedSession> {
  const all = await tape.ofMarket(await tape.marketOf(symbols)).symbols();
  const chosen = symbols === null ? all : all.filter((symbol) => symbols.includes(symbol));
  const unknown = symbols?.filter((symbol) => !all.includes(symbol)) ?? [];
  if (unknown.length > 0) {
    throw new CodedError('unknown_symbol', `Not on the tape: ${unknown.join(', ')}.`);
  }
  const newest = await newestIntradayDate(tape, chosen);
  if (newest === null) {
    throw new CodedError(
      'no_data_for_date',
      'There are no intraday bars to replay: import some, or start the service once.',
    );
  }
  const session = requireSession(calendar, date ?? newest);
  // The benchmarks always take part: the market is derived from them.
  const benchmarks = all.filter((symbol) => INDEX_SYMBOLS.includes(symbol) || VIX_SYMBOLS.includes(symbol));
  const taped = await sessionFromTape(
    tape,
    calendar,
    session,
    [...new Set([...chosen, ...benchmarks])].sort(),
  );
  if (taped.recording.intradayRows > 0) return taped;
  throw new CodedError(
    'no_data_for_date',
    `The tape has no intraday bars of ${session.tradeDate}; the newest session with some is ${newest}.`,
  );
}
