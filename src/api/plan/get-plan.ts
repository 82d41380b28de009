import { wholeMinute } from '../../base/as-of.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type Caller, ownerOf, requireSymbols, viewKey, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { queryRefusal, valueFault } from '../answers/refusals.ts';
import { type Answer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { getWatchlist } from '../watchlists/keep-watchlists.ts';
import { SYMBOLS_MAX } from '../watchlists/schema.ts';
import { loadPlan, type PlanRequest } from './load-plan.ts';
import { type PlanSession, planSession } from './plan-day.ts';
import { planText } from './plan-text.ts';
import { stockCount } from './sentences.ts';

/** What is asked for, as the address has it. */
export interface PlanAsked {
  readonly list?: string | undefined;
  readonly symbols?: string | undefined;
  readonly date?: string | undefined;
  readonly all?: string | undefined;
  readonly format?: string | undefined;
}

const TIMEOUT_MS_MIN = 10_000;
/** Answers about a past one: a correction on the tape drops them. */
const PAST_TTL_MS = 10 * MINUTE_MS;

/** When an answer is made anew: one of the newest instant with the next minute that its caller sees. */
export const expiryOf = (isPast: boolean, { delayMs }: Caller, now: number): number =>
  isPast ? now + PAST_TTL_MS : wholeMinute(now - delayMs) + MINUTE_MS + delayMs;

/**
 * The plan of a session for a list of the caller or for symbols, cached for its instant.
 *
 * @throws ValidationRefusal for no stocks and for too many
 * @throws CodedError unknown_watchlist, symbol_not_granted, no_session, no_data_for_date, query_timeout
 */
export async function getPlan(context: AppContext, asked: PlanAsked, caller: Caller): Promise<Answer> {
  const visible = visibleInstant(caller, context.clock.now());
  const planned = planSession(context.calendar, asked.date, visible, caller.asOf !== undefined);
  const request = await requestOf(context, asked, planned, caller);
  const isText = asked.format === 'markdown';
  return cachedAnswer(withTime(context), {
    key: `plan|${planKey(request, planned, caller)}|${isText}`,
    symbol: WHOLE_MARKET,
    late: `The plan of ${stockCount(request.symbols.length)} was not answered`,
    async make(signal) {
      const plan = await loadPlan(context, request, planned, caller, signal);
      return {
        text: isText ? Buffer.from(planText(plan)) : JSON.stringify(plan),
        expires: expiryOf(planned.at !== null, caller, context.clock.now()),
      };
    },
  });
}

/** As much time as stocks of a past minute take that no thread has read yet. */
export const withTime = ({ answers, clock, queryTimeoutMs }: AppContext) => ({
  answers,
  clock,
  queryTimeoutMs: Math.max(TIMEOUT_MS_MIN, queryTimeoutMs),
});

/** All that an answer depends on beside the data. */
export const planKey = (
  { list, symbols, all }: PlanRequest,
  { session, at }: PlanSession,
  caller: Caller,
): string =>
  [
    viewKey(caller),
    caller.holder !== null && !caller.scopes.has('market:read'),
    ownerOf(caller) ?? '',
    session.tradeDate,
    at ?? '',
    JSON.stringify(list),
    symbols.join(),
    all,
  ].join('|');

/** The stocks of a request: those of a list of the caller, or those that it names. */
export async function requestOf(
  context: AppContext,
  { list, symbols, all }: PlanAsked,
  { previous, at }: PlanSession,
  caller: Caller,
): Promise<PlanRequest> {
  if ((list === undefined) === (symbols === undefined))
    throw new ValidationRefusal([
      valueFault(['query'], {}, 'A plan is of a `list` of yours or of `symbols`; name one of them'),
    ]);
  const stocks =
    list === undefined
      ? named(symbols!, caller)
      : (await getWatchlist(context, list, caller, at === null ? undefined : previous.tradeDate)).symbols;
  if (stocks.length === 0)
    throw queryRefusal('list', list, `The list ${list} has no stock; put one into it, or name symbols`);
  return { list: list ?? null, symbols: stocks, all: all === 'true' };
}

function named(symbols: string, caller: Caller): string[] {
  const stocks = [...new Set(symbols.split(',').map((symbol) => canonicalSymbol(symbol.trim())))];
  if (stocks.length > SYMBOLS_MAX)
    throw queryRefusal(
      'symbols',
      stocks.length,
      `A plan is of at most ${SYMBOLS_MAX} stocks, not ${stocks.length}; part them, or keep a screen that finds those that matter`,
    );
  requireSymbols(caller, stocks);
  return stocks;
}
