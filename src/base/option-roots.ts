import { DAY_MS, dateOf, weekdayOf } from './dates.ts';

/**
 * When a contract settles. Most index options settle at the close; the oldest classes at the open, from the opening prices
 * of the index's stocks, and are worth nothing more than that from then on.
 */
export const SETTLEMENTS = ['open', 'close', 'unknown'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** `monthly`: at the open of the monthly expiration; what a vendor lists under the root for other dates is of a weekly class. */
type Rule = 'open' | 'close' | 'monthly';

/**
 * Roots of index options: the index that each settles on, and when. Fractional indices (`NQX` is a fifth of `NDX`, `XSP` a
 * tenth of `SPX`) have their own level.
 *
 * Source: contract specifications of Cboe (SPX, XSP, RUT, MRUT, DJX, VIX, OEX, XEO, CBTX) and Nasdaq (NDX, NQX, XND).
 */
const ROOTS: ReadonlyMap<string, { readonly index: string; readonly settles: Rule }> = new Map(
  (
    [
      ['SPX', '^SPX', 'monthly'],
      ['SPXW', '^SPX', 'close'],
      ['XSP', '^XSP', 'close'],
      ['XSPW', '^XSP', 'close'],
      ['NDX', '^NDX', 'monthly'],
      ['NDXP', '^NDX', 'close'],
      ['NQX', '^NQX', 'close'],
      ['XND', '^XND', 'close'],
      ['RUT', '^RUT', 'monthly'],
      ['RUTW', '^RUT', 'close'],
      ['MRUT', '^MRUT', 'close'],
      ['DJX', '^DJX', 'monthly'],
      ['DJXW', '^DJX', 'close'],
      ['VIX', '^VIX', 'open'],
      ['VIXW', '^VIX', 'open'],
      ['OEX', '^OEX', 'close'],
      ['XEO', '^XEO', 'close'],
      ['CBTX', '^CBTX', 'close'],
    ] as const
  ).map(([root, index, settles]) => [root, { index, settles }]),
);
const OPTION_INDICES: ReadonlySet<string> = new Set(Array.from(ROOTS.values(), ({ index }) => index));

/** Roots of options on share classes, which have no dot. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['BFB', 'BF.B'],
  ['BRKB', 'BRK.B'],
]);

/** The index that a root of options settles on, or the share class that it delivers; other symbols unchanged. */
export const indexOfRoot = (symbol: string): string =>
  ROOTS.get(symbol)?.index ?? CLASSES.get(symbol) ?? symbol;

/** The class that a symbol names beside its index: `SPXW` is one, `SPX` the index as well; null for none. */
export const classOf = (symbol: string): string | null =>
  ROOTS.has(symbol) && `^${symbol}` !== ROOTS.get(symbol)!.index ? symbol : null;

/** Whether an index has listed options, which settle in cash. */
export const isOptionIndex = (symbol: string): boolean => OPTION_INDICES.has(symbol);

/** When a contract settles whose class nobody names: what is American is of a stock or a fund, and settles at the close. */
export const settlementWithoutClass = ({ underlying, style }: Omit<ContractClass, 'root'>): Settlement =>
  style === 'american' && !underlying.startsWith('^') ? 'close' : 'unknown';

/**
 * When a contract settles, by its root and date; of a European class that is not in the table nothing is known.
 *
 * @param expiration midnight UTC of its date
 * @param isSession whether the exchange holds a session on a date, YYYY-MM-DD
 */
export function settlementOf(
  contract: ContractClass,
  expiration: number,
  isSession: (date: string) => boolean,
): Settlement {
  const { underlying, root } = contract;
  if (settlementWithoutClass(contract) === 'close') return 'close';
  const settlements = new Set<Settlement>();
  for (const [name, { index, settles }] of ROOTS) {
    if (index !== underlying || (root ?? name) !== name) continue;
    if (settles !== 'monthly') settlements.add(settles);
    else settlements.add(isMonthlyExpiration(expiration, isSession) ? 'open' : 'close');
  }
  const [settlement] = settlements;
  return settlement === undefined || settlements.size > 1 ? 'unknown' : settlement;
}

interface ContractClass {
  /** The tape's symbol. */
  readonly underlying: string;
  readonly style: 'american' | 'european';
  /** Null where the source names none: what all classes of the index have in common on that date counts. */
  readonly root: string | null;
}

const [THURSDAY, FRIDAY, SATURDAY] = [4, 5, 6];
/** Days of the month on which the third Friday falls. */
const THIRD_FRIDAY = { from: 15, to: 21 } as const;

/** The third Friday, the Thursday before where that is a holiday, and the Saturday after it to which contracts were written until 2015. */
function isMonthlyExpiration(date: number, isSession: (date: string) => boolean): boolean {
  const weekday = weekdayOf(date);
  if (weekday === THURSDAY) return isThirdFriday(date + DAY_MS) && !isSession(dateOf(date + DAY_MS));
  return isThirdFriday(weekday === SATURDAY ? date - DAY_MS : date);
}

function isThirdFriday(date: number): boolean {
  const day = Number(dateOf(date).slice(-2));
  return weekdayOf(date) === FRIDAY && day >= THIRD_FRIDAY.from && day <= THIRD_FRIDAY.to;
}
