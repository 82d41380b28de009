import type { Calendar } from '../../base/calendar.ts';
import { PRINT, taqPrint } from '../sale-conditions.ts';
import { decimal } from './fields.ts';
import type { TakeRow } from './source-file.ts';
import { rowsUnder, utcInstant } from './taq-rows.ts';
import { sessionCheck, type TaqSession, taqSession } from './taq-session.ts';

const COLUMNS = ['DT', 'EX', 'SYMBOL', 'COND', 'SIZE', 'PRICE', 'CORR'] as const;
/** The letter of the FINRA facilities. */
const FINRA = 'D'.charCodeAt(0);

/** Reads trades; the first one that can be placed says what session the files are of. */
export interface TradeReader {
  readonly take: TakeRow;
  /** Null when no trade could be placed. */
  session(): TaqSession | null;
}

/**
 * Rows of trades: instant in UTC, exchange letter, symbol, sale condition, shares, dollars, correction indicator. Any
 * indicator but 0 says that the print was cancelled, corrected or is the record of such a change.
 */
export function tradeReader(calendar: Calendar): TradeReader {
  let session: TaqSession | null = null;
  let check: ReturnType<typeof sessionCheck> | null = null;
  const take = rowsUnder(COLUMNS, (bytes, { starts, ends }, places) => {
    const time = utcInstant(bytes, starts[places.DT]!, ends[places.DT]!);
    if (Number.isNaN(time)) return 'bad_time';
    const [symbolFrom, symbolTo] = [starts[places.SYMBOL]!, ends[places.SYMBOL]!];
    if (session === null || check === null) {
      const found = taqSession(calendar, time, bytes.subarray(symbolFrom, symbolTo));
      if (typeof found === 'string') return found;
      session = found;
      check = sessionCheck(found);
    }
    const size = decimal(bytes, starts[places.SIZE]!, ends[places.SIZE]!);
    const price = decimal(bytes, starts[places.PRICE]!, ends[places.PRICE]!);
    const correction = decimal(bytes, starts[places.CORR]!, ends[places.CORR]!);
    if (Number.isNaN(size + price + correction)) return 'not_a_number';
    const foreign = check(time, bytes, symbolFrom, symbolTo);
    if (foreign !== null) return foreign;
    if (correction !== 0) return 'cancelled';
    const print = taqPrint(bytes, starts[places.COND]!, ends[places.COND]!);
    if ((print & PRINT.noTrade) !== 0) return null;
    if (!Number.isFinite(price * size)) return 'not_finite';
    if (price <= 0) return 'price_not_positive';
    if (size < 0) return 'volume_negative';
    if (size === 0) return 'no_shares';
    if (session.trades.isFull) return 'too_large';
    const offExchange = bytes[starts[places.EX]!] === FINRA ? PRINT.offExchange : 0;
    session.trades.push(time - session.session.midnight, price, size, print | offExchange);
    return null;
  });
  return { take, session: () => session };
}
