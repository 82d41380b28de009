import type { SessionBounds } from '../base/calendar.ts';
import { type BarColumns, barColumns } from '../market/observations.ts';
import { rowAtOrAfter } from '../market/series.ts';

export type RegularHours = Pick<SessionBounds, 'open' | 'close'>;

/** Bars on either side that are compared. */
const NEIGHBOURS = 5;
/** Bars that suffice to know one side of a price. */
const NEIGHBOURS_MIN = 3;
/** Bars near a price that confirm it. */
const CONFIRMING_MIN = 2;
/** Prices within this factor of one another are near. */
const NEAR = 1.2;
/** Without later bars, a price within this factor of known ones is plausible. */
const PLAUSIBLE = 2;
/** A price so near the old basis of a split is of the old basis. */
const OLD_BASIS = 1.1;

export interface BadPrintContext {
  /** Their bars are left as they are, but for the date of a split. */
  readonly hours: RegularHours;
  /** Close of the session before on the basis of the bars, dollars; NaN without one. */
  readonly reference: number;
  /** New shares for one old of a split on the date itself; 1 without one. */
  readonly splitRatio: number;
}

/**
 * The bars without those of extended hours, and on the date of a split of any hour, whose high or low cannot be a price
 * of the stock: thin trading shows prints of a wrong basis, of another stock, and typing errors. A price is plausible
 * when
 *
 * 1. it is within 20 % of the reference, or two of the five bars on either side closed within 20 % of it, as after a
 * gap;
 * 2. else too few bars follow, or nothing is known before it, and it is within a factor of two of the reference or of a
 * neighbour. On the date of a split it must not be within 10 % of the reference on the old basis;
 * 3. else there is neither a reference nor two neighbours.
 *
 * @param bars one trade date, ascending, final at the instant of the view: which knows no more than was known then
 */
export function withoutBadPrints(bars: BarColumns, context: BadPrintContext) {
  const { hours, splitRatio } = context;
  const isValid = (row: number): boolean => {
    const time = bars.time[row]!;
    if (splitRatio === 1 && time >= hours.open && time < hours.close) return true;
    return (
      isPriceOfStock(bars, row, bars.high[row]!, context) &&
      isPriceOfStock(bars, row, bars.low[row]!, context)
    );
  };
  const rows = bars.time.length;
  let first = 0;
  while (first < rows && isValid(first)) first++;
  if (first === rows) return { bars, excluded: 0 };
  const valid = Array.from({ length: rows }, (_, row) => row).filter((row) => row < first || isValid(row));
  const columns = barColumns((name) => Float64Array.from(valid, (row) => bars[name][row]!));
  return { bars: columns, excluded: rows - valid.length };
}

function isPriceOfStock(
  { close }: BarColumns,
  row: number,
  price: number,
  { reference, splitRatio }: BadPrintContext,
): boolean {
  if (isWithin(price, reference, NEAR)) return true;
  const before = close.subarray(Math.max(0, row - NEIGHBOURS), row);
  const after = close.subarray(row + 1, row + 1 + NEIGHBOURS);
  const neighbours = [...before, ...after];
  if (neighbours.filter((other) => isWithin(price, other, NEAR)).length >= CONFIRMING_MIN) return true;
  const isKnownBefore = before.length >= NEIGHBOURS_MIN || !Number.isNaN(reference);
  if (isKnownBefore && after.length >= NEIGHBOURS_MIN) return false;
  if (splitRatio !== 1 && isWithin(price, reference * splitRatio, OLD_BASIS)) return false;
  if (Number.isNaN(reference) && neighbours.length < CONFIRMING_MIN) return true;
  return [reference, ...neighbours].some((other) => isWithin(price, other, PLAUSIBLE));
}

const isWithin = (price: number, other: number, factor: number): boolean =>
  price <= other * factor && price * factor >= other;

/** Trading of any stock may end so near the close. */
const QUIET_END_MS = 1_800_000;
/** A less probable silence is a stopped feed. */
const RAREST_SILENCE = 1e-6;

/**
 * Where the bars of a session that is over stop before its end, epoch milliseconds; null where they do not, or are
 * none. A stock that seldom trades may rightly end early: with a share `p` of bar slots that have a trade, `n` slots
 * stay empty with probability (1 - p)^n. The feed stopped when the silence up to the close is longer than half an hour
 * and that probability below one in a million; `p` is that of the session so far or of the one before, whichever is
 * smaller.
 *
 * @param before regular bars of the session before, of the same length; null where there are none
 */
export function feedCut(
  bars: BarColumns,
  hours: RegularHours,
  barMs: number,
  before: { readonly bars: BarColumns; readonly hours: RegularHours } | null,
): number | null {
  const today = traded(bars, hours, barMs);
  if (today === null || hours.close - today.end <= QUIET_END_MS) return null;
  const earlier = before === null ? null : traded(before.bars, before.hours, barMs);
  const share = Math.min(today.share, earlier?.share ?? 1);
  const silentSlots = Math.floor((hours.close - today.end) / barMs);
  return silentSlots * Math.log1p(-share) < Math.log(RAREST_SILENCE) ? today.end : null;
}

/** End of the last regular bar, and the share of bar slots from the open to it that traded; null without a bar. */
function traded(bars: BarColumns, { open, close }: RegularHours, barMs: number) {
  const from = rowAtOrAfter(bars.time, open);
  const to = rowAtOrAfter(bars.time, close);
  if (to <= from) return null;
  const end = bars.time[to - 1]! + barMs;
  // One slot more than there were: a stock that has traded in all of them may still pause.
  return { end, share: (to - from) / ((end - open) / barMs + 1) };
}
