import { fitted } from '../../texts/budget.ts';
import { agePieces } from '../../texts/data-age.ts';
import { debate } from '../../texts/debate/index.ts';
import { absent, factAlone, floored, type Piece } from '../../texts/piece.ts';
import { type Caller, viewKey } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { cachedAnswer, inTime } from '../answers/cached-answer.ts';
import { nextCompletion } from '../answers/sessions-behind.ts';
import { type Answer, sealAnswer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketName } from '../context/symbol-markets.ts';
import { analogPieces } from './analog-pieces.ts';
import { debateFrame, debatePieces } from './debate-pieces.ts';
import { loadMarketContext, type PageContext } from './load-market-context.ts';
import { loadStockContext, type StockContext } from './load-stock-context.ts';
import { marketFrame, marketPieces, sectorFrame, sectorPieces, sectorsPieces } from './market-pieces.ts';
import { type PageType, ranked } from './pages.ts';
import { foundPlaybookPieces, playbookPieces, signalPieces } from './playbook-pieces.ts';
import { runPieces } from './run-pieces.ts';
import { searchFacts, searchTexts, type TextQuery } from './search-texts.ts';
import { foundNewsPieces, NEWS_SHOWN, stockFrame, stockPieces } from './stock-pieces.ts';

export { SECTIONS } from '../../texts/piece.ts';
export { PAGE_TYPES, STOCK_PAGES } from './pages.ts';

export const MAX_TOKENS = { min: 500, max: 32_000, byDefault: 6_000 } as const;

export interface ChatContextRequest {
  readonly pageType: PageType;
  /** Ticker in capitals; absent for a page about no stock. */
  readonly symbol?: string | undefined;
  /** Of a page about no stock. */
  readonly market?: MarketName | undefined;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest session. */
  readonly date?: string | undefined;
  /** Tokens that the whole answer may take. */
  readonly maxTokens: number;
  /** Words to find news and playbooks by, as `normalQuery` makes them; absent for the newest and those that match. */
  readonly query?: string | undefined;
}

/** Sessions grow and markets are corrected; not every change that moves an answer is announced. */
const TTL_MS = 60_000;
const RUNNING_TTL_MS = 5_000;

/** The text of a query without needless blanks; absent where nothing is left. */
export const normalQuery = (query: string | undefined): string | undefined =>
  query?.replaceAll(/\s+/g, ' ').trim() || undefined;

/**
 * What an agent needs to talk about a page: the market, the stock, both sides of its case, its sector, days like it and
 * playbooks, with a fact behind every number of a sentence, within a budget of tokens.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function getChatContext(
  context: AppContext,
  request: ChatContextRequest,
  caller: Caller,
): Answer | Promise<Answer> {
  const { pageType, symbol = '', market = '', date = '', maxTokens, query = '' } = request;
  const late = 'The context was not made';
  const make = (signal: AbortSignal) => makeAnswer(context, request, caller, signal);
  // Runs belong to the caller and change while a page is open.
  if (pageType === 'backtest') {
    return inTime(context, late, make).then(({ text, expires }) => sealAnswer(text, expires !== null));
  }
  const key = `chat|${viewKey(caller)}|${pageType}|${symbol}|${market}|${date}|${maxTokens}|${query}`;
  return cachedAnswer(context, { key, symbol: symbol || WHOLE_MARKET, late, make });
}

async function makeAnswer(
  context: AppContext,
  request: ChatContextRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly expires: number | null }> {
  const { symbol, market, date, pageType, query } = request;
  // The provider answers while the store is read.
  const vector = query === undefined ? null : context.queryVectors.of(query);
  const withExpirations = pageType === 'options';
  const asked = symbol === undefined ? null : { symbol, date };
  const stock = asked && (await loadStockContext(context, asked, caller, signal, { withExpirations }));
  const page: PageContext = stock ?? (await loadMarketContext(context, { date, market }, caller, signal));
  const { tradeDate, asOf, now, registry } = page;
  const runs = pageType === 'backtest' ? await runPieces(context, caller, registry) : [];
  const debated = debatePieces(debate(registry), registry);
  const found =
    query === undefined
      ? NOTHING_FOUND
      : await findPieces(context, { text: query, vector: await vector }, stock, page, caller, signal);
  const pieces = [
    // Facts of an answer are in the order of the pieces that need them: what was asked for comes first.
    ...floored(found.facts.map(factAlone), FACTS_FLOOR),
    ...agePieces(registry, stock === null ? 'market_context' : 'stock_data'),
    ...debated,
    ...marketPieces(registry, page.marketContext),
    ...sectionsOf(stock, page, pageType, found.news),
    ...playbooksOf(pageType, stock, found.playbooks),
    ...found.reasons,
    ...runs,
  ];
  const frame = frameOf(request, caller, page);
  const groups = ranked(pageType, pieces, found.facts);
  const text = fitted(frame, groups, pieces, registry, request.maxTokens);
  const isRunning = asOf < context.calendar.session(tradeDate)!.postClose;
  const isOfNow = isRunning && caller.asOf === undefined;
  if (stock?.isFinal === false && !isOfNow) return { text, expires: null };
  const expires = now + (isRunning ? RUNNING_TTL_MS : TTL_MS);
  return { text, expires: Math.min(expires, nextCompletion(context.calendar, caller, now)) };
}

/** Pages that show every sector beside a stock too. */
const SECTOR_PAGES: readonly PageType[] = ['market', 'screener'];

function sectionsOf(
  stock: StockContext | null,
  { market, registry }: PageContext,
  pageType: PageType,
  news: readonly Piece[],
): Piece[] {
  const sectors = stock === null || SECTOR_PAGES.includes(pageType) ? sectorsPieces(market, registry) : [];
  if (stock === null) return [...news, ...sectors];
  const analogs = analogPieces(stock.analogs, registry);
  return [...sectors, ...stockPieces(stock, news), ...sectorPieces(stock), ...analogs];
}

/** Playbooks that the query finds; without them those whose conditions match and, on its page, those of backtest signals. */
function playbooksOf(
  pageType: PageType,
  stock: StockContext | null,
  found: readonly Piece[],
): readonly Piece[] {
  if (found.length > 0) return found;
  const matched = stock === null ? [] : playbookPieces(stock.answer.strategies, stock.registry);
  const hasMatch = matched.some(({ section }) => section === 'strategy_playbooks');
  return [...matched, ...floored(pageType === 'backtest' ? signalPieces() : [], hasMatch ? 0 : 1)];
}

/** Facts that a query finds and that a small budget keeps. */
const FACTS_FLOOR = 2;

const NOTHING_FOUND = { facts: [], news: [], playbooks: [], reasons: [] };

/** News of the whole market is searched as far back as the news of a stock-day reaches. */
const MARKET_NEWS_DAYS = 31;

async function findPieces(
  context: AppContext,
  query: Pick<TextQuery, 'text' | 'vector'>,
  stock: StockContext | null,
  { simulated, asOf, registry }: PageContext,
  caller: Caller,
  signal: AbortSignal,
) {
  const { symbols } = await context.symbolMarkets.within(caller, simulated);
  const scope =
    stock === null
      ? { symbols: symbols === null ? null : [...symbols], asOf, ageDaysMax: MARKET_NEWS_DAYS }
      : { symbols: [stock.symbol], asOf: stock.factsAsOf, ageDaysMax: null };
  const facts = await searchFacts(context, query, registry.all(), signal);
  const found = await searchTexts(context.database, { ...query, scope, newsMax: NEWS_SHOWN }, signal);
  const answer = stock?.answer ?? null;
  const section = stock === null ? 'market_context' : 'stock_data';
  const missing = Object.entries({ ...found, facts }).filter(([, of]) => of.length === 0);
  const reasons = missing.map(([part]) =>
    absent(section, part, absence(`absent.found_${part as 'news' | 'playbooks' | 'facts'}`), 'found'),
  );
  return {
    facts,
    news: foundNewsPieces(found.news, answer, registry),
    playbooks: foundPlaybookPieces(found.playbooks, answer?.strategies ?? [], registry),
    reasons: floored(reasons, reasons.length),
  };
}

/** Every field of the answer, without what pieces fill in. */
const frameOf = (
  { pageType, symbol, query }: ChatContextRequest,
  { source }: Caller,
  { simulated, tradeDate, asOf, sessionsBehind }: PageContext,
) => ({
  page_type: pageType,
  symbol: symbol ?? null,
  trade_date: tradeDate,
  sessions_behind: sessionsBehind,
  as_of: new Date(asOf).toISOString(),
  source,
  simulated,
  market_context: { ...marketFrame(), ...(query === undefined || symbol !== undefined ? {} : { news: [] }) },
  stock_data: stockFrame(),
  debate_summary: debateFrame(),
  sector_data: sectorFrame(),
  historical_analogs: [],
  analog_outcomes: [],
  strategy_playbooks: [],
  facts: [],
});
