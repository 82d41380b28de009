import { type Firing, fold, type Seen } from '../../alerts/judge.ts';
import { alertKind } from '../../alerts/kinds/index.ts';
import { fieldsOf, type Rule, type RuleContent, sentenceOf } from '../../alerts/rule.ts';
import { fieldName } from '../../alerts/words.ts';
import { marketInstant, wholeMinute } from '../../base/as-of.ts';
import { type Calendar, DAY_MS, dayOf } from '../../base/calendar.ts';
import { callerLeft } from '../../base/caller.ts';
import { chunks } from '../../base/chunks.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { stopwatch } from '../../base/timers.ts';
import { instantText } from '../../base/wire.ts';
import { type DayMoments, type Hours, readsMarket } from '../../derive/moments.ts';
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

/**
 * What a rule would have fired in the newest sessions that its caller sees, by the fold that judges live minutes. Of many
 * stocks some are judged, and fewer sessions; where time is up the newest count.
 *
 * @throws CodedError overloaded
 */
export async function previewAlert(context: AppContext, rule: CheckedRule, caller: Caller) {
  const { calendar, clock } = context;
  const { content } = rule;
  const asOf = wholeMinute(visibleInstant(caller, clock.now()));
  const { tapes, stocks } = await judgedTapes(context, rule, caller);
  const sessions = Math.max(1, Math.floor(PREVIEW_SESSIONS / Math.max(1, tapes.length)));
  const dates = datesOf(calendar, tapes, asOf, sessions);
  const days = new Map<string, readonly (DayMoments | null)[]>();
  const started = stopwatch();
  for (const part of chunks(dates.toReversed(), AT_ONCE)) {
    const own = await Promise.all(part.map((date) => daysOn(context, content, tapes, date, asOf)));
    for (const [at, date] of part.entries()) days.set(date, own[at]!);
    if (stopwatch() - started > TIME_MS) break;
  }
  const judged = dates.filter((date) => days.has(date));
  const found = tapes.map((_, at) => judged.flatMap((date) => days.get(date)![at] ?? []));
  const firings = found.flatMap((own) => foldAll(content, own, calendar, asOf));
  firings.sort((one, other) => other.at - one.at || (one.symbol < other.symbol ? -1 : 1));
  return {
    sentence: sentenceOf(content),
    as_of: instantText(asOf),
    sessions: judged.length,
    from: judged[0] ?? null,
    to: judged.at(-1) ?? null,
    symbols: tapes.map(({ symbol }) => symbol),
    stocks,
    fired: firings.length,
    firings: firings.slice(0, FIRINGS_MAX).map(({ symbol, tradeDate, at, price, says }) => ({
      symbol,
      trade_date: tradeDate,
      at: instantText(at),
      price,
      says,
    })),
    ...verdictOf(content, found.flat(), firings.length, [judged.length, tapes.length]),
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

/** The moments of some stocks on a date; null for one without a bar. */
async function daysOn(
  context: AppContext,
  content: RuleContent,
  tapes: readonly SymbolTape[],
  tradeDate: string,
  asOf: number,
): Promise<(DayMoments | null)[]> {
  const { preOpen, postClose } = context.calendar.session(tradeDate)!;
  const { hours } = content;
  const until = Math.min(asOf, postClose);
  const fields = fieldsOf(content);
  const signal = callerLeft();
  const told = await context.tape.withFacts(
    tapes.map((tape) => ({ tape, from: preOpen, to: until })),
    { signal },
  );
  const markets =
    readsMarket(fields) && tapes.length > 0
      ? await marketsOn(context, isSimulated(tapes[0]!), tradeDate, hours, until)
      : {};
  return Promise.all(
    told.map((tape) =>
      context.deriver.moments(
        { tape, tradeDate, after: 0, until, hours, fields, markets },
        { isBulk: true, ...(signal && { signal }) },
      ),
    ),
  );
}

/** The market at each minute of some hours of a date: those of a session that runs are stored. */
async function marketsOn(
  { tape, tapes, calendar, deriver }: AppContext,
  simulated: boolean,
  tradeDate: string,
  hours: Hours,
  until: number,
): Promise<Record<number, MarketView>> {
  const session = calendar.session(tradeDate)!;
  const from = hours === 'all' ? session.preOpen : session.open;
  const last = hours === 'all' ? until : Math.min(until, session.close);
  const count = Math.max(0, Math.floor((last - from) / MINUTE_MS));
  const minutes = Array.from({ length: count }, (_, at) => from + (at + 1) * MINUTE_MS);
  const instants = [...new Set(minutes.map((minute) => marketInstant(session, minute)))];
  if (instants.length === 0) return {};
  const signal = callerLeft();
  const options = { ...(signal && { signal }) };
  const stored = (asOf: number) => tape.ofMarket(simulated).minuteMarket(tradeDate, asOf, options);
  const known: [at: number, market: MarketView][] = [];
  const add = (at: number, text: string | null): void => {
    if (text !== null) known.push([at, JSON.parse(text) as MarketView]);
  };
  if ((await stored(instants.at(-1)!)) !== null) {
    for (const asOf of instants) add(asOf, await stored(asOf));
  } else {
    const days = instants.map((asOf) => ({ tradeDate, asOf }));
    const walked = await tapes.marketTapes(
      simulated,
      [days[0]!],
      ({ asOf }) => asOf < session.close,
      options,
    );
    const snapshots = await deriver.market({ tapes: walked, days }, { isBulk: true, ...options });
    for (const [at, { text }] of snapshots.entries()) add(instants[at]!, text);
  }
  const markets = new Map(known);
  return Object.fromEntries(
    minutes.flatMap((minute) => {
      const market = markets.get(marketInstant(session, minute));
      return market === undefined ? [] : [[minute, market]];
    }),
  );
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

type Verdict = 'fires' | 'quiet' | 'never' | 'often';
const verdict = (word: Verdict, says: string): { verdict: Verdict; says: string } => ({
  verdict: word,
  says,
});

function verdictOf(
  content: RuleContent,
  found: readonly DayMoments[],
  fired: number,
  [sessions, stocks]: readonly [sessions: number, stocks: number],
) {
  const days = `${sessions} session${sessions === 1 ? '' : 's'}`;
  const where = stocks === 1 ? days : `${days} of ${stocks} stocks`;
  if (found.length === 0)
    return verdict('quiet', 'There are no minutes to judge it by: import some, or wait for a session.');
  const absent = fieldsOf(content).find((path) => found.every((day) => isAbsent(day, path)));
  if (absent !== undefined && content.kind !== 'screen') {
    const says = `It can never fire: ${fieldName(absent)} was not known in any minute of the last ${where}. ${nullReason(absent, {}) ?? ''}`;
    return verdict('never', says.trim());
  }
  const unreached = alertKind(content.kind).unreachable?.(content.parameters) ?? null;
  if (unreached !== null) return verdict('never', `It can never fire: ${unreached}`);
  const perDay = Math.round(fired / found.length);
  if (fired >= OFTEN_A_SESSION * found.length)
    return verdict(
      'often',
      `It would have fired ${perDay} times a session: choose once a day, or a value further away.`,
    );
  const times = fired === 1 ? 'once' : `${fired} times`;
  return fired === 0
    ? verdict('quiet', `It would not have fired in the last ${where}.`)
    : verdict('fires', `It would have fired ${times} in the last ${where}.`);
}

function isAbsent({ numbers, texts }: DayMoments, path: string): boolean {
  const column = numbers.get(path);
  return column === undefined
    ? (texts.get(path)?.every((text) => text === null) ?? true)
    : column.every(Number.isNaN);
}
