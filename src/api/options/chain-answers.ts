import { inTime } from '../stocks/cached-answer.ts';
import { DAY_MS, requireSession } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import type { ChainAnswer, ChainQuestion } from '../../derive/deriver.ts';
import type { ChainRef, SymbolTape } from '../../market/tape/index.ts';
import { type Answer, sealAnswer } from '../stocks/answer-cache.ts';
import { seenTapes } from '../stocks/seen-tapes.ts';
import { unknownSymbol } from '../stocks/unknown-symbol.ts';
import type { Viewer, AppContext } from '../app-context.ts';

/** Answers about option chains: which chain is meant, what is kept, and what is said when there is none. */

export interface ChainAsk {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD; absent for the newest chain. */
  readonly date?: string | undefined;
  readonly question: ChainQuestion;
}

/** How an endpoint words what the evaluator does not say. */
export interface ChainWords {
  /** The answer for a symbol without a chain that could be asked. */
  readonly unavailable: (symbol: string, reason: string) => Readonly<Record<string, unknown>>;
}

/** A newer chain may come, and a delayed one become old enough to be seen, at any minute. */
const RECHECK_MS = 5_000;
/** Where the newest chain nearly always is. */
const RECENT_MS = 10 * DAY_MS;

const questionKey = (question: ChainQuestion): string => Object.values(question).join();

const askKey = ({ symbol, date, question }: ChainAsk, viewer: Viewer): string =>
  `chain|${viewer.source}|${symbol}|${date ?? ''}|${questionKey(question)}`;

/** The ready answer, or null when a chain has to be looked for. */
export function peekChainAnswer(context: AppContext, ask: ChainAsk, viewer: Viewer): Answer | null {
  return context.answers.get(askKey(ask, viewer), context.clock.now());
}

/**
 * The answer to a question about the newest chain that a viewer may see. What was computed from a snapshot is kept for
 * as long as nothing changes of its symbol, and served as `cached` from then on.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function chainAnswer(
  context: AppContext,
  ask: ChainAsk,
  viewer: Viewer,
  words: ChainWords,
): Promise<Answer> {
  return context.answers.share(askKey(ask, viewer), ask.symbol, () =>
    inTime(context, `${ask.symbol} was not answered`, (signal) =>
      makeAnswer(context, ask, viewer, words, signal),
    ),
  );
}

async function makeAnswer(
  context: AppContext,
  ask: ChainAsk,
  viewer: Viewer,
  words: ChainWords,
  signal: AbortSignal,
): Promise<Answer> {
  const { symbol, question } = ask;
  const generation = context.answers.generation;
  const now = context.clock.now();
  const keep = (key: string, answer: Answer, expires: number): void =>
    context.answers.put(key, symbol, answer, expires, generation);
  const found = await findChain(context, ask, viewer, now - viewer.delayMs, signal);
  if (found.chain === null) {
    const answer = sealed({ ...words.unavailable(symbol, found.reason), cached: false, computation_ms: 0 });
    keep(askKey(ask, viewer), answer, now + RECHECK_MS);
    return answer;
  }
  const snapshot = snapshotKey(found.chain, question, found.remark);
  const kept = context.answers.get(snapshot, now);
  if (kept !== null) {
    keep(askKey(ask, viewer), kept, now + RECHECK_MS);
    return kept;
  }
  const { answer, computationMs } = await compute(context, found.tape, found.chain, question, signal);
  const told = { ...answer, ...staleness(answer, found.remark) };
  const again = sealed({ ...told, cached: true, computation_ms: 0 });
  keep(snapshot, again, Number.POSITIVE_INFINITY);
  keep(askKey(ask, viewer), again, now + RECHECK_MS);
  return sealed({ ...told, cached: false, computation_ms: Math.round(computationMs * 1000) / 1000 });
}

/** Names the very rows that the answer was computed from: a corrected snapshot lies elsewhere. */
const snapshotKey = (
  { symbol, takenAt, segmentId, bodyOffset }: ChainRef,
  question: ChainQuestion,
  remark: string | null,
): string => `chain|${symbol}|${takenAt}|${segmentId}.${bodyOffset}|${questionKey(question)}|${remark ?? ''}`;

const sealed = (value: Readonly<Record<string, unknown>>): Answer => sealAnswer(JSON.stringify(value));

/** An old chain is not now, however whole its figures are. */
function staleness(answer: Readonly<Record<string, unknown>>, remark: string | null) {
  if (remark === null) return {};
  const { availability, availability_qualifier: qualifier } = answer;
  return {
    availability: availability === 'unavailable' ? availability : 'stale',
    availability_qualifier: `${remark} ${qualifier}`,
  };
}

interface FoundChain {
  readonly tape: SymbolTape;
  readonly chain: ChainRef;
  /** That it is older than was asked for; null when it is not. */
  readonly remark: string | null;
}

interface NoChain {
  readonly chain: null;
  readonly reason: string;
}

/** @param visible the newest instant that the viewer may see */
async function findChain(
  context: AppContext,
  { symbol, date }: ChainAsk,
  viewer: Viewer,
  visible: number,
  signal: AbortSignal,
): Promise<FoundChain | NoChain> {
  const { calendar } = context;
  const until = date === undefined ? visible : endOfDate(context, date, visible);
  const [known] = await seenTapes(context, [symbol], viewer, { signal });
  const chain = await newestChain(context, symbol, until, signal);
  if (chain === null) {
    const isKnown = known !== undefined || (await hasChain(context, symbol, visible, signal));
    if (!isKnown) throw await unknownSymbol(context, symbol, visible, signal);
    return { chain: null, reason: noChainReason(symbol, date) };
  }
  const asked = date ?? sessionBegun(calendar, visible, 'preOpen');
  const before = calendar.previousSession(asked);
  const taken = sessionBegun(calendar, chain.takenAt, 'preOpen');
  const isOld = before !== null && taken < before;
  if (isOld && date !== undefined) return { chain: null, reason: noChainReason(symbol, date, chain.takenAt) };
  const remark = isOld
    ? `The newest chain is of ${taken}, ${calendar.sessionCount(taken, asked) - 1} sessions ago.`
    : null;
  return { tape: known ?? chainOnlyTape(symbol), chain, remark };
}

function noChainReason(symbol: string, date: string | undefined, newest?: number): string {
  if (date === undefined) return `No option chain of ${symbol} is known that may be shown.`;
  const hint =
    newest === undefined ? '' : ` The newest before it was taken at ${new Date(newest).toISOString()}.`;
  return `No option chain of ${symbol} was taken on ${date} or on the session before it.${hint}`;
}

/** @throws CodedError no_session, no_data_for_date */
function endOfDate({ calendar }: AppContext, date: string, visible: number): number {
  const session = requireSession(calendar, date);
  if (visible < session.preOpen) {
    throw new CodedError('no_data_for_date', `The session of ${date} has not begun for this viewer`);
  }
  const next = calendar.nextSession(date);
  return next === null ? visible : Math.min(visible, calendar.session(next)!.preOpen - 1);
}

/** Trade date of the last session whose pre-market, or whose regular hours, had begun at an instant. */
function sessionBegun(calendar: AppContext['calendar'], instant: number, phase: 'preOpen' | 'open'): string {
  const date = calendar.tradeDateOf(instant);
  const session = calendar.session(date);
  return session !== null && instant >= session[phase] ? date : calendar.previousSession(date)!;
}

async function newestChain(
  { tape }: AppContext,
  symbol: string,
  until: number,
  signal: AbortSignal,
): Promise<ChainRef | null> {
  const recent = await tape.chainsOf(symbol, { from: until - RECENT_MS, to: until }, { signal });
  if (recent.length > 0) return recent.at(-1)!;
  return (await tape.chainsOf(symbol, { from: 0, to: until }, { signal })).at(-1) ?? null;
}

async function hasChain(
  { tape }: AppContext,
  symbol: string,
  visible: number,
  signal: AbortSignal,
): Promise<boolean> {
  return (await tape.chainsOf(symbol, { from: 0, to: visible }, { signal })).length > 0;
}

/** A symbol of which nothing but chains is on the tape. */
const chainOnlyTape = (symbol: string): SymbolTape => ({
  symbol,
  slices: [],
  running: [],
  actions: [],
  facts: [],
  chains: [],
});

async function compute(
  { tape, calendar, deriver }: AppContext,
  known: SymbolTape,
  chain: ChainRef,
  question: ChainQuestion,
  signal: AbortSignal,
): Promise<ChainAnswer> {
  const { takenAt } = chain;
  const [withFacts] = await tape.withFacts([{ tape: known, from: takenAt, to: takenAt }], { signal });
  // Quotes stand until the next regular hours begin.
  const tradeDate = sessionBegun(calendar, takenAt, 'open');
  return deriver.chain(
    { tape: { ...withFacts!, chains: [chain] }, tradeDate, asOf: takenAt, question },
    { signal },
  );
}
