import { VenueQuotes } from '../venue-quotes.ts';
import { decimal } from './fields.ts';
import type { TakeRow } from './source-file.ts';
import { rowsUnder, utcInstant } from './taq-rows.ts';
import { sessionCheck, type TaqSession } from './taq-session.ts';

const COLUMNS = ['DT', 'EX', 'SYMBOL', 'BID', 'OFR'] as const;

/**
 * Rows of quotes: instant in UTC, exchange letter, symbol, bid and offer of that exchange in dollars, 0 for a side that
 * it does not quote. Leads the trades of the session, each with the best quote that stood before it, into its flow.
 */
export function quoteRow(of: TaqSession): TakeRow {
  const venues = new VenueQuotes();
  const check = sessionCheck(of);
  return rowsUnder(COLUMNS, (bytes, { starts, ends }, places) => {
    const time = utcInstant(bytes, starts[places.DT]!, ends[places.DT]!);
    if (Number.isNaN(time)) return 'bad_time';
    const bid = decimal(bytes, starts[places.BID]!, ends[places.BID]!);
    const ask = decimal(bytes, starts[places.OFR]!, ends[places.OFR]!);
    if (Number.isNaN(bid + ask)) return 'not_a_number';
    const foreign = check(time, bytes, starts[places.SYMBOL]!, ends[places.SYMBOL]!);
    if (foreign !== null) return foreign;
    if (bid < 0 || ask < 0) return 'price_not_positive';
    if (bid > 0 && ask > 0 && bid >= ask) return 'crossed_quote';
    of.trades.pour(time - of.session.midnight, of.flow);
    venues.set(bytes[starts[places.EX]!]!, bid > 0 ? bid : Number.NaN, ask > 0 ? ask : Number.NaN);
    of.flow.quote(venues.bid, venues.ask);
    return null;
  });
}
