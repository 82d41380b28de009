import type { StoredFiring } from '../../alerts/store.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { instantText } from '../../base/wire.ts';
import type { SeenSession } from './review-stock.ts';
import type { Review } from './schema.ts';

/** What follows an alert is looked at for so long. */
const AFTER_MS = 30 * MINUTE_MS;

/** Alerts that fired in a session, oldest first, each with what followed: from minutes that are over by an instant alone. */
export const reviewAlerts = (
  firings: readonly StoredFiring[],
  seen: ReadonlyMap<string, SeenSession>,
  asOf: number,
): Review['alerts'] =>
  firings
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ symbol, says, at, price }) => ({
      symbol,
      says,
      fired_at: instantText(at.getTime()),
      price,
      after_30m_pct: price === null ? null : changeAfter(seen.get(symbol), at.getTime(), price, asOf),
    }));

/** Null until the 30 minutes are over, and where the regular session ends before or has no bar in them. */
function changeAfter(
  session: SeenSession | undefined,
  firedAt: number,
  price: number,
  asOf: number,
): number | null {
  const until = firedAt + AFTER_MS;
  if (session?.bars == null || until > asOf) return null;
  const { open, bars } = session;
  const endOf = (row: number): number => open + (bars.minute[row]! + 1) * MINUTE_MS;
  const row = bars.minute.findLastIndex((_, at) => endOf(at) <= until);
  // A session that was over before is none of what followed.
  return row < 0 ||
    endOf(row) <= firedAt ||
    (row === bars.minute.length - 1 && session.isOver && endOf(row) < until)
    ? null
    : (bars.close[row]! / price - 1) * 100;
}
