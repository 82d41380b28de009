import { MINUTE_MS } from '../sessions.ts';

/** Warnings that go with a score; open vocabulary of the interface. */
export type ScoreWarning =
  | 'intraday_decline_severe'
  | 'extreme_rsi'
  | 'circuit_breaker_active'
  | 'score_stale'
  | 'conviction_stale'
  | 'feed_stale'
  | 'session_partial'
  | 'session_incomplete';

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
  /** Null: there is no conviction to be stale. */
  readonly convictionFresh: boolean | null;
}

/** In the order of the interface, then those of the feed. */
export function scoreWarnings(inputs: WarningInputs): ScoreWarning[] {
  const { intradayReturnPct: moved, indexReturn1dPct: index } = inputs;
  const severe = isSevereDecline(moved) === true;
  const found: (ScoreWarning | false)[] = [
    severe && 'intraday_decline_severe',
    inputs.extremeRsi && 'extreme_rsi',
    (severe || (index !== null && index <= MARKET_BREAKER_PCT)) && 'circuit_breaker_active',
    isStale(inputs) && 'score_stale',
    inputs.convictionFresh === false && 'conviction_stale',
    isFeedStale(inputs) && 'feed_stale',
    isPartial(inputs) && 'session_partial',
    inputs.incompleteAfter !== null && 'session_incomplete',
  ];
  return found.filter((warning) => warning !== false);
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
