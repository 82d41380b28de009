import type { Known } from '../../market/known-bars.ts';
import type { BarColumns, CorporateAction } from '../../market/observations.ts';
import { rowAtOrAfter } from '../../market/series.ts';

/** Old shares that a share of a later day stands for: the product of the splits after a day. */
export const sharesSince = (
  splits: readonly Pick<CorporateAction, 'exDate' | 'value'>[],
  day: number,
): number => splits.reduce((shares, { exDate, value }) => (exDate > day ? shares * value : shares), 1);

/** A row of a file: its time, of a day midnight UTC, and its last price. */
interface Priced {
  readonly time: number;
  readonly close: number;
}

/** Prices nearer than this are those of one day, whatever rounding. */
const NEAR = Math.log(1.005);
/** Further apart than any two vendors. */
const FAR = Math.log(1.05);
const MOST = 0.9;

/** A close of a file, and that of the tape at the same time. */
export type OtherClose = Priced & { readonly known: number };

/** What days that file and tape both have say of the file's prices; null for nothing. */
export function basisBeside(
  rows: readonly Priced[],
  { bars, splits }: Known,
):
  | { readonly basis: 'traded' | 'split-adjusted'; readonly days: number }
  | { readonly contradicts: OtherClose }
  | null {
  const days = rows.flatMap(({ time, close }) => {
    const known = closeAt(bars, time);
    if (known === null || !(close > 0)) return [];
    const split = Math.log(sharesSince(splits, time));
    return [{ time, close, known, apart: Math.log(known / close), split }];
  });
  // Where a split came since, the two readings differ.
  const telling = days.filter(({ split }) => Math.abs(split) > FAR);
  const compared = telling.length > 0 ? telling : days;
  if (compared.length === 0) return null;
  const share = (fits: (day: (typeof days)[number]) => boolean) =>
    compared.filter(fits).length / compared.length;
  if (share(({ apart }) => Math.abs(apart) < NEAR) >= MOST) return { basis: 'traded', days: compared.length };
  if (telling.length > 0 && share(({ apart, split }) => Math.abs(apart - split) < NEAR) >= MOST)
    return { basis: 'split-adjusted', days: compared.length };
  if (share(({ apart }) => Math.abs(apart) > FAR) < 1 - MOST) return null;
  return { contradicts: compared.find(({ apart }) => Math.abs(apart) > FAR)! };
}

/** The share of the rows whose last price is that of the tape's bar of the same time; NaN without one. */
export function shareAgreeing(rows: readonly Priced[], { bars }: Known): number {
  const known = rows.map(({ time }) => closeAt(bars, time));
  const both = known.filter((close) => close !== null).length;
  return rows.filter(({ close }, at) => known[at] === close).length / both;
}

function closeAt({ time, close }: BarColumns, at: number): number | null {
  const row = rowAtOrAfter(time, at);
  return time[row] === at ? close[row]! : null;
}
