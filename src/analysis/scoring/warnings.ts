import { MINUTE_MS } from '../sessions.ts';

/** Warnings that go with a score, in the order of the interface, then those of the feed; open vocabulary. */
const SCORE_WARNINGS = [
  'intraday_decline_severe',
  'extreme_rsi',
  'circuit_breaker_active',
  'score_stale',
  'conviction_stale',
  'feed_stale',
  'session_partial',
  'session_incomplete',
  'one_exchange',
] as const;
export type ScoreWarning = (typeof SCORE_WARNINGS)[number];

/** Decline of the index that halts the whole market, percent. Source: NYSE Rule 7.12, Level 1. */
export const MARKET_BREAKER_PCT = -7;
/** A price older than this is stale; also the time that a session has to bring its first bars. */
export const STALE_MINUTES = 30;
/** While a session runs, a newest bar older than this says that the feed has stopped. */
export const FEED_STALE_MINUTES = 5;
/** With bars that begin this long after the open, the session is partial. */
export const PARTIAL_MINUTES = 30;

export interface WarningInputs {
  /** Percent; null: not known. */
  readonly intradayReturnPct: number | null;
  readonly indexReturn1dPct: number | null;
  readonly extremeRsi: boolean;
  /** End of the newest bar of any kind, epoch milliseconds; null without one. */
  readonly newestBarEnd: number | null;
  readonly asOf: number;
  readonly session: { readonly open: number; readonly close: number };
  readonly priorSession: { readonly close: number };
  /** Start of the first regular bar of the session, epoch milliseconds; null without one. */
  readonly firstBarStart: number | null;
  /** False for a fragment of a session that is over. */
  readonly intradayWhole: boolean;
  /** Until when a session that is over is known, where the rest is missing; else null. */
  readonly incompleteAfter: number | null;
  /** Whether bars of the session are of one exchange alone. */
  readonly isPart: boolean;
  /** Null: there is no conviction to be stale. */
  readonly convictionFresh: boolean | null;
}

export function scoreWarnings(inputs: WarningInputs): ScoreWarning[] {
  const { intradayReturnPct: moved, indexReturn1dPct: index } = inputs;
  const severe = isSevereDecline(moved) === true;
  const applies: Readonly<Record<ScoreWarning, boolean>> = {
    intraday_decline_severe: severe,
    extreme_rsi: inputs.extremeRsi,
    circuit_breaker_active: severe || (index !== null && index <= MARKET_BREAKER_PCT),
    score_stale: isStale(inputs),
    conviction_stale: inputs.convictionFresh === false,
    feed_stale: isFeedStale(inputs),
    session_partial: isPartial(inputs),
    session_incomplete: inputs.incompleteAfter !== null,
    one_exchange: inputs.isPart,
  };
  return SCORE_WARNINGS.filter((warning) => applies[warning]);
}

/** The warnings of a session, in order, once the market has completed a later one: its scores are of the past. */
export function warningsOfOldSession(warnings: readonly string[]): string[] {
  const all = new Set([...warnings, 'score_stale', 'conviction_stale']);
  const known = SCORE_WARNINGS.filter((warning) => all.delete(warning));
  return [...known, ...all];
}

/** True when the newest bar ended more than 30 minutes before the market last traded. */
function isStale({ newestBarEnd, asOf, session, priorSession }: WarningInputs): boolean {
  if (newestBarEnd === null) return false;
  const slack = STALE_MINUTES * MINUTE_MS;
  const traded = asOf < session.open + slack ? priorSession.close : Math.min(asOf, session.close);
  return newestBarEnd < traded - slack;
}

/** Outside a session no bar is due, and in its first minutes none may have been. */
function isFeedStale({ newestBarEnd, asOf, session }: WarningInputs): boolean {
  const slack = FEED_STALE_MINUTES * MINUTE_MS;
  if (newestBarEnd === null || asOf < session.open + slack || asOf >= session.close) return false;
  return newestBarEnd < asOf - slack;
}

/** True when sums since the open do not cover the session. */
function isPartial({ firstBarStart, intradayWhole, session }: WarningInputs): boolean {
  if (firstBarStart === null) return false;
  return !intradayWhole || firstBarStart > session.open + PARTIAL_MINUTES * MINUTE_MS;
}

/** Return of the day, percent, at or below which scores from the bars of the day before do not apply. */
export const SEVERE_DECLINE_PCT = -5;

/** @param returnPct return of the day so far, percent; null when unknown, and then the answer is null too */
export function isSevereDecline(returnPct: number | null): boolean | null {
  return returnPct === null ? null : returnPct <= SEVERE_DECLINE_PCT;
}
