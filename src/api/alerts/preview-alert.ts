import { type Firing, fold, type Seen } from '../../alerts/judge.ts';
import { alertKind } from '../../alerts/kinds/index.ts';
import { fieldsOf, type Rule, type RuleContent, sentenceOf } from '../../alerts/rule.ts';
import { fieldName } from '../../alerts/words.ts';
import { wholeMinute } from '../../base/as-of.ts';
import { type Calendar, DAY_MS, dayOf, type Session } from '../../base/calendar.ts';
import { callerLeft } from '../../base/caller.ts';
import { chunks } from '../../base/chunks.ts';
import { stopwatch } from '../../base/timers.ts';
import { instantText } from '../../base/wire.ts';
import { type DayMoments, readsMarket } from '../../derive/moments.ts';
import type { MarketView } from '../../market/market-view.ts';
import { isIntraday } from '../../market/series.ts';
import { isSimulated, type SymbolTape } from '../../tape/index.ts';
import { type Caller, visibleInstant } from '../access/viewer.ts';
import { seenTapes } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import { nullReason } from '../stocks/null-reason.ts';
import type { CheckedRule } from './check-rule.ts';
import { FIRINGS_MAX, PREVIEW_SESSIONS } from './schema.ts';

/** Stocks of a list of which a preview judges some sessions. */
const SYMBOLS_JUDGED = 10;
/** Sessions that are derived together; after these no more where time is up. */
const AT_ONCE = 4;
const TIME_MS = 8_000;
/** So many firings of a stock in a session are more than anybody reads. */
const OFTEN_A_SESSION = 30;
/** Calendar days that are sure to hold as many sessions. */
const REACH_DAYS = 45;

export interface Preview {
  readonly asOf: number;
  readonly dates: readonly string[];
  readonly symbols: readonly string[];
  readonly stocks: number;
  readonly firings: readonly Firing[];
  readonly verdict: 'fires' | 'quiet' | 'never' | 'often';
  readonly says: string;
}

/**
 * What a rule would have fired in the newest sessions that its caller sees, by the fold that judges live minutes. Of many
 * stocks some are judged, and fewer sessions; where time is up the newest count.
 *
 * @throws CodedError overloaded
 */
export async function previewAlert(context: AppContext, rule: CheckedRule, caller: Caller): Promise<Preview> {
  const signal = callerLeft();
  const asOf = wholeMinute(visibleInstant(caller, context.clock.now()));
  const { tapes, stocks } = await judgedTapes(context, rule, caller);
  const sessions = Math.max(1, Math.floor(PREVIEW_SESSIONS / Math.max(1, tapes.length)));
  const dates = datesOf(context.calendar, tapes, asOf, sessions);
  const work = { context, content: rule.content, asOf, signal };
  const days = new Map<string, readonly (DayMoments | null)[]>();
  const started = stopwatch();
  for (const part of chunks(dates.toReversed(), AT_ONCE)) {
    const derived = part.map(async (date) => [date, await daysOn(work, tapes, date)] as const);
    for (const [date, own] of await Promise.all(derived)) days.set(date, own);
    if (stopwatch() - started > TIME_MS) break;
  }
  const judged = dates.filter((date) => days.has(date));
  const found = tapes.map((_, at) => judged.flatMap((date) => days.get(date)![at] ?? []));
  const firings = found.flatMap((own) => foldAll(rule.content, own, context.calendar, asOf));
  firings.sort((one, other) => other.at - one.at || (one.symbol < other.symbol ? -1 : 1));
  const outcome = { found: found.flat(), firings, stocks: tapes.length, sessions: judged.length };
  return {
    asOf,
    dates: judged,
    symbols: tapes.map(({ symbol }) => symbol),
    stocks,
    firings,
    ...verdictOf(rule.content, outcome),
  };
}

/** The stocks that are judged: the first of a list, of a market some over the alphabet. */
async function judgedTapes(context: AppContext, { content, simulated, tapes }: CheckedRule, caller: Caller) {
  if (content.symbols !== null && tapes.length > 0)
    return { tapes: tapes.slice(0, SYMBOLS_JUDGED), stocks: tapes.length };
  const all = content.symbols ?? [...(await context.symbolMarkets.symbolsOf(caller, simulated))].sort();
  const step = Math.max(1, Math.floor(all.length / SYMBOLS_JUDGED));
  const some = all.filter((_, at) => at % step === 0).slice(0, SYMBOLS_JUDGED);
  const seen = await seenTapes(context, some, caller);
  return { tapes: seen.filter((tape) => isSimulated(tape) === simulated), stocks: all.length };
}

/** The newest sessions with minutes of any of some stocks, ascending. */
function datesOf(calendar: Calendar, tapes: readonly SymbolTape[], asOf: number, count: number): string[] {
  const today = calendar.tradeDateOf(asOf);
  const first = new Date(asOf - REACH_DAYS * DAY_MS).toISOString().slice(0, 10);
  const hasMinutes = (date: string): boolean =>
    tapes.some(
      ({ slices, running }) =>
        slices.some(({ kind, days }) => isIntraday(kind) && days.includes(dayOf(date))) ||
        (date === today && running.some(({ kind }) => isIntraday(kind))),
    );
  return calendar.sessionsBetween(first, today).filter(hasMinutes).slice(-count);
}

interface Work {
  readonly context: AppContext;
  readonly content: RuleContent;
  readonly asOf: number;
  readonly signal: AbortSignal | undefined;
}

/** The moments of some stocks on a date; null for one without a bar. */
async function daysOn(
  { context, content, asOf, signal }: Work,
  tapes: readonly SymbolTape[],
  tradeDate: string,
): Promise<(DayMoments | null)[]> {
  const { preOpen, postClose } = context.calendar.session(tradeDate)!;
  const until = Math.min(asOf, postClose);
  const fields = fieldsOf(content);
  const told = await context.tape.withFacts(
    tapes.map((tape) => ({ tape, from: preOpen, to: until })),
    signal === undefined ? {} : { signal },
  );
  const markets =
    readsMarket(fields) && tapes.length > 0
      ? await marketsOn(context, isSimulated(tapes[0]!), tradeDate, until, signal)
      : {};
  const { hours } = content;
  return Promise.all(
    told.map((tape) =>
      context.deriver.moments(
        { tape, tradeDate, after: 0, until, hours, fields, markets },
        { isBulk: true, ...(signal !== undefined && { signal }) },
      ),
    ),
  );
}

/** The market at each minute of a date: those of a session that runs are stored. */
async function marketsOn(
  { tape, tapes, calendar, deriver }: AppContext,
  simulated: boolean,
  tradeDate: string,
  until: number,
  signal: AbortSignal | undefined,
): Promise<Record<number, MarketView>> {
  const session = calendar.session(tradeDate)!;
  const options = signal === undefined ? {} : { signal };
  const markets: Record<number, MarketView> = {};
  const unknown: number[] = [];
  const isStored =
    (await tape.ofMarket(simulated).minuteMarket(tradeDate, Math.min(until, session.close), options)) !==
    null;
  for (const at of minutesOf(session, until)) {
    const text = isStored ? await tape.ofMarket(simulated).minuteMarket(tradeDate, at, options) : null;
    if (text === null) unknown.push(at);
    else markets[at] = JSON.parse(text) as MarketView;
  }
  if (unknown.length === 0 || isStored) return markets;
  const days = unknown.map((asOf) => ({ tradeDate, asOf }));
  const walked = await tapes.marketTapes(simulated, [days[0]!], ({ asOf }) => asOf < session.close, options);
  const snapshots = await deriver.market({ tapes: walked, days }, { isBulk: true, ...options });
  for (const [at, { text }] of snapshots.entries()) markets[unknown[at]!] = JSON.parse(text) as MarketView;
  return markets;
}

const MINUTE_MS = 60_000;

function minutesOf({ open, close }: Session, until: number): number[] {
  const count = Math.floor((Math.min(until, close) - open) / MINUTE_MS);
  return Array.from({ length: Math.max(0, count) }, (_, at) => open + (at + 1) * MINUTE_MS);
}

/** Folds a rule over the days of one stock. */
function foldAll(
  content: RuleContent,
  days: readonly DayMoments[],
  calendar: Calendar,
  asOf: number,
): Firing[] {
  const rule: Rule = { ...content, id: '', owner: '', since: 0 };
  let before: Seen | null = null;
  return days.flatMap((day) => {
    const { seen, firings } = fold(rule, before, day, Math.min(asOf, calendar.session(day.tradeDate)!.close));
    before = seen;
    return firings;
  });
}

interface Outcome {
  readonly found: readonly DayMoments[];
  readonly firings: readonly Firing[];
  readonly stocks: number;
  readonly sessions: number;
}

function verdictOf(content: RuleContent, outcome: Outcome): Pick<Preview, 'verdict' | 'says'> {
  const { found, firings, stocks, sessions } = outcome;
  const days = `${sessions} session${sessions === 1 ? '' : 's'}`;
  const where = stocks === 1 ? days : `${days} of ${stocks} stocks`;
  if (found.length === 0)
    return {
      verdict: 'quiet',
      says: 'There are no minutes to judge it by: import some, or wait for a session.',
    };
  const absent = fieldsOf(content).find((path) => found.every((day) => isAbsent(day, path)));
  if (absent !== undefined && content.kind !== 'screen') {
    const reason = nullReason(absent, {}) ?? '';
    const says = `It can never fire: ${fieldName(absent)} was not known in any minute of the last ${where}. ${reason}`;
    return { verdict: 'never', says: says.trim() };
  }
  const unreached = alertKind(content.kind).unreachable?.(content.parameters) ?? null;
  if (unreached !== null) return { verdict: 'never', says: `It can never fire: ${unreached}` };
  const perDay = firings.length / found.length;
  if (perDay >= OFTEN_A_SESSION) {
    const says = `It would have fired ${Math.round(perDay)} times a session: choose once a day, or a value further away.`;
    return { verdict: 'often', says };
  }
  const times = firings.length === 1 ? 'once' : `${firings.length} times`;
  return firings.length === 0
    ? { verdict: 'quiet', says: `It would not have fired in the last ${where}.` }
    : { verdict: 'fires', says: `It would have fired ${times} in the last ${where}.` };
}

function isAbsent({ numbers, texts }: DayMoments, path: string): boolean {
  const column = numbers.get(path);
  return column === undefined
    ? (texts.get(path)?.every((text) => text === null) ?? true)
    : column.every(Number.isNaN);
}

const wireFiring = ({ symbol, tradeDate, at, price, says }: Firing) => ({
  symbol,
  trade_date: tradeDate,
  at: instantText(at),
  price,
  says,
});

export const wirePreview = ({ content }: CheckedRule, preview: Preview) => ({
  sentence: sentenceOf(content),
  as_of: instantText(preview.asOf),
  sessions: preview.dates.length,
  from: preview.dates[0] ?? null,
  to: preview.dates.at(-1) ?? null,
  symbols: preview.symbols,
  stocks: preview.stocks,
  fired: preview.firings.length,
  firings: preview.firings.slice(0, FIRINGS_MAX).map(wireFiring),
  verdict: preview.verdict,
  says: preview.says,
});
