import { wholeMinute } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { BAR_FIELDS } from '../../derive/compose.ts';
import type { ScalarField } from '../../derive/scalar-fields.ts';
import { readScreenCatalogues } from '../../graph/screen-rows.ts';
import { isSimulated, newestDay, oldestDay, type SymbolTape } from '../../tape/index.ts';
import { type DataFeed, feedKey, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import type { Day, SymbolOnDate } from '../answers/load-stock.ts';
import { namedFields } from '../answers/named-fields.ts';
import { queryName, timeInCursor } from '../answers/page-cursor.ts';
import { maySoonBeMeasured, needsPeers } from '../answers/peers-in-time.ts';
import { queryRefusal, reversedRange } from '../answers/refusals.ts';
import { seenTape } from '../answers/seen-tapes.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Derivation, DerivedRow, HistoryDay, RowValues } from '../context/history-rows.ts';
import { deriveMissing } from './derive-missing.ts';
import {
  addBarRows,
  begunSessions,
  daysOf,
  Findings,
  findKept,
  firstDate,
  newestSessions,
  storedRows,
  topOf,
  tradeDateIn,
} from './find-days.ts';
import { type CellsOfDay, HistoryColumns } from './history-columns.ts';
import { LIMIT } from './schema.ts';
import { storedColumns } from './stored-columns.ts';

/** `wait`: the caller waits for missing dates; `background`: they are derived after the answer; `no`: not at all. */
type DeriveMode = 'wait' | 'background' | 'no';

export interface HistoryRequest extends Pick<SymbolOnDate, 'symbol'> {
  /** Paths of scalar fields with commas between them. */
  readonly fields: string;
  /** Dates or RFC 3339 instants. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Sessions at most. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly derive: DeriveMode;
}

type DateState = 'stored' | 'derived' | 'deriving' | 'derivable' | 'no_bar';

/** Dates of one derivation: those that remain are derived when they are asked for again. */
const DERIVED_MAX = 260;
/** Sessions whose peers a caller waits for: the whole market is compared on each. */
const MEASURED_MAX = 16;
/** How long a caller waits at most; the dates that are derived by then are answered. */
const WAIT_MS = 20_000;
/** Answers are kept by their instant, which is over after a minute. */
const KEPT_MS = MINUTE_MS;

/**
 * Scalar fields of a stock over trade dates, each value the one of stock detail for its date. Fields of bars are known on
 * every date at once; the others come from stored rows, and from derivations of the dates without one.
 *
 * @throws ValidationRefusal for unknown fields, a range from later to earlier or too long
 * @throws CodedError unknown_symbol, no_data_for_date, overloaded, query_timeout
 */
export function getHistory(
  context: AppContext,
  request: HistoryRequest,
  feed: DataFeed,
): Promise<Answer> | Answer {
  const { symbol, derive } = request;
  const fields = namedFields(request.fields.split(','), 'query');
  const asOf = wholeMinute(visibleInstant(feed, context.clock.now()));
  const names = fields.map(({ path }) => path).join();
  const cursor = queryName(symbol, request.from, request.to, feed.asOf, names);
  const place = timeInCursor(request.cursor, cursor);
  checkRange(context, request);
  const { answers, clock } = context;
  const queryTimeoutMs = context.queryTimeoutMs + (derive === 'wait' ? WAIT_MS : 0);
  return cachedAnswer(
    { answers, clock, queryTimeoutMs },
    {
      key: `history|${cursor}|${feedKey(feed)}|${asOf}|${place ?? ''}|${request.limit ?? ''}|${derive}`,
      symbol,
      late: `${symbol} was not answered`,
      async make(signal) {
        const { text, isFinal } = await historyOf(
          context,
          { request, fields, place, cursor, asOf },
          feed,
          signal,
        );
        return { text, expires: isFinal ? clock.now() + KEPT_MS : null };
      },
    },
  );
}

interface Page {
  /** Ascending. */
  readonly dates: readonly string[];
  /** The session where the next page begins, or where the range has no beginning ends; null on the last page. */
  readonly next: string | null;
}

function checkRange({ calendar }: AppContext, { from, to }: HistoryRequest): void {
  if (from === undefined || to === undefined) return;
  if (tradeDateIn(calendar, from) > tradeDateIn(calendar, to)) throw reversedRange(from, to);
}

/**
 * Of the sessions of a range that have begun at an instant the first, or without `from` the newest; without `to` too the
 * newest of the stock.
 */
function pageOf(
  { calendar }: AppContext,
  tape: SymbolTape,
  { request: { from, to, limit }, place, asOf }: Question,
): Page {
  const newest = calendar.tradeDateOf(asOf);
  const end = to === undefined ? newest : tradeDateIn(calendar, to);
  const isOpen = from === undefined && to === undefined;
  const last = isOpen ? newestDate(tape, newest) : end < newest ? end : newest;
  const start = place === null ? null : dateOf(place);
  if (from === undefined) {
    const sessions = limit ?? LIMIT.byDefault;
    const until = start ?? last;
    const dates = newestSessions(calendar, until, sessions, asOf);
    return { dates, next: dates[0] === undefined ? null : calendar.previousSession(dates[0]) };
  }
  const all = begunSessions(calendar, start ?? tradeDateIn(calendar, from), last, asOf);
  if (all.length > LIMIT.maximum) {
    const msg = `Range should be at most ${LIMIT.maximum} sessions; ask for it in parts`;
    throw queryRefusal('from', from, msg, { error: msg, max_sessions: LIMIT.maximum });
  }
  const dates = limit === undefined ? all : all.slice(0, limit);
  return { dates, next: all[dates.length] ?? null };
}

const newestDate = (tape: SymbolTape, until: string): string =>
  dateOf((newestDay(tape, midnightUtc(until) / DAY_MS) ?? oldestDay(tape)!) * DAY_MS);

interface Question {
  readonly request: HistoryRequest;
  readonly fields: readonly ScalarField[];
  /** Where the page begins or ends, of a cursor; null on the first. */
  readonly place: number | null;
  /** The name of the query, which begins its cursors. */
  readonly cursor: string;
  readonly asOf: number;
}

const instantKey = ({ tradeDate, asOf }: Day): string => `${tradeDate}@${asOf}`;

/** The answer as JSON text, which is final unless a later one will know more. */
async function historyOf(
  context: AppContext,
  question: Question,
  feed: DataFeed,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isFinal: boolean }> {
  const isCurrent = context.histories.keptUntil();
  const { fields, cursor, asOf } = question;
  const { symbol, derive } = question.request;
  const tape = await seenTape(context, symbol, feed, signal);
  const page = pageOf(context, tape, question);
  const days = daysOf(context.calendar, tape, page.dates, asOf);
  const ofBars = fields.filter((field) => BAR_FIELDS.has(topOf(field)));
  const wantsPeers = needsPeers(fields.map(topOf));
  const found = new Findings(await storedDays(context, symbol, fields, days, wantsPeers, signal), wantsPeers);
  const others = days.filter(({ tradeDate }) => !found.stored.has(tradeDate));
  await addBarRows(context, tape, others, ofBars, found.rows, signal);
  const hasPeers = (day: HistoryDay): boolean => context.histories.get(day)?.hasPeers === true;
  const awaitsPeers =
    derive === 'wait' && wantsPeers && others.filter((day) => !hasPeers(day)).length <= MEASURED_MAX;
  if (ofBars.length < fields.length) findKept(context, found, others, awaitsPeers);
  const derivation = await deriveOthers(context, tape, found, { derive, awaitsPeers, isCurrent }, signal);

  const measuring = derive === 'no' ? [] : days.filter(({ tradeDate }) => found.unmeasured.has(tradeDate));
  const due = measuring.map(({ tradeDate }) => tradeDate).filter((date) => maySoonBeMeasured(context, date));
  if (due.length > 0) void context.measurePeers(due);
  const underWay = derivation ?? (measuring.length === 0 ? null : { days: measuring, derived: 0 });
  const deriving = new Set([...measuring, ...(derivation?.days ?? [])].map(instantKey));

  const columns = new HistoryColumns(fields, await readScreenCatalogues(context.database, { signal }));
  const states = days.map((day): DateState => {
    const { tradeDate } = day;
    const row = found.rows.get(tradeDate) ?? null;
    columns.add(row);
    if (row === null) return 'no_bar';
    if (found.stored.has(tradeDate)) return 'stored';
    if (!found.missing.has(tradeDate) && !found.unmeasured.has(tradeDate)) return 'derived';
    return deriving.has(instantKey(day)) ? 'deriving' : 'derivable';
  });
  const head = {
    symbol,
    as_of: new Date(asOf).toISOString(),
    source: feed.source,
    simulated: isSimulated(tape),
    from_bars: ofBars.map(({ path }) => path),
    derivation: underWay && {
      dates: underWay.days.length,
      derived: underWay.derived,
      ask_again: addressOf(symbol, fields, page.dates, feed),
    },
    not_derived: derive === 'wait' ? [...found.missing.keys()] : [],
    // Before its first session a stock has no page.
    next_cursor:
      page.next === null || page.next < firstDate(tape) ? null : `${cursor}.${midnightUtc(page.next)}`,
    dates: days.map(({ tradeDate }) => tradeDate),
    states,
  };
  const text = `${JSON.stringify(head).slice(0, -1)},"columns":${columns.text()}}`;
  return { text, isFinal: underWay === null && head.not_derived.length === 0 };
}

/** Derives the newest missing days now, or in the background; returns what the background does for the stock. */
async function deriveOthers(
  context: AppContext,
  tape: SymbolTape,
  found: Findings,
  {
    derive,
    awaitsPeers,
    isCurrent,
  }: { readonly derive: DeriveMode; readonly awaitsPeers: boolean; readonly isCurrent: () => boolean },
  signal: AbortSignal,
): Promise<Derivation | null> {
  const { histories } = context;
  const newest = [...found.missing.values()].slice(-DERIVED_MAX);
  if (newest.length === 0) return null;
  const days = new Map(newest.map((day) => [day.tradeDate, day]));
  const run = (ends: AbortSignal, onDay: (date: string, derived: DerivedRow) => void): Promise<void> =>
    deriveMissing(
      context,
      tape,
      newest,
      { isAwaited: derive === 'wait', awaitsPeers },
      ends,
      (date, derived) => {
        histories.keep(days.get(date)!, derived, isCurrent);
        onDay(date, derived);
      },
    );
  if (derive !== 'wait') {
    const underWay = histories.derivationOf(tape.symbol);
    return underWay ?? (derive === 'no' ? null : histories.begin(tape.symbol, newest, run));
  }
  const patience = AbortSignal.timeout(WAIT_MS);
  await run(AbortSignal.any([signal, patience]), (date, derived) => found.add(date, derived)).catch(
    (error) => {
      if (!patience.aborted) throw error;
    },
  );
  return null;
}

/** Where the same dates are asked for again. */
function addressOf(
  symbol: string,
  fields: readonly ScalarField[],
  dates: readonly string[],
  { asOf }: DataFeed,
): string {
  const then = asOf === undefined ? {} : { as_of: new Date(asOf).toISOString() };
  const names = fields.map(({ path }) => path).join();
  const query = new URLSearchParams({ fields: names, from: dates[0]!, to: dates.at(-1)!, ...then });
  return `/api/graph/v1/stocks/${encodeURIComponent(symbol)}/history?${query}`;
}

/** Stored values by trade date: in columns as of the end of a date, else in rows that stock detail would answer from. */
async function storedDays(
  context: AppContext,
  symbol: string,
  fields: readonly ScalarField[],
  days: readonly HistoryDay[],
  wantsPeers: boolean,
  signal: AbortSignal,
): Promise<Map<string, RowValues | CellsOfDay>> {
  const ended = days.filter(({ isFinal }) => isFinal).map(({ tradeDate }) => tradeDate);
  const found = await storedColumns(context, [symbol], ended, fields, signal);
  const cells = found.get(symbol) ?? new Map<string, CellsOfDay>();
  const others = days.filter(({ tradeDate }) => !cells.has(tradeDate));
  return new Map<string, RowValues | CellsOfDay>([
    ...cells,
    ...((await storedRows(context, others, wantsPeers, signal)).get(symbol) ?? []),
  ]);
}
