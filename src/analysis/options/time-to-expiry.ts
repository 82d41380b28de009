/** A year of calendar time as volatilities are quoted: 365 days, in milliseconds. */
export const YEAR_MS = 365 * 86_400_000;

/**
 * The shortest time that counts, 30 minutes. Gamma at the money grows without bound as time runs out, while the quotes
 * of a chain are up to a quarter of an hour old and are made in whole cents: below this the figures would be noise.
 */
export const LEAST_MS = 30 * 60_000;

/** What is needed of a calendar: the sessions by New York date, YYYY-MM-DD. */
export interface SessionCloses {
  session(date: string): { readonly close: number } | null;
  previousSession(date: string): string | null;
}

/**
 * The instant at which contracts of an expiration end: the close of its session, 16:00 New York or 13:00 on a half
 * day. An expiration that is no session (Good Friday; the Saturdays on which monthlies expired until 2015) ends at the
 * close of the session before.
 *
 * @param expiration New York date, YYYY-MM-DD
 * @returns epoch milliseconds; NaN for what is no date, or lies outside the calendar
 */
export function expiryInstant(expiration: string, calendar: SessionCloses): number {
  const own = calendar.session(expiration);
  if (own !== null) return own.close;
  const before = calendar.previousSession(expiration);
  return before === null ? Number.NaN : (calendar.session(before)?.close ?? Number.NaN);
}

/**
 * Calendar time from the instant of the quotes to the end of the contracts, in years of 365 days; never less than 30
 * minutes while the contracts live.
 *
 * @param asOf epoch milliseconds at which the quotes stood; for a chain taken after the close, that close
 * @param expiry epoch milliseconds, see `expiryInstant`
 * @returns NaN at the expiry and after it, and for an instant that is not finite
 */
export function yearsToExpiry(asOf: number, expiry: number): number {
  const left = expiry - asOf;
  return left > 0 && left < Number.POSITIVE_INFINITY ? Math.max(left, LEAST_MS) / YEAR_MS : Number.NaN;
}
