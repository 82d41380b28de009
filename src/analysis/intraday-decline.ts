/** A fall on the day of this many percent or more is severe: no score built on yesterday's bars speaks for such a day. */
const SEVERE_DECLINE_PCT = -5;

/** @param returnPct return of the day so far, percent; null: not known, hence not severe and not calm either */
export function isSevereDecline(returnPct: number | null): boolean | null {
  return returnPct === null ? null : returnPct <= SEVERE_DECLINE_PCT;
}
