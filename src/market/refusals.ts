import { printable } from '../base/printable.ts';
import { FLOW_SUMS } from './observations.ts';

/** Why a row or a file is refused. The sentence is what an importing user reads beside the count. */
export const REFUSALS = {
  not_a_number: 'a field that must be a number is not one',
  not_finite: 'a value is not finite',
  price_not_positive: 'a price is zero or negative',
  volume_negative: 'a volume or size is negative',
  out_of_bounds: 'a price or volume is beyond what any market has seen',
  high_below_low: 'the high lies under the low',
  price_outside_range: 'the open or close lies outside the range from low to high',
  bad_time: 'the time or date cannot be read or does not exist',
  out_of_order: 'the row is older than the row before it',
  duplicate: 'the same symbol and time came before',
  outside_session: 'no session of the exchange covers this time',
  not_final: 'the interval of the row was not over when it was delivered',
  wrong_columns: 'the row has too few columns, or a required column is missing',
  unlisted: 'the vendor lists no such symbol, or was not asked for it',
  not_in_plan: 'the plan of the key does not give it',
  bad_symbol: 'the symbol is empty or holds characters that no ticker has',
  foreign_listing: 'the ticker belonged to another company at that date',
  suspicious: 'the vendor marked the tick as suspicious',
  cancelled: 'the print was cancelled or corrected afterwards',
  no_shares: 'the print, or a side of the quote, is of no shares',
  crossed_quote: 'the bid lies above the ask inside one bar or one quote',
  bad_action: 'a split or dividend has an impossible value',
  broken_archive: 'the archive is truncated or damaged',
  too_large: 'the file, a line or a text of it is larger than the limit',
  unknown_format: 'no reader knows this kind of file',
  ambiguous: 'the file can be read in more than one way, and the numbers would differ',
  unknown_kind: 'no kind of reported fact has this name',
  unknown_field: 'the row names a field that its kind of fact does not have',
  missing_value: 'a field that the row or fact cannot do without is empty, or the fact says nothing',
  bad_word: 'a field holds a word or text that it cannot hold',
  hidden_character: 'a text holds a control character, or one that turns the direction of what is written',
  negative_amount: 'an amount that cannot lie below zero does',
  out_of_range: 'a value lies outside of its range, or two values contradict each other',
  known_too_early: 'the fact would be known before what it tells of happened',
  expired_contract: 'the contract had expired before the date on which its chain was taken',
  adjusted_contract: 'the contract is of an adjusted series or does not deliver 100 shares',
  untraded: 'nothing traded: the volume is 0 where volumes are stated, so the row is no bar',
  repaired: 'a value was repaired as the documentation of the format says',
  not_read: 'it is known what this is, and it is not read',
} as const;

/** A hundredth of a millionth of a dollar: under any price that was quoted, above what a damaged float shows. */
const PRICE_MIN = 1e-8;
const PRICE_MAX = 1e9;
/** Whole shares that a number holds exactly. */
const VOLUME_MAX = Number.MAX_SAFE_INTEGER;

export type RefusalReason = keyof typeof REFUSALS;

/** Why a bar cannot be; null where it can. */
export function refuseBar(
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
): RefusalReason | null {
  // One sum catches every NaN and infinity without five branches on the hot path.
  if (!Number.isFinite(open + high + low + close + volume)) return 'not_finite';
  if (open <= 0 || high <= 0 || low <= 0 || close <= 0) return 'price_not_positive';
  if (volume < 0) return 'volume_negative';
  if (volume > VOLUME_MAX || high > PRICE_MAX || low < PRICE_MIN) return 'out_of_bounds';
  if (high < low) return 'high_below_low';
  if (open > high || open < low || close > high || close < low) return 'price_outside_range';
  return null;
}

/** Why a row may not follow the one before it, whose time is -Infinity for the first; null where it may. */
export function refuseTime(previous: number, time: number): RefusalReason | null {
  if (!Number.isFinite(time)) return 'bad_time';
  if (time > previous) return null;
  return time === previous ? 'duplicate' : 'out_of_order';
}

type Rows = Readonly<Record<string, Float64Array>>;

/** Why a quote bar cannot be; null where it can. A side without a quote is five NaN. */
export function refuseQuotes(columns: Rows, row: number): RefusalReason | null {
  const of = (name: string): number => columns[name]![row]!;
  const bid = refuseSide(of('bidOpen'), of('bidHigh'), of('bidLow'), of('bidClose'), of('bidSize'));
  const ask = refuseSide(of('askOpen'), of('askHigh'), of('askLow'), of('askClose'), of('askSize'));
  if (bid === 'no quote' && ask === 'no quote') return 'not_a_number';
  if (bid !== null && bid !== 'no quote') return bid;
  if (ask !== null && ask !== 'no quote') return ask;
  // High and low of the two sides may overlap when the price moves inside the bar; its first and last states may not.
  return of('bidOpen') > of('askOpen') || of('bidClose') > of('askClose') ? 'crossed_quote' : null;
}

function refuseSide(
  open: number,
  high: number,
  low: number,
  close: number,
  size: number,
): RefusalReason | 'no quote' | null {
  const isEmpty =
    Number.isNaN(open) &&
    Number.isNaN(high) &&
    Number.isNaN(low) &&
    Number.isNaN(close) &&
    Number.isNaN(size);
  if (isEmpty) return 'no quote';
  return refuseBar(open, high, low, close, size);
}

/** Why the sums of a minute's prints cannot be; null where they can. */
export function refuseFlow(columns: Rows, row: number): RefusalReason | null {
  for (const name of FLOW_SUMS) {
    const value = columns[name]![row]!;
    if (!Number.isFinite(value)) return 'not_finite';
    if (value < 0) return 'volume_negative';
    if (value > VOLUME_MAX) return 'out_of_bounds';
  }
  return null;
}

/** Why a day's volatility cannot be; null where it can. NaN is not stated. */
export function refuseVolatility({ implied, realised }: Rows, row: number): RefusalReason | null {
  const values = [implied![row]!, realised![row]!];
  if (values.every(Number.isNaN)) return 'not_a_number';
  if (values.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)) return 'not_finite';
  return values.some((value) => value < 0) ? 'negative_amount' : null;
}

/** Rows or a whole file that were refused. `example` is the first offending row, at most 200 characters. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** File and line, e.g. `equity/usa/minute/spy/20131010_trade.zip:17`. */
  readonly where: string;
  readonly example: string;
  readonly count: number;
}

const EXAMPLE_CHARACTERS_MAX = 200;

export type RefusalTally = ReturnType<typeof refusalTally>;

/** Counts what is refused of a source: one line per reason with the first place and row, however many follow. */
export function refusalTally() {
  const counted = new Map<RefusalReason, Refused & { count: number }>();
  /** A refusal of one row or of several. */
  const note = (reason: RefusalReason, where: string, example: string, count = 1): void => {
    const known = counted.get(reason);
    if (known !== undefined) known.count += count;
    else counted.set(reason, refusedFile(reason, where, example, count));
  };
  return {
    note,
    /** A row, given as its bytes: its text is made only when it is the first of its reason. */
    row(
      reason: RefusalReason,
      where: string,
      line: number,
      bytes: Uint8Array,
      start: number,
      end: number,
    ): void {
      const known = counted.get(reason);
      if (known !== undefined) known.count++;
      else note(reason, `${where}:${line}`, Buffer.from(bytes.subarray(start, end)).toString('utf8'));
    },
    /** In the order of the first of each reason. */
    refusals: (): Refused[] => Array.from(counted.values(), (refused) => ({ ...refused })),
  };
}

/** A refusal of a whole file or archive entry. */
export function refusedFile(reason: RefusalReason, where: string, example: string, count = 1): Refused {
  return { kind: 'refused', reason, where, example: shortExample(example), count };
}

/** A row of a stranger's file, of which a terminal shows every character and obeys none. */
const shortExample = (text: string): string =>
  printable(text.slice(0, EXAMPLE_CHARACTERS_MAX).replaceAll('\t', ' '));
