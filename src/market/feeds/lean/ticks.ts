import { DAY_MS, midnightUtc } from '../../../base/dates.ts';
import type { Delivery } from '../../feed.ts';
import type { RefusalReason } from '../../refusals.ts';
import { tradeMinuteBuilder } from '../../trade-minute-builder.ts';
import type { TextFile } from '../archive.ts';
import { decimal, fieldScanner } from '../fields.ts';
import { deliverLines } from '../source-file.ts';
import type { LeanContext } from './bars.ts';
import { spanOf } from './map-files.ts';
import { PRICE_SCALE } from './rows.ts';

const TRADE_FIELDS = 6;
/** The FINRA facilities through which off-exchange trades are reported. */
const FINRA = 'D'.charCodeAt(0);
const SUSPICIOUS = '1'.charCodeAt(0);
/**
 * Bits of the sale condition that mark an official opening or closing value: a price that an exchange states, which
 * repeats volume that its auction print already carried. Source: QuantConnect Lean, `TradeConditionFlags`.
 */
const OFFICIAL_VALUE = 0x1000000 | 0x4000000;
/** More would not fit a double. */
const HEX_DIGITS_MAX = 13;
/** For each byte the hexadecimal digit that it is, or -1. */
const HEX_DIGIT = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

/**
 * A file of one session's trade ticks, summed by minute: milliseconds since midnight, price, size, exchange letter, sale
 * condition in hexadecimal, suspicious flag. Official opening and closing values are no trades and are passed over; all
 * other prints count, as they do in the vendor's own minute bars.
 */
export async function* tradeTicks(
  file: TextFile,
  ticker: string,
  date: string,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const fields = fieldScanner(',');
  const span = spanOf(history, ticker, midnightUtc(date));
  const session = calendar.session(date);
  const minutes = tradeMinuteBuilder(session?.midnight ?? Number.NaN);

  const take = (bytes: Uint8Array, start: number, end: number): RefusalReason | null => {
    if (fields.scan(bytes, start, end) < TRADE_FIELDS) return 'wrong_columns';
    const { starts, ends } = fields;
    const sinceMidnight = decimal(bytes, starts[0]!, ends[0]!);
    const price = decimal(bytes, starts[1]!, ends[1]!) / PRICE_SCALE;
    const size = decimal(bytes, starts[2]!, ends[2]!);
    const condition = hexadecimal(bytes, starts[4]!, ends[4]!);
    if (!(sinceMidnight >= 0 && sinceMidnight < DAY_MS)) return 'bad_time';
    if (Number.isNaN(price + size + condition)) return 'not_a_number';
    if (span === null) return 'foreign_listing';
    const time = session === null ? Number.NaN : session.midnight + sinceMidnight;
    if (session === null || time < session.preOpen || time >= session.postClose) return 'outside_session';
    if (bytes[starts[5]!] === SUSPICIOUS) return 'suspicious';
    if ((condition & OFFICIAL_VALUE) !== 0) return null;
    if (!Number.isFinite(price * size)) return 'not_finite';
    if (price <= 0) return 'price_not_positive';
    if (size < 0) return 'volume_negative';
    minutes.add(sinceMidnight, price, size, bytes[starts[3]!] === FINRA);
    return null;
  };
  yield* deliverLines(file, tally, take, function* (finished) {
    if (!finished || span === null) return;
    const columns = minutes.columns();
    if (columns.time.length > 0) yield { kind: 'trade-minutes', symbol: span.symbol, columns };
  });
}

/** A sale condition; NaN when it is not hexadecimal. */
function hexadecimal(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > HEX_DIGITS_MAX) return Number.NaN;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = HEX_DIGIT[bytes[at]!]!;
    if (digit < 0) return Number.NaN;
    value = value * 16 + digit;
  }
  return value;
}
