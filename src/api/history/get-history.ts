import { asOfInstant, wholeMinute } from '../../base/as-of.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { MINUTE_MS, parseInstant } from '../../base/dates.ts';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { PEERS_UNMEASURED } from '../../blocks/peer-divergence-v1.ts';
import { SCALAR_FIELDS, type ScalarField, scalarField } from '../../derive/scalar-fields.ts';
import { readScreenHistory } from '../../graph/screen-history.ts';
import { readScreenCatalogues } from '../../graph/screen-rows.ts';
import { oldestDay, type SymbolTape } from '../../market/tape/index.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import { cachedAnswer } from '../answers/cached-answer.ts';
import { type Day, STALE_AFTER_MS, type SymbolOnDate } from '../answers/load-stock.ts';
import { needsPeers } from '../answers/peers-in-time.ts';
import { queryRefusal, reversedRange, unknownWord } from '../answers/refusals.ts';
import { seenTape } from '../answers/seen-tapes.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import { deriveMissing } from './derive-missing.ts';
import { HistoryColumns, type RowValues } from './history-columns.ts';

export interface HistoryRequest extends Pick<SymbolOnDate, 'symbol'> {
  /** Paths of scalar fields with commas between them. */
  readonly fields: string;
  /** Dates or RFC 3339 instants. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly derive: boolean;
}

type DateState = 'stored' | 'derived' | 'derivable' | 'no_bar';

const FIELDS_MAX = 50;
const SESSIONS_MAX = 5_200;
const DERIVED_MAX = 260;
const DEFAULT_SESSIONS = 260;
/** Answers are kept by their instant, which is over after a minute. */
const KEPT_MS = MINUTE_MS;

/**
 * Scalar fields of a stock over trade dates, each value the one of stock detail for its date.
 *
 * @throws ValidationRefusal for unknown fields, a range from later to earlier or too long, too many dates to derive
 * @throws CodedError unknown_symbol, no_data_for_date, overloaded, query_timeout
 */
export function getHistory(
  context: AppContext,
  request: HistoryRequest,
  feed: DataFeed,
): Promise<Answer> | Answer {
  const { symbol } = request;
  const fields = fieldsOf(request.fields);
  const asOf = wholeMinute(visibleInstant(feed, context.clock.now()));
  const dates = datesOf(context, request, asOf);
  const names = fields.map(({ path }) => path).join();
  const key = `history|${feed.source}|${symbol}|${asOf}|${dates[0]}|${dates.at(-1)}|${request.derive}|${names}`;
  return cachedAnswer(context, {
    key,
    symbol,
    late: `${symbol} was not answered`,
    async make(signal) {
      const tape = await seenTape(context, symbol, feed, signal);
      const days = daysOf(context, tape, dates, asOf);
      const { history, isFinal } = await historyOf(context, tape, days, request.derive, fields, signal);
      const head = { symbol, as_of: new Date(asOf).toISOString(), source: feed.source };
      const text = `${JSON.stringify(head).slice(0, -1)},${history}}`;
      return { text, expires: isFinal ? context.clock.now() + KEPT_MS : null };
    },
  });
}

/** @throws ValidationRefusal for names that are no scalar field, and too many */
function fieldsOf(list: string): ScalarField[] {
  const paths = [...new Set(list.split(',').map((path) => path.trim()))].filter((path) => path !== '');
  if (paths.length === 0 || paths.length > FIELDS_MAX) {
    const msg = `List should have 1 to ${FIELDS_MAX} fields, not ${paths.length}`;
    throw queryRefusal('fields', list, msg, { error: msg, max_length: FIELDS_MAX });
  }
  const unknown = paths.filter((path) => scalarField(path) === null);
  if (unknown.length > 0) throw new ValidationRefusal(unknown.map(unknownField));
  return paths.map((path) => scalarField(path)!);
}

const FIELD_PATHS = SCALAR_FIELDS.map(({ path }) => path);

const unknownField = (path: string): ValidationFault =>
  unknownWord('fields', path, FIELD_PATHS, `No field is called '${path}'`, {
    hint: '/api/graph/v1/screener/fields lists them all',
  });

/** The sessions of a range that have begun at an instant, ascending. */
function datesOf({ calendar }: AppContext, { from, to }: HistoryRequest, asOf: number): string[] {
  const dayOf = (text: string): string => {
    const instant = parseInstant(text);
    return instant === null ? text : calendar.tradeDateOf(instant);
  };
  const newest = calendar.tradeDateOf(asOf);
  const end = to === undefined ? newest : dayOf(to);
  const last = end < newest ? end : newest;
  if (from !== undefined && to !== undefined && dayOf(from) > end) throw reversedRange(from, to);
  // Twice as many calendar days are sure to hold that many sessions.
  const reach = dateOf(midnightUtc(last) - 2 * DEFAULT_SESSIONS * DAY_MS);
  const dates = calendar
    .sessionsBetween(from === undefined ? reach : dayOf(from), last)
    .filter((date) => calendar.session(date)!.preOpen <= asOf);
  if (from === undefined) return dates.slice(-DEFAULT_SESSIONS);
  if (dates.length > SESSIONS_MAX) {
    const msg = `Range should be at most ${SESSIONS_MAX} sessions; ask for it in parts`;
    throw queryRefusal('from', from, msg, { error: msg, max_sessions: SESSIONS_MAX });
  }
  return dates;
}

/** The dates from the first session of the stock on, each with the instant that its answer speaks for. */
function daysOf({ calendar }: AppContext, tape: SymbolTape, dates: readonly string[], asOf: number): Day[] {
  const first = dateOf(oldestDay(tape)! * DAY_MS);
  return dates
    .filter((tradeDate) => tradeDate >= first)
    .map((tradeDate) => ({ tradeDate, asOf: asOfInstant(calendar.session(tradeDate)!, asOf)! }));
}

/** Members of the answer as JSON text; it is final unless a day that was to be derived was not reached. */
async function historyOf(
  context: AppContext,
  tape: SymbolTape,
  days: readonly Day[],
  derive: boolean,
  fields: readonly ScalarField[],
  signal: AbortSignal,
): Promise<{ readonly history: string; readonly isFinal: boolean }> {
  const isCompared = needsPeers(fields.map(({ path }) => path));
  const stored = await storedRows(context, tape.symbol, days, isCompared, signal);
  const others = days.filter(({ tradeDate }) => !stored.has(tradeDate));
  if (derive && others.length > DERIVED_MAX) throw tooMany(others.length);
  const derived = derive
    ? await deriveMissing(context, tape, others, isCompared)
    : new Map<string, RowValues | null>();
  const columns = new HistoryColumns(fields, await readScreenCatalogues(context.database, { signal }));
  const states = days.map(({ tradeDate }): DateState => {
    columns.add(stored.get(tradeDate) ?? derived.get(tradeDate) ?? null);
    if (stored.has(tradeDate)) return 'stored';
    if (!derived.has(tradeDate)) return 'derivable';
    return derived.get(tradeDate) === null ? 'no_bar' : 'derived';
  });
  const dates = days.map(({ tradeDate }) => tradeDate);
  const notDerived = derive ? dates.filter((_, at) => states[at] === 'derivable') : [];
  const tail = JSON.stringify({ not_derived: notDerived, dates, states }).slice(1, -1);
  return { history: `${tail},"columns":${columns.text()}`, isFinal: notDerived.length === 0 };
}

/** Rows that stock detail would answer from, by trade date: as of their instant or up to a minute before it. */
async function storedRows(
  { database }: AppContext,
  symbol: string,
  days: readonly Day[],
  isCompared: boolean,
  signal: AbortSignal,
): Promise<Map<string, RowValues>> {
  const instants = new Map(days.map(({ tradeDate, asOf }) => [tradeDate, asOf]));
  const rows = await readScreenHistory(database, symbol, [...instants.keys()], { signal });
  const usable = rows.filter(({ tradeDate, asOf, texts }) => {
    if (isCompared && texts.includes(PEERS_UNMEASURED)) return false;
    const age = instants.get(tradeDate)! - asOf;
    return age >= 0 && age < STALE_AFTER_MS;
  });
  return new Map(usable.map((row) => [row.tradeDate, row]));
}

function tooMany(count: number): ValidationRefusal {
  const msg = `${count} dates of the range are not stored; at most ${DERIVED_MAX} are derived at a time`;
  return queryRefusal('derive', 'true', msg, { error: msg, max_dates: DERIVED_MAX });
}
