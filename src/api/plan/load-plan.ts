import { wholeMinute } from '../../base/as-of.ts';
import { CodedError } from '../../base/errors.ts';
import { nextTurn } from '../../base/timers.ts';
import { instantText } from '../../base/wire.ts';
import { rounded } from '../../derive/rounding.ts';
import { type Caller, visibleInstant } from '../access/viewer.ts';
import { loadStocks, narrowedSnapshot, type StockSnapshot } from '../answers/load-stock.ts';
import { sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { marketContextAt } from '../market/get-market-context.ts';
import { besideOf, KINDS_BESIDE, recordsBeside } from '../records/beside-stock.ts';
import { type PlanSession, planDay } from './plan-day.ts';
import { planMarket } from './plan-market.ts';
import { inOrder, planOfStock } from './plan-stock.ts';
import type { Plan, PlanStock } from './schema.ts';
import { say } from './sentences.ts';
import { type ClosingScore, PLAN_INCLUDES, type RecordOf, type StockAnswer } from './stock-answer.ts';

/** Kinds of claims whose records stand in a plan. */
const KINDS = [...KINDS_BESIDE, 'expected_move'] as const;
/** Stocks that are read or planned before others have their turn. */
const AT_ONCE = 8;
/** None of a plan's fields needs peers. */
const FIELDS = ['last_price'];

export interface PlanRequest {
  readonly list: string | null;
  /** In capitals, each once. */
  readonly symbols: readonly string[];
  readonly all: boolean;
}

/** A stock as it was loaded. */
interface Loaded {
  readonly stock: StockAnswer;
  readonly tradeDate: string;
  readonly simulated: boolean;
}

/** What of some stocks a plan has, and at which instant. */
interface StocksRequest extends Pick<PlanRequest, 'symbols' | 'all'> {
  /** Whether what changed since the close before is wanted. */
  readonly withChange: boolean;
}

/** The caller at the instant of a plan. */
const viewerOf = (caller: Caller, { at }: PlanSession): Caller =>
  at === null ? caller : { ...caller, asOf: at };

/**
 * The plan of a session for some stocks, as a caller may see them at its instant.
 *
 * @throws CodedError overloaded; the reason of the signal when it aborts
 */
export async function loadPlan(
  context: AppContext,
  { list, symbols, all }: PlanRequest,
  planned: PlanSession,
  caller: Caller,
  signal: AbortSignal,
): Promise<Plan> {
  const viewer = viewerOf(caller, planned);
  const at = visibleInstant(viewer, context.clock.now());
  const simulated = await context.symbolMarkets.marketOf(symbols);
  const [{ stocks, leftOut }, head] = await Promise.all([
    loadPlanStocks(context, { symbols, all, withChange: true }, planned, caller, signal),
    headOf(context, simulated, planned, viewer, signal),
  ]);
  const { session } = planned;
  return rounded({
    date: session.tradeDate,
    as_of: instantText(wholeMinute(at)),
    source: viewer.source,
    simulated,
    list,
    opens_at: instantText(session.open),
    closes_at: instantText(session.close),
    ...head,
    changed: stocks.filter(({ changed }) => changed?.is_new).map(({ symbol }) => symbol),
    stocks,
    left_out: leftOut,
  });
}

/** The stocks of a plan in its order, and why others have none. */
export async function loadPlanStocks(
  context: AppContext,
  { symbols, all, withChange }: StocksRequest,
  planned: PlanSession,
  caller: Caller,
  signal: AbortSignal,
): Promise<{ readonly stocks: PlanStock[]; readonly leftOut: Plan['left_out'] }> {
  const viewer = viewerOf(caller, planned);
  const at = visibleInstant(viewer, context.clock.now());
  const day = planDay(planned, all);
  const { found, leftOut } = await stocksOf(context, symbols, day.previous, viewer, signal);
  const [before, recordOf] = await Promise.all([
    withChange ? closesBefore(context, found, viewer, signal) : new Map<string, ClosingScore>(),
    recordsOf(context, found, viewer, at, signal),
  ]);
  const stocks: PlanStock[] = [];
  for (const loaded of found) {
    const { stock, simulated } = loaded;
    const planned = { ...loaded, before: before.get(stock.symbol) ?? null, recordOf: recordOf(simulated) };
    stocks.push(planOfStock(planned, day));
    if (stocks.length % AT_ONCE === 0) await nextTurn();
  }
  return { stocks: inOrder(stocks), leftOut };
}

/** The stocks with a bar of the plan's session or the one before, and why others have none. */
async function stocksOf(
  context: AppContext,
  symbols: readonly string[],
  previous: string,
  viewer: Caller,
  signal: AbortSignal,
) {
  const request = { includes: [...PLAN_INCLUDES], fields: FIELDS };
  const snapshots = await loadStocks(context, symbols, request, viewer, signal);
  const found: Loaded[] = [];
  const leftOut: Plan['left_out'] = [];
  for (const [at, symbol] of symbols.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const snapshot = snapshots.get(symbol)!;
    if (snapshot instanceof Error) leftOut.push({ symbol, reason: refusalOf(snapshot) });
    else if (snapshot.tradeDate < previous)
      leftOut.push({ symbol, reason: say('plan.no_price', { symbol, date: snapshot.tradeDate }) });
    else found.push(loadedOf(snapshot, viewer));
  }
  return { found, leftOut };
}

/** A refusal of one stock leaves the others; what is broken is thrown. */
function refusalOf(error: Error): string {
  if (error instanceof CodedError) return error.message;
  throw error;
}

function loadedOf(snapshot: StockSnapshot, viewer: Caller): Loaded {
  const { values, tradeDate, simulated } = narrowedSnapshot(snapshot, viewer);
  const { core, ...includes } = values;
  const fields = Object.entries(includes).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return { stock: JSON.parse(`{${core}${fields.join('')}}`), tradeDate, simulated };
}

/** A close changes with a correction alone, which drops what is kept of it. */
const CLOSE_TTL_MS = 86_400_000;

/**
 * By symbol its score at the end of the session before that of its figures. It is over for every caller of a plan, so it is
 * the same for all, and kept: a day that no pass has stored takes a derivation.
 */
async function closesBefore(
  context: AppContext,
  found: readonly Loaded[],
  viewer: Caller,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ClosingScore>> {
  const { answers, calendar, clock } = context;
  const before = new Map<string, ClosingScore>();
  for (const [tradeDate, stocks] of Map.groupBy(found, (loaded) => loaded.tradeDate)) {
    const date = calendar.previousSession(tradeDate);
    if (date === null) continue;
    const keyOf = (symbol: string): string => `closing-score|${symbol}|${date}`;
    const unknown: string[] = [];
    for (const { stock } of stocks) {
      const kept = answers.get(keyOf(stock.symbol), clock.now());
      if (kept === null) unknown.push(stock.symbol);
      else before.set(stock.symbol, JSON.parse(kept.body.toString()));
    }
    if (unknown.length === 0) continue;
    const isCurrent = new Map(unknown.map((symbol) => [symbol, answers.keptUntil(symbol)]));
    const request = { date, includes: [], fields: FIELDS };
    for (const [symbol, snapshot] of await loadStocks(context, unknown, request, viewer, signal)) {
      if (snapshot instanceof Error) continue;
      const score: ClosingScore = {
        confluence_v5: loadedOf(snapshot, viewer).stock.confluence_v5,
        tradeDate: date,
      };
      before.set(symbol, score);
      const answer = sealAnswer(JSON.stringify(score));
      const expires = clock.now() + CLOSE_TTL_MS;
      answers.put(keyOf(symbol), symbol, answer, expires, isCurrent.get(symbol)!, (dates) =>
        dates.some((changed) => changed <= date),
      );
      if (before.size % AT_ONCE === 0) await nextTurn();
    }
  }
  return before;
}

async function recordsOf(
  context: AppContext,
  found: readonly Loaded[],
  viewer: Caller,
  at: number,
  signal: AbortSignal,
): Promise<(simulated: boolean) => RecordOf> {
  const markets = [...new Set(found.map(({ simulated }) => simulated))];
  const loaded = new Map(
    await Promise.all(
      markets.map(
        async (simulated) =>
          [simulated, await recordsBeside(context, simulated, viewer, at, KINDS, signal)] as const,
      ),
    ),
  );
  // Many levels are of one kind, and a record has a sentence to be made.
  const beside = new Map<string, ReturnType<RecordOf>>();
  return (simulated) => (id) =>
    beside.getOrInsertComputed(`${simulated} ${id}`, () => besideOf(loaded.get(simulated)?.get(id)));
}

/** The market of a plan, or why it has none. */
async function headOf(
  context: AppContext,
  simulated: boolean,
  planned: PlanSession,
  viewer: Caller,
  signal: AbortSignal,
): Promise<Pick<Plan, 'market' | 'missing'>> {
  const without = (reason: string) => ({ market: null, missing: [{ field: 'market', reason }] });
  if (viewer.holder !== null && !viewer.scopes.has('market:read')) return without(say('plan.market_scope'));
  const market = simulated ? 'simulated' : 'real';
  try {
    const now = await marketContextAt(context, { market }, viewer, signal);
    const date = context.calendar.previousSession(now.trade_date) ?? undefined;
    const before =
      now.breadth === null && date !== undefined
        ? await marketContextAt(context, { market, date }, viewer, signal).catch(noMarket)
        : null;
    return { market: planMarket(now, before, planned), missing: [] };
  } catch (error) {
    return without(noMarketSays(error));
  }
}

const noMarketSays = (error: unknown): string => {
  if (error instanceof CodedError && error.code === 'no_data_for_date') return error.message;
  throw error;
};

const noMarket = (error: unknown): null => {
  noMarketSays(error);
  return null;
};
