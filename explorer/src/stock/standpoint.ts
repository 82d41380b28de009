import type { LiveFeed, MarketContext, Stock } from '../shared/api/queries.ts';
import { dateOf, type Instant, MINUTE_MS } from '../shared/instant.ts';

/** A stock without a bar for so long has no rows that arrive. */
const QUIET_MS = 30 * MINUTE_MS;

/** Where in time a page of a stock stands. */
export interface Standpoint {
  /** The minute of the handle: what was asked for, or the end of the last session before it that the stock has. */
  readonly shownMs: number;
  /** The newest minute that the handle reaches. */
  readonly newestMs: number;
  /** Whether rows arrive and the newest of them are shown. */
  readonly isLive: boolean;
}

/**
 * Where a page stands.
 *
 * @param asOf the minute that was asked for; undefined is the newest
 * @param newestMs the newest minute of the caller
 * @param feed state of the live feed; undefined where the service does not know of one
 * @param stock the answer to `asOf`; undefined until it is there
 */
export function standpointOf(
  asOf: Instant,
  newestMs: number,
  stock: Pick<Stock, 'updated_at'> | undefined,
  market: Pick<MarketContext, 'clock'> | undefined,
  feed?: LiveFeed['state'],
): Standpoint {
  const askedMs = asOf === undefined ? newestMs : Math.min(Date.parse(asOf), newestMs);
  if (stock === undefined) return { shownMs: askedMs, newestMs, isLive: false };
  const endMs = Date.parse(stock.updated_at);
  const isOther = dateOf(endMs) < dateOf(askedMs);
  const phase = market?.clock.phase;
  const close = market?.clock.phases.find((one) => one.phase === 'regular')?.closes_at;
  // After the close a stock without later prints, or of days alone, waits for nothing.
  const hasEnded = phase === 'after_hours' && close !== undefined && endMs <= Date.parse(close);
  return {
    shownMs: isOther ? endMs : askedMs,
    newestMs: isOther && asOf === undefined ? endMs : newestMs,
    isLive:
      asOf === undefined &&
      !isOther &&
      (feed === undefined || feed === 'live') &&
      phase !== undefined &&
      phase !== 'closed' &&
      !hasEnded &&
      newestMs - endMs <= QUIET_MS,
  };
}
