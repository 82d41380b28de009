import { cachedAnswer, inTime } from '../stocks/cached-answer.ts';
import { type Caller, viewKey } from '../access/viewer.ts';
import { type Answer, sealAnswer, WHOLE_MARKET } from '../stocks/answer-cache.ts';
import { analogPieces } from './analog-pieces.ts';
import { fitted } from './budget.ts';
import { debate } from '../debate/index.ts';
import { debateFrame, debatePieces } from './debate-pieces.ts';
import { loadStockContext, type StockContext } from './load-stock-context.ts';
import { loadMarketContext, type PageContext } from './load-market-context.ts';
import { marketFrame, marketPieces, sectorFrame, sectorPieces, sectorsPieces } from './market-pieces.ts';
import { type PageType, ranked } from './pages.ts';
import { factAlone, type Piece } from './piece.ts';
import { playbookPieces, signalPieces } from './playbook-pieces.ts';
import { runPieces } from './run-pieces.ts';
import { stockFrame, stockPieces } from './stock-pieces.ts';
import type { AppContext } from '../app-context.ts';

export { PAGE_TYPES, STOCK_PAGES } from './pages.ts';
export { SECTIONS } from './piece.ts';

export const MAX_TOKENS = { least: 500, most: 32_000, byDefault: 6_000 } as const;

export interface ChatContextRequest {
  readonly pageType: PageType;
  /** Ticker in capitals; absent for a page about no stock. */
  readonly symbol?: string | undefined;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest session. */
  readonly date?: string | undefined;
  /** Tokens that the whole answer may take. */
  readonly maxTokens: number;
}

/** Sessions grow, markets are corrected, and nobody announces all that an answer rests on. */
const TTL_MS = 60_000;
const RUNNING_TTL_MS = 5_000;

/** Runs belong to the caller and change while a page is open. */
const isKept = ({ pageType }: ChatContextRequest): boolean => pageType !== 'backtest';

const keyOf = ({ pageType, symbol, date, maxTokens }: ChatContextRequest, caller: Caller): string =>
  `chat|${viewKey(caller)}|${pageType}|${symbol ?? ''}|${date ?? ''}|${maxTokens}`;

/** The ready answer, or null when it has to be made. */
export function peekChatContext(
  context: AppContext,
  request: ChatContextRequest,
  caller: Caller,
): Answer | null {
  return isKept(request) ? context.answers.get(keyOf(request, caller), context.clock.now()) : null;
}

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
): Promise<Answer> {
  const late = 'The context was not made';
  const make = (signal: AbortSignal) => makeAnswer(context, request, caller, signal);
  if (!isKept(request)) return inTime(context, late, make).then(({ text }) => sealAnswer(text));
  const key = keyOf(request, caller);
  return cachedAnswer(context, { key, symbol: request.symbol ?? WHOLE_MARKET, late, make });
}

async function makeAnswer(
  context: AppContext,
  request: ChatContextRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly expires: number }> {
  const { symbol, date, pageType } = request;
  const withExpirations = pageType === 'options';
  const stock =
    symbol === undefined
      ? null
      : await loadStockContext(context, { symbol, date }, caller, signal, { withExpirations });
  const page: PageContext = stock ?? (await loadMarketContext(context, date, caller, signal));
  const { tradeDate, asOf, now, registry } = page;
  const runs = pageType === 'backtest' ? await runPieces(context, caller, registry) : [];
  const pieces = [
    ...debatePieces(debate(registry), registry),
    ...marketPieces(registry, page.marketContext),
    ...(stock === null || pageType === 'market' || pageType === 'screener'
      ? sectorsPieces(page.market, registry)
      : []),
    ...(stock === null ? [] : piecesOf(stock)),
    ...(pageType === 'backtest' ? signalPieces() : []),
    ...runs,
  ];
  const shown = [...new Set(pieces.flatMap(({ shows }) => shows))].map(factAlone);
  const all = [...pieces, ...shown];
  const frame = frameOf(request, caller, page);
  const text = fitted(frame, ranked(pageType, all), all, registry, request.maxTokens);
  const isRunning = asOf < context.calendar.session(tradeDate)!.postClose;
  return { text, expires: now + (isRunning ? RUNNING_TTL_MS : TTL_MS) };
}

function piecesOf(stock: StockContext): Piece[] {
  const { analogs, answer, related, registry } = stock;
  return [
    ...stockPieces(stock),
    ...sectorPieces(stock),
    ...analogPieces(analogs, registry),
    ...playbookPieces(answer.strategies ?? [], related, registry),
  ];
}

/** Every field of the answer, without what pieces fill in. */
const frameOf = (
  { pageType, symbol }: ChatContextRequest,
  { source }: Caller,
  { tradeDate, asOf }: PageContext,
) => ({
  page_type: pageType,
  symbol: symbol ?? null,
  trade_date: tradeDate,
  as_of: new Date(asOf).toISOString(),
  source,
  market_context: marketFrame(),
  stock_data: stockFrame(),
  debate_summary: debateFrame(),
  sector_data: sectorFrame(),
  historical_analogs: [],
  analog_outcomes: [],
  strategy_playbooks: [],
  facts: [],
});
