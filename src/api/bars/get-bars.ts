import { wholeMinute } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc, newYorkMidnight } from '../../base/calendar.ts';
import { MINUTE_MS, parseInstant } from '../../base/dates.ts';
import { behindReaders } from '../../database/database.ts';
import { type BarInterval, type BarsQuestion, isIntradayInterval } from '../../derive/bars.ts';
import type { BarsFormat } from '../../derive/bars-answer.ts';
import { newestDay, type SymbolTape } from '../../tape/index.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { queryName, timeInCursor } from '../answers/page-cursor.ts';
import { queryRefusal, reversedRange } from '../answers/refusals.ts';
import { seenTape } from '../answers/seen-tapes.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { LIMIT } from './schema.ts';

export interface BarsRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  readonly interval: BarInterval;
  /** Dates or RFC 3339 instants; absent: by interval. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly adjusted: boolean;
  readonly session: 'regular' | 'all';
  /** Absent: by format. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly format: BarsFormat;
}

/** Days of a range at most: a year of minutes are 240,000. */
const RANGE_DAYS_MAX: Readonly<Record<BarInterval, number>> = {
  '1m': 370,
  '5m': 1_100,
  '15m': 1_100,
  '30m': 1_100,
  '1h': 1_100,
  '1d': 36_600,
  '1w': 36_600,
};
/** Minutes of more days than this are read behind the requests of others. */
const BULK_DAYS = 31;
/** Days before `to` of a range without a beginning. */
const DEFAULT_DAYS = { '1d': 365, '1w': 5 * 365 };
/** Answers are kept by their instant, which is over after a minute. */
const KEPT_MS = MINUTE_MS;

/**
 * Bars of a stock that were final at the caller's newest instant, or at an earlier one.
 *
 * @throws ValidationRefusal for a range from later to earlier or too long, or a cursor of another query
 * @throws CodedError unknown_symbol, no_data_for_date, overloaded, query_timeout
 */
export function getBars(context: AppContext, request: BarsRequest, feed: DataFeed): Promise<Answer> | Answer {
  const { symbol, interval, adjusted, session, format } = request;
  const limit = request.limit ?? (format === 'arrow' ? LIMIT.maximum : LIMIT.byDefault);
  const asOf = wholeMinute(visibleInstant(feed, context.clock.now()));
  const { from, to } = request;
  const cursor = queryName(symbol, interval, from, to, feed.asOf, adjusted, session);
  const place = timeInCursor(request.cursor, cursor);
  const range = rangeOf(context, request, asOf);
  const first = range.from === null ? null : (place ?? range.from);
  const isBulk = first !== null && isIntradayInterval(interval) && range.to - first > BULK_DAYS * DAY_MS;
  const key = `bars|${feed.source}|${cursor}|${asOf}|${place ?? ''}|${request.limit ?? ''}|${format}`;
  return cachedAnswer(context, {
    key,
    symbol,
    late: `${symbol} was not answered`,
    async make(signal) {
      const read = () => seenTape(context, symbol, feed, signal);
      const tape = await (isBulk ? behindReaders(read) : read());
      const span = spanOf(context, tape, request, range, place);
      const question = { interval, ...span, asOf, adjusted, session, limit };
      const { body, digest } = await context.deriver.bars(
        { tape, question, format, source: feed.source, cursor },
        { signal, isBulk },
      );
      return { text: body, digest, expires: context.clock.now() + KEPT_MS };
    },
  });
}

/** The times between which the bars begin, epoch milliseconds; `from` is null where the request leaves it open. */
function rangeOf({ calendar }: Pick<AppContext, 'calendar'>, request: BarsRequest, asOf: number) {
  const { interval, from, to } = request;
  const isIntraday = isIntradayInterval(interval);
  const startOf = (text: string): number => {
    const instant = parseInstant(text);
    if (isIntraday) return instant ?? newYorkMidnight(text);
    return midnightUtc(instant === null ? text : calendar.tradeDateOf(instant));
  };
  const endOf = (text: string): number =>
    isIntraday && parseInstant(text) === null
      ? newYorkMidnight(dateOf(midnightUtc(text) + DAY_MS)) - 1
      : startOf(text);
  const range = {
    from: from === undefined ? null : startOf(from),
    to: to === undefined ? asOf : Math.min(endOf(to), asOf),
  };
  if (range.from === null) return range;
  if (to !== undefined && range.from > endOf(to)) throw reversedRange(from!, to);
  const daysMax = RANGE_DAYS_MAX[interval];
  if (range.to - range.from > daysMax * DAY_MS) {
    const msg = `Range should be at most ${daysMax} days at ${interval}; ask for it in parts`;
    throw queryRefusal('from', from, msg, { error: msg, max_days: daysMax });
  }
  return range;
}

/**
 * The range of a page, and which of its bars. Without `from` pages go back in time from the newest bar, as far as the
 * tape goes if the caller names a number of bars.
 */
function spanOf(
  context: Pick<AppContext, 'calendar'>,
  tape: SymbolTape,
  { interval, limit }: BarsRequest,
  { from, to }: ReturnType<typeof rangeOf>,
  place: number | null,
): Pick<BarsQuestion, 'from' | 'to' | 'keep'> {
  if (from !== null) return { from: place ?? from, to, keep: 'first' };
  const isOpen = limit !== undefined || place !== null;
  const start = isOpen ? Number.NEGATIVE_INFINITY : defaultFrom(context, tape, interval, to);
  return { from: start, to: place ?? to, keep: 'newest' };
}

/** Where a range without a beginning begins: the newest session with bars, or some time before its end. */
function defaultFrom(
  { calendar }: Pick<AppContext, 'calendar'>,
  tape: SymbolTape,
  interval: BarInterval,
  to: number,
): number {
  const day = midnightUtc(calendar.tradeDateOf(to));
  if (!isIntradayInterval(interval)) return day - DEFAULT_DAYS[interval] * DAY_MS;
  return newYorkMidnight(dateOf((newestDay(tape, day / DAY_MS) ?? 0) * DAY_MS));
}
