import { readFirings } from '../../alerts/store.ts';
import { wholeMinute } from '../../base/as-of.ts';
import { type Calendar, requireSession, type Session } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { instantText } from '../../base/wire.ts';
import { rounded } from '../../derive/rounding.ts';
import { type Caller, ownerOf, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { type Answer, WHOLE_MARKET } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { expiryOf, type PlanAsked, planKey, requestOf, withTime } from './get-plan.ts';
import { loadPlanStocks, type PlanRequest } from './load-plan.ts';
import { type PlanSession, planSession } from './plan-day.ts';
import { reviewAlerts } from './review-alerts.ts';
import { countsSay, reviewCounts, sumOfCounts } from './review-counts.ts';
import { reviewOfStock } from './review-stock.ts';
import { type Review, type ReviewCounts, type ReviewScore, SCORE_STOCKS } from './schema.ts';
import { say, stockCount } from './sentences.ts';
import { seenSessions } from './session-minutes.ts';

/** Alerts that are shown; more in a session are none. */
const FIRINGS_MAX = 200;

export interface ReviewAsked extends Pick<PlanAsked, 'list' | 'symbols' | 'date'> {
  /** Sessions of the score; 0 for none. */
  readonly sessions: number;
}

/** A session as it is reviewed at an instant. */
interface Reviewed {
  readonly planned: PlanSession;
  /** The newest instant that counts, epoch milliseconds. */
  readonly asOf: number;
  readonly isOver: boolean;
}

/**
 * The plan of the morning of a session with what became of it, as the caller may see that.
 *
 * @throws ValidationRefusal, CodedError as for a plan; no_data_for_date before the session has opened
 */
export async function getReview(context: AppContext, asked: ReviewAsked, caller: Caller): Promise<Answer> {
  const visible = visibleInstant(caller, context.clock.now());
  const reviewed = reviewedAt(
    context.calendar,
    openedSession(context.calendar, asked.date, visible),
    visible,
  );
  const request = await requestOf(context, asked, reviewed.planned, caller);
  const { isOver } = reviewed;
  return cachedAnswer(withTime(context), {
    key: `review|${planKey(request, reviewed.planned, caller)}|${asked.sessions}|${isOver}`,
    symbol: WHOLE_MARKET,
    late: `The review of ${stockCount(request.symbols.length)} was not answered`,
    async make(signal) {
      const [{ stocks, leftOut, seen }, firings, score] = await Promise.all([
        reviewStocks(context, request.symbols, reviewed, caller, false, signal),
        readFirings(
          context.database,
          {
            owner: ownerOf(caller) ?? '',
            until: reviewed.asOf,
            symbols: request.symbols,
            tradeDate: reviewed.planned.session.tradeDate,
            limit: FIRINGS_MAX,
          },
          { signal },
        ),
        asked.sessions === 0 ? null : scoreOf(context, request, reviewed, asked.sessions, caller),
      ]);
      const { session, at } = reviewed.planned;
      const counts = reviewCounts(stocks);
      const review: Review = {
        date: session.tradeDate,
        as_of: instantText(reviewed.asOf),
        source: caller.source,
        simulated: await context.symbolMarkets.marketOf(request.symbols),
        list: request.list,
        planned_at: instantText(at!),
        is_over: isOver,
        says: countsSay(counts, isOver),
        counts,
        stocks,
        alerts: reviewAlerts(firings, seen, reviewed.asOf),
        score,
        left_out: leftOut,
        missing: firings.length > 0 ? [] : [{ field: 'alerts', reason: say('review.no_alerts') }],
      };
      return {
        text: JSON.stringify(rounded(review)),
        expires: expiryOf(isOver, caller, context.clock.now()),
      };
    },
  });
}

/** The session that is asked for, or the newest that has opened at an instant. */
function openedSession(calendar: Calendar, date: string | undefined, visible: number): Session {
  if (date === undefined) {
    const today = calendar.session(calendar.tradeDateOf(visible));
    if (today !== null && today.open <= visible) return today;
    return requireSession(calendar, calendar.previousSession(calendar.tradeDateOf(visible)) ?? '');
  }
  const session = requireSession(calendar, date);
  if (session.open <= visible) return session;
  throw new CodedError(
    'no_data_for_date',
    `The session of ${date} has not opened at this minute; GET /api/graph/v1/plan has its plan`,
  );
}

function reviewedAt(calendar: Calendar, session: Session, visible: number): Reviewed {
  const planned = planSession(calendar, session.tradeDate, Math.max(visible, session.open), false);
  const asOf = Math.min(wholeMinute(visible), session.end);
  return { planned, asOf, isOver: asOf >= session.close };
}

/** @param isOfMinutes whether only stocks with minutes of the session are planned, in no order: for counts alone */
async function reviewStocks(
  context: AppContext,
  symbols: readonly string[],
  { planned, asOf }: Reviewed,
  caller: Caller,
  isOfMinutes: boolean,
  signal: AbortSignal,
) {
  const seen = await seenSessions(context, symbols, planned.session, asOf, signal);
  const names = isOfMinutes ? symbols.filter((symbol) => seen.get(symbol)?.bars != null) : symbols;
  const asked = { symbols: names, all: false, withChange: !isOfMinutes };
  const { stocks, leftOut } = await loadPlanStocks(context, asked, planned, caller, signal);
  return {
    seen,
    stocks: stocks.flatMap((stock) => {
      const session = seen.get(stock.symbol);
      return session === undefined ? [] : [reviewOfStock(stock, session)];
    }),
    leftOut: leftOut.map(({ symbol, reason }) => ({ symbol, reason: say('review.no_plan', { reason }) })),
  };
}

/** The plans of the sessions up to one that are over, counted: each is made once, and kept. */
async function scoreOf(
  context: AppContext,
  { symbols }: PlanRequest,
  { planned, asOf }: Reviewed,
  sessions: number,
  caller: Caller,
): Promise<ReviewScore> {
  const { calendar } = context;
  const stocks = symbols.slice(0, SCORE_STOCKS);
  const index = calendar.sessionIndex(planned.session.tradeDate);
  const days: ReviewScore['days'] = [];
  for (let back = 0; back < sessions; back++) {
    const session = calendar.sessionAt(index - back);
    if (session === null) break;
    if (session.close > asOf) continue;
    const counts = await dayCounts(context, stocks, reviewedAt(calendar, session, asOf), caller);
    if (counts.levels > 0) days.push({ date: session.tradeDate, ...counts });
  }
  const sum = sumOfCounts(days);
  return { ...sum, says: countsSay(sum, true), stocks, days };
}

async function dayCounts(
  context: AppContext,
  symbols: readonly string[],
  reviewed: Reviewed,
  caller: Caller,
): Promise<ReviewCounts> {
  const { tradeDate } = reviewed.planned.session;
  const request = { list: null, symbols, all: false };
  const { body } = await cachedAnswer(withTime(context), {
    key: `review-day|${planKey(request, reviewed.planned, { ...caller, asOf: undefined })}|${reviewed.asOf}`,
    symbol: WHOLE_MARKET,
    late: `The plan of ${tradeDate} was not counted`,
    async make(signal) {
      const { stocks } = await reviewStocks(context, symbols, reviewed, caller, true, signal);
      return {
        text: JSON.stringify(reviewCounts(stocks)),
        expires: expiryOf(true, caller, context.clock.now()),
        // What a later session brings changes nothing of a day that is over.
        dependsOn: (dates) => dates.some((date) => date <= tradeDate),
      };
    },
  });
  return JSON.parse(body.toString());
}
