import { tradeDateHolding } from '../../base/as-of.ts';
import { DAY_MS, requireSession } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import { newYorkClock, tradeDateOf } from '../../base/time-zone.ts';
import type { ChainAnswer, ChainQuestion } from '../../derive/deriver.ts';
import type { ChainRef, SymbolTape } from '../../tape/index.ts';
import { feedKey, visibleInstant } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { inTime } from '../answers/cached-answer.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import { seenTapes, unknownSymbol } from '../answers/seen-tapes.ts';
import { type Answer, entityTag, sealAnswer } from '../context/answer-cache.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';

export interface ChainRequest extends SymbolOnDate {
  readonly question: ChainQuestion;
  /** The answer for a symbol without a chain. */
  unavailable(reason: string): object;
}

/** A newer chain may arrive, or a delayed one become visible, at any minute. */
const RECHECK_MS = 5_000;
/** The newest chain is nearly always within this time. */
const RECENT_MS = 10 * DAY_MS;

const questionKey = (question: ChainQuestion): string => Object.values(question).join();

/**
 * The answer from the newest chain that a viewer may see. It is cached by chain until its symbol changes, and later
 * answers have `cached`.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded, query_timeout
 */
export function chainAnswer(
  context: AppContext,
  request: ChainRequest,
  viewer: Viewer,
): Answer | Promise<Answer> {
  const { answers, clock } = context;
  const { symbol, date, question } = request;
  const key = `chain|${feedKey(viewer)}|${symbol}|${date ?? ''}|${questionKey(question)}`;
  const make = (signal: AbortSignal) => makeAnswer(context, request, key, viewer, signal);
  return (
    answers.get(key, clock.now()) ??
    answers.share(key, symbol, () => inTime(context, `${symbol} was not answered`, make))
  );
}

async function makeAnswer(
  context: AppContext,
  request: ChainRequest,
  key: string,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<Answer> {
  const { symbol, question } = request;
  const isCurrent = context.answers.keptUntil(symbol);
  const now = context.clock.now();
  const put = (name: string, answer: Answer, expires: number): void =>
    context.answers.put(name, symbol, answer, expires, isCurrent);
  const lookup = await findChain(context, request, viewer, visibleInstant(viewer, now), signal);
  if (lookup.chain === null) {
    const nothing = {
      ...request.unavailable(lookup.reason),
      sessions_old: null,
      age_minutes: null,
      simulated: await context.symbolMarkets.isSimulated(symbol),
    };
    const answer = sealed(nothing, { cached: false, computation_ms: 0 });
    put(key, answer, now + RECHECK_MS);
    return answer;
  }
  const snapshot = snapshotKey(lookup, question);
  const kept = context.answers.get(snapshot, now);
  if (kept !== null) {
    // The chain stays and grows older.
    const { cached: _, computation_ms, ...body } = JSON.parse(kept.body.toString());
    const cached = sealed({ ...body, ...lookup.age }, { cached: true, computation_ms });
    put(key, cached, now + RECHECK_MS);
    return cached;
  }
  const { answer, computationMs } = await compute(context, lookup, question, signal);
  const { simulated } = lookup.chain;
  const body = { ...answer, ...staleness(answer, lookup), ...lookup.age, simulated };
  const later = sealed(body, { cached: true, computation_ms: 0 });
  put(snapshot, later, Number.POSITIVE_INFINITY);
  put(key, later, now + RECHECK_MS);
  return sealed(body, { cached: false, computation_ms: Math.round(computationMs * 1000) / 1000 });
}

/** Names the stored rows of the chain: a corrected snapshot lies elsewhere. */
const snapshotKey = (
  { chain: { symbol, takenAt, segmentId, bodyOffset }, chainAt, remark }: FoundChain,
  question: ChainQuestion,
): string =>
  `chain|${symbol}|${takenAt}|${segmentId}.${bodyOffset}|${chainAt}|${questionKey(question)}|${remark ?? ''}`;

/** How an answer was made is no part of what it says, nor of its tag. */
const sealed = (
  value: Readonly<Record<string, unknown>>,
  how: { readonly cached: boolean; readonly computation_ms: number },
): Answer => ({
  ...sealAnswer(JSON.stringify({ ...value, ...how })),
  etag: entityTag(JSON.stringify(value)),
  isWeak: true,
});

/** A chain of an earlier session is said to be one; only the session before is too near to be stale. */
function staleness(answer: Readonly<Record<string, unknown>>, { remark, age }: FoundChain) {
  if (remark === null) return {};
  const { availability, availability_qualifier: qualifier } = answer;
  const isStale = age.sessions_old > 1 && availability !== 'unavailable';
  return {
    availability: isStale ? 'stale' : availability,
    availability_qualifier: `${remark} ${qualifier}`.trimEnd(),
  };
}

interface FoundChain {
  readonly tape: SymbolTape;
  readonly chain: ChainRef;
  /** Contracts that have settled by then are left out. */
  readonly chainAt: number;
  /** Of the chain at the instant of the answer. */
  readonly age: { readonly sessions_old: number; readonly age_minutes: number };
  /** Null for a chain of the answer's session. */
  readonly remark: string | null;
}

/**
 * The chain with a remark where it is old, or the reason why there is none.
 *
 * @param visible newest instant that the viewer may see
 */
async function findChain(
  context: AppContext,
  { symbol, date }: ChainRequest,
  viewer: Viewer,
  visible: number,
  signal: AbortSignal,
) {
  const { calendar } = context;
  const until = date === undefined ? visible : endOfDate(context, date, visible);
  const [known] = await seenTapes(context, [symbol], viewer, { signal });
  const chain = await newestChain(context, symbol, until, signal);
  if (chain === null) {
    const isKnown = known !== undefined || (await newestChain(context, symbol, visible, signal)) !== null;
    if (!isKnown) throw await unknownSymbol(context, symbol, viewer, signal);
    return { chain: null, reason: noChainReason(symbol, date) };
  }
  const session = date ?? tradeDateHolding(calendar, visible);
  const taken = tradeDateHolding(calendar, chain.takenAt);
  const sessions = Math.max(0, calendar.sessionCount(taken, session) - 1);
  const isOld = sessions > 1;
  if (isOld && date !== undefined) return { chain: null, reason: noChainReason(symbol, date, chain.takenAt) };
  const age = { sessions_old: sessions, age_minutes: Math.floor((until - chain.takenAt) / MINUTE_MS) };
  // An old chain speaks for its own instant.
  const chainAt = isOld ? chain.takenAt : lastSettlement(calendar, until);
  return {
    tape: known ?? chainOnlyTape(symbol),
    chain,
    chainAt,
    age,
    remark: ageRemark(chain.takenAt, sessions),
  };
}

/** That a chain is of an earlier session; null for one of the same. */
function ageRemark(takenAt: number, sessions: number): string | null {
  if (sessions === 0) return null;
  const taken = `${tradeDateOf(takenAt)} ${newYorkClock(takenAt)}`;
  return sessions === 1
    ? absence('absent.chain_before', { taken })
    : absence('absent.chain_old', { taken, sessions });
}

function noChainReason(symbol: string, date: string | undefined, newest?: number): string {
  if (date === undefined) return absence('absent.chain', { symbol });
  const lacking = absence('absent.chain_then', { symbol, date });
  if (newest === undefined) return lacking;
  return `${lacking} ${absence('absent.chain_newest', { taken: new Date(newest).toISOString() })}`;
}

/** @throws CodedError no_session, no_data_for_date */
function endOfDate({ calendar }: AppContext, date: string, visible: number): number {
  const session = requireSession(calendar, date);
  if (visible < session.preOpen) {
    throw new CodedError('no_data_for_date', absence('refused.not_yet', { date }));
  }
  return Math.min(visible, session.end);
}

/** The newest open or close by an instant: contracts settle at no other time. */
function lastSettlement(calendar: AppContext['calendar'], instant: number): number {
  const date = calendar.tradeDateOf(instant);
  const today = calendar.session(date);
  if (today !== null && instant >= today.open) return instant >= today.close ? today.close : today.open;
  return calendar.session(calendar.previousSession(date)!)!.close;
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
  { tape: known, chain, chainAt }: FoundChain,
  question: ChainQuestion,
  signal: AbortSignal,
): Promise<ChainAnswer> {
  const { takenAt } = chain;
  const [withFacts] = await tape.withFacts([{ tape: known, from: takenAt, to: takenAt }], { signal });
  const tradeDate = tradeDateHolding(calendar, takenAt);
  return deriver.chain(
    { tape: { ...withFacts!, chains: [chain] }, tradeDate, asOf: takenAt, chainAt, question },
    { signal },
  );
}
