/** Figures of a chain that need no model: what was traded, and what is open. NaN is not stated. */

/** What is counted of contracts, as columns of one length. */
export interface ContractCounts {
  /** Midnight UTC of the expiration's date. */
  readonly expiration: Float64Array;
  /** 1 for a call, -1 for a put. */
  readonly right: Float64Array;
  readonly volume: Float64Array;
  readonly openInterest: Float64Array;
}

/** Each NaN where no contract states it. */
export interface ChainCounts {
  readonly openInterest: number;
  readonly volume: number;
  readonly callVolume: number;
  readonly putVolume: number;
  /** Put volume over call volume; NaN without call volume. */
  readonly putCallRatio: number;
}

export function chainCounts({ right, volume, openInterest }: ContractCounts): ChainCounts {
  const isCall = (row: number): boolean => right[row]! > 0;
  const callVolume = sumOfKnown(volume, isCall);
  const putVolume = sumOfKnown(volume, (row) => !isCall(row));
  return {
    openInterest: sumOfKnown(openInterest, () => true),
    volume: sumOfKnown(volume, () => true),
    callVolume,
    putVolume,
    putCallRatio: callVolume > 0 ? putVolume / callVolume : Number.NaN,
  };
}

function sumOfKnown(counts: Float64Array, isOf: (row: number) => boolean): number {
  let [sum, known] = [0, false];
  for (let row = 0; row < counts.length; row++) {
    const count = counts[row]!;
    if (Number.isNaN(count) || !isOf(row)) continue;
    sum += count;
    known = true;
  }
  return known ? sum : Number.NaN;
}

/** Options of the last days change hands many times over; what is built in them is gone within the week. */
const UNUSUAL_DAYS_MIN = 8;
/** A trade that a single small account would make says nothing of those who know more. */
const UNUSUAL_VOLUME_MIN = 500;
/** So many times the contracts that stood before: somebody opens a position. */
const UNUSUAL_TURNOVER = 2;
/** Share of the volume beyond the last days that such contracts make up. */
const UNUSUAL_SHARE = 0.2;

/**
 * Whether the day's volume is out of line with what was open before it: contracts that live at least eight days more,
 * traded at least 500 times and at least twice their open interest, make up a fifth of the volume of all contracts of
 * that life. Contracts without a stated open interest are not judged.
 *
 * @param today midnight UTC of the date on which the chain was taken
 */
export function unusualActivity(
  { expiration, volume, openInterest }: ContractCounts,
  today: number,
): boolean {
  let [unusual, all] = [0, 0];
  for (let row = 0; row < volume.length; row++) {
    const traded = volume[row]!;
    const isLong = expiration[row]! - today >= UNUSUAL_DAYS_MIN * DAY_MS;
    if (!(traded > 0) || !isLong) continue;
    all += traded;
    if (traded >= UNUSUAL_VOLUME_MIN && traded >= UNUSUAL_TURNOVER * openInterest[row]!) unusual += traded;
  }
  return all > 0 && unusual >= UNUSUAL_SHARE * all;
}

const DAY_MS = 86_400_000;
