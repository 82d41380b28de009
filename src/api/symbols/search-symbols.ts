import { hash } from 'node:crypto';
import { wholeMinute } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { chunks } from '../../base/chunks.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { tradeDay } from '../../market/series.ts';
import { mayName, type Viewer, viewKey, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { foreignCursor, unknownWord } from '../answers/refusals.ts';
import { type Answer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { type ListedSymbol, nameAt } from '../context/symbol-index.ts';
import { type Match, matchSymbols } from './match-symbols.ts';
import { type Holdings, readHoldings } from './read-holdings.ts';

export interface SymbolsRequest {
  /** A ticker, or words of a company name; absent: every symbol. */
  readonly q?: string | undefined;
  readonly sector?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Where a page begins: after a symbol of a rank, as of the instant of the first page. */
interface SymbolsCursor {
  readonly asOf: number;
  readonly rank: number;
  readonly symbol: string;
}

interface Page extends Pick<SymbolsRequest, 'q' | 'sector' | 'limit'> {
  readonly asOf: number;
  readonly after: SymbolsCursor | null;
  /** Begins the cursors of the query. */
  readonly query: string;
}

interface Found extends Match {
  readonly holdings: Holdings;
  readonly lastSession: string;
}

/** Answers are kept by their instant, which is over after a minute. */
const KEPT_MS = MINUTE_MS;

/**
 * The symbols that match a search as far as the viewer may know of them, a page as JSON text.
 *
 * @throws ValidationRefusal for an unknown sector, a cursor of another query
 * @throws CodedError overloaded, query_timeout
 */
export function searchSymbols(
  context: AppContext,
  request: SymbolsRequest,
  viewer: Viewer,
): Promise<Answer> | Answer {
  const newest = wholeMinute(visibleInstant(viewer, context.clock.now()));
  const query = queryOf(request, viewer);
  const after = cursorOf(request.cursor, query, newest);
  const asOf = after?.asOf ?? newest;
  const key = `symbols|${viewKey(viewer)}|${query}|${asOf}|${request.limit}|${request.cursor ?? ''}`;
  return cachedAnswer(context, {
    key,
    symbol: WHOLE_MARKET,
    late: 'The search was not answered',
    async make(signal) {
      const text = await pageText(context, { ...request, asOf, after, query }, viewer, signal);
      return { text, expires: context.clock.now() + KEPT_MS };
    },
  });
}

async function pageText(
  context: AppContext,
  page: Page,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<string> {
  // Those that may have had a bar at the instant and that the viewer may name.
  const today = midnightUtc(context.calendar.tradeDateOf(page.asOf)) / DAY_MS;
  const symbols = (await context.symbols.all()).filter(
    ({ symbol, firstDay }) => firstDay <= today && mayName(viewer, symbol),
  );
  const sector = page.sector === undefined ? undefined : knownSector(symbols, page.sector, page.asOf);
  const matches = matchSymbols(symbols, { ...page, sector });
  // One more than the page holds.
  const found: Found[] = [];
  for (const some of chunks(startAfter(matches, page.after), page.limit + 1)) {
    if (found.length > page.limit) break;
    found.push(...(await visibleOnes(context, some, page.asOf, signal)));
  }
  const last = found.length > page.limit ? found[page.limit - 1]! : null;
  return JSON.stringify({
    as_of: new Date(page.asOf).toISOString(),
    source: viewer.source,
    symbols: await Promise.all(
      found.slice(0, page.limit).map(async (one) => ({
        ...rowOf(one),
        simulated: await context.symbolMarkets.isSimulated(one.listed.symbol),
      })),
    ),
    next_cursor: last === null ? null : cursorText(page, last),
  });
}

/** @throws ValidationRefusal for a sector of no symbol */
function knownSector(symbols: readonly ListedSymbol[], sector: string, asOf: number): string {
  const sectors = new Map<string, string>();
  for (const listed of symbols) {
    const known = nameAt(listed, asOf).sector;
    if (known !== null) sectors.set(known.toLowerCase(), known);
  }
  const known = sectors.get(sector.trim().toLowerCase());
  if (known !== undefined) return known;
  const names = [...sectors.values()].sort();
  const fault = unknownWord('sector', sector, names, `No sector is called '${sector}'`, {
    hint: `known are ${names.join(', ') || 'none'}`,
    ctx: { expected: names.map((name) => `'${name}'`).join(' or ') },
  });
  throw new ValidationRefusal([fault]);
}

function startAfter(matches: readonly Match[], after: SymbolsCursor | null): readonly Match[] {
  if (after === null) return matches;
  const from = matches.findIndex(
    ({ rank, listed }) => rank > after.rank || (rank === after.rank && listed.symbol > after.symbol),
  );
  return from < 0 ? [] : matches.slice(from);
}

/** Those of some matches that have a bar which was final at an instant. */
async function visibleOnes(
  context: AppContext,
  matches: readonly Match[],
  asOf: number,
  signal: AbortSignal,
): Promise<Found[]> {
  const { calendar, database, tape, deriver } = context;
  const today = calendar.tradeDateOf(asOf);
  const session = calendar.session(today);
  const day = midnightUtc(today) / DAY_MS;
  const endedDay = session !== null && asOf < session.postClose ? day - 1 : day;
  const symbols = matches.map(({ listed }) => listed.symbol);
  const holdings = await readHoldings(database, symbols, { asOf, endedDay }, { signal });
  const last = new Map(symbols.map((symbol) => [symbol, lastSessionOf(holdings.get(symbol)!, endedDay)]));
  const unclear = symbols.filter((symbol) => last.get(symbol) === undefined);
  if (unclear.length > 0) {
    const tapes = await tape.symbolTapes(unclear, { signal });
    const sessions = await deriver.newestSessions({ tapes, asOf }, { signal });
    for (const [at, { symbol }] of tapes.entries()) last.set(symbol, sessions[at]!);
  }
  return matches.flatMap((match) => {
    const { symbol } = match.listed;
    const lastSession = last.get(symbol) ?? null;
    return lastSession === null ? [] : [{ ...match, holdings: holdings.get(symbol)!, lastSession }];
  });
}

/** The newest session with a visible bar; undefined where only the rows tell. */
function lastSessionOf({ lastDay, runningTime }: Holdings, endedDay: number): string | null | undefined {
  if (lastDay !== null && lastDay > endedDay) return undefined;
  const running = runningTime === null ? null : tradeDay('bars-1m', runningTime);
  if (lastDay === null && running === null) return undefined;
  return dateOf(Math.max(lastDay ?? 0, running ?? 0) * DAY_MS);
}

function rowOf({ listed, known, holdings, lastSession }: Found) {
  const { daily, minute, ticks, chains, facts } = holdings;
  return {
    symbol: listed.symbol,
    name: known.name,
    sector: known.sector,
    first_session: dateOf(listed.firstDay * DAY_MS),
    last_session: lastSession,
    has: { daily, minute, ticks, chains, facts },
  };
}

/** The same for every page of one query. */
const queryOf = ({ q, sector }: SymbolsRequest, viewer: Viewer): string =>
  hash('sha1', JSON.stringify([q, sector, viewKey(viewer)]), 'base64url').slice(0, 16);

const cursorText = ({ query, asOf }: Page, { rank, listed }: Match): string =>
  Buffer.from(`${query}|${asOf}|${rank}|${listed.symbol}`).toString('base64url');

const CURSOR = /^([\w-]{16})\|(\d{1,15})\|(\d)\|(.+)$/;

/** @throws ValidationRefusal for the cursor of another query */
function cursorOf(text: string | undefined, query: string, newest: number): SymbolsCursor | null {
  if (text === undefined) return null;
  const [, ofQuery, asOf, rank, symbol] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (ofQuery === query && Number(asOf) <= newest) {
    return { asOf: Number(asOf), rank: Number(rank), symbol: symbol! };
  }
  throw foreignCursor(text);
}
