import type { Session } from '../../base/calendar.ts';
import { DAY_MS, midnightUtc } from '../../base/dates.ts';
import type { Delivery } from '../../market/feed.ts';
import { FlowMinuteBuilder, PendingTrades } from '../../market/flow-minute-builder.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import { leanPrint, PRINT } from '../../market/sale-conditions.ts';
import { isTextFile, type TextFile, textFiles } from '../archive.ts';
import { decimal, fieldScanner } from '../fields.ts';
import { readRows, type TakeRow } from '../source-file.ts';
import type { LeanContext } from './bars.ts';
import { PRICE_SCALE, spanOf } from './reference.ts';

const TRADE_FIELDS = 6;
const QUOTE_FIELDS = 8;
/** The FINRA facilities through which off-exchange trades are reported. */
const FINRA = 'D'.charCodeAt(0);
const SUSPICIOUS = '1'.charCodeAt(0);
/** More would not fit a double. */
const HEX_DIGITS_MAX = 13;
/** For each byte the hexadecimal digit that it is, or -1. */
const HEX_DIGIT = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

/**
 * A file of one session's trade ticks, classified and summed by minute: milliseconds since midnight, price, size,
 * exchange letter, sale condition in hexadecimal, suspicious flag. Official opening and closing values are no
 * trades and left out; all other prints count as volume, as in the vendor's minute bars.
 *
 * @param quotes the file of quote ticks of the session; without it the tick rule alone classifies
 */
export async function* tradeTicks(
  file: TextFile,
  ticker: string,
  date: string,
  quotes: { readonly path: string; readonly key: string } | null,
  { calendar, history, tally }: LeanContext,
): AsyncGenerator<Delivery> {
  const span = spanOf(history, ticker, midnightUtc(date));
  const session = calendar.session(date);
  const trades = new PendingTrades();
  const refuseTime = validateTime(session);
  const take = tradeRow((sinceMidnight) => {
    const reason = refuseTime(sinceMidnight);
    return span === null && reason === null ? 'foreign_listing' : reason;
  }, trades);
  await readRows(file, tally, take);
  if (span === null || session === null) return;
  const flow = new FlowMinuteBuilder(session);
  if (quotes !== null) {
    for await (const text of textFiles(quotes.path, quotes.key)) {
      if (!isTextFile(text)) yield text;
      else await readRows(text, tally, quoteRow(validateTime(session), trades, flow));
    }
  }
  trades.addTo(flow, Number.POSITIVE_INFINITY);
  const columns = flow.columns();
  if (columns.time.length > 0) yield { kind: 'flow-minutes', symbol: span.symbol, columns };
}

type TimeValidation = (sinceMidnight: number) => RefusalReason | null;

/** Refuses a time that is none, outside the session, or before the previous one. */
function validateTime(session: Session | null): TimeValidation {
  let previous = Number.NEGATIVE_INFINITY;
  return (sinceMidnight) => {
    if (!(sinceMidnight >= 0 && sinceMidnight < DAY_MS)) return 'bad_time';
    const time = session === null ? Number.NaN : session.midnight + sinceMidnight;
    if (session === null || time < session.preOpen || time >= session.postClose) return 'outside_session';
    if (sinceMidnight < previous) return 'out_of_order';
    previous = sinceMidnight;
    return null;
  };
}

function tradeRow(refuseTime: TimeValidation, trades: PendingTrades): TakeRow {
  const fields = fieldScanner(',');
  const { starts, ends } = fields;
  return (bytes, start, end) => {
    if (fields.scan(bytes, start, end) < TRADE_FIELDS) return 'wrong_columns';
    const sinceMidnight = decimal(bytes, starts[0]!, ends[0]!);
    const price = decimal(bytes, starts[1]!, ends[1]!) / PRICE_SCALE;
    const size = decimal(bytes, starts[2]!, ends[2]!);
    const condition = hexadecimal(bytes, starts[4]!, ends[4]!);
    if (Number.isNaN(price + size + condition)) return 'not_a_number';
    const late = refuseTime(sinceMidnight);
    if (late !== null) return late;
    if (bytes[starts[5]!] === SUSPICIOUS) return 'suspicious';
    const venue = bytes[starts[3]!]!;
    const offExchange = venue === FINRA ? PRINT.offExchange : 0;
    return trades.push(sinceMidnight, price, size, leanPrint(condition) | offExchange, venue);
  };
}

/**
 * Rows of quote ticks: milliseconds since midnight, bid, bid size, ask, ask size, exchange, condition, suspicious
 * flag. A row has one side, 0 for the other. The rows are the national best quote and not an exchange's: read by
 * exchange, they would make a market that is crossed all day.
 */
function quoteRow(refuseTime: TimeValidation, trades: PendingTrades, flow: FlowMinuteBuilder): TakeRow {
  const fields = fieldScanner(',');
  const { starts, ends } = fields;
  let bid = Number.NaN;
  let ask = Number.NaN;
  return (bytes, start, end) => {
    if (fields.scan(bytes, start, end) < QUOTE_FIELDS) return 'wrong_columns';
    const sinceMidnight = decimal(bytes, starts[0]!, ends[0]!);
    const newBid = decimal(bytes, starts[1]!, ends[1]!) / PRICE_SCALE;
    const newAsk = decimal(bytes, starts[3]!, ends[3]!) / PRICE_SCALE;
    const bidSize = decimal(bytes, starts[2]!, ends[2]!);
    const askSize = decimal(bytes, starts[4]!, ends[4]!);
    if (Number.isNaN(newBid + newAsk + bidSize + askSize)) return 'not_a_number';
    const late = refuseTime(sinceMidnight);
    if (late !== null) return late;
    if (bytes[starts[7]!] === SUSPICIOUS) return 'suspicious';
    if (newBid < 0 || newAsk < 0 || newBid + newAsk === 0) return 'price_not_positive';
    if ((newBid > 0 && bidSize === 0) || (newAsk > 0 && askSize === 0)) return 'no_shares';
    trades.addTo(flow, sinceMidnight);
    if (newBid > 0) bid = newBid;
    if (newAsk > 0) ask = newAsk;
    flow.quote(bid, ask);
    return null;
  };
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
