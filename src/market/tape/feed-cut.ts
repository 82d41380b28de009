import type { BarColumns } from '../observations.ts';
import { rowAtOrAfter } from './series.ts';

/** Trading that ends so near the close is usual for every stock. */
const QUIET_END_MS = 1_800_000;
/** A silence that a stock keeps less often than this is not its own: its feed stopped. */
const RAREST_SILENCE = 1e-6;

/** Regular hours, epoch milliseconds. */
interface Hours {
  readonly open: number;
  readonly close: number;
}

/**
 * Where the bars of a session that is over stop before its end, epoch milliseconds; null where they do not, and where
 * there are none.
 *
 * A stock that seldom trades may rightly end early, so the silence up to the close is held against how often the stock
 * trades: with a share `p` of bar slots that have a trade, `n` slots stay empty with probability (1 - p)^n. The feed
 * stopped when the silence is longer than half an hour and that probability is below one in a million. `p` is that of
 * the session so far or of the session before it, whichever is smaller.
 *
 * @param before regular bars of the session before, of the same length; null where there are none
 */
export function feedCut(
  bars: BarColumns,
  hours: Hours,
  barMs: number,
  before: { readonly bars: BarColumns; readonly hours: Hours } | null,
): number | null {
  const today = traded(bars, hours, barMs);
  if (today === null || hours.close - today.end <= QUIET_END_MS) return null;
  const earlier = before === null ? null : traded(before.bars, before.hours, barMs);
  const share = Math.min(today.share, earlier?.share ?? 1);
  const silentSlots = Math.floor((hours.close - today.end) / barMs);
  return silentSlots * Math.log1p(-share) < Math.log(RAREST_SILENCE) ? today.end : null;
}

/** End of the last regular bar, and the share of bar slots from the open to it that traded; null without a bar. */
function traded(
  bars: BarColumns,
  { open, close }: Hours,
  barMs: number,
): { readonly end: number; readonly share: number } | null {
  const from = rowAtOrAfter(bars.time, open);
  const to = rowAtOrAfter(bars.time, close);
  if (to <= from) return null;
  const end = bars.time[to - 1]! + barMs;
  // One slot more than there were: a stock that has traded in all of them may still pause.
  return { end, share: (to - from) / ((end - open) / barMs + 1) };
}
