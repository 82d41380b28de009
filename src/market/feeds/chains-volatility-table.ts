import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { lineReader } from './lines.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { pricedTickerOf } from './ticker.ts';
import { type Cells, cellsOf, delimiterOf, headerNames } from './chains-chain-table.ts';

/** Above 1,000 % a year a daily volatility is a fault of the source. */
const VOLATILITY_MAX = 10;
/** Days of all symbols together; a hundred years of three thousand symbols would be less. */
const DAYS_MAX = 5_000_000;

/** Sources whose rows give way to those of any other for the same day: they measure from a delayed chain. */
const WEAKER_SOURCES: ReadonlySet<string> = new Set(['yf']);

/** Whether header names are those of such a table. */
export const isVolatilityHeader = (names: readonly string[]): boolean =>
  names.includes('date') && names.includes('iv') && (names.includes('ticker') || names.includes('symbol'));

interface Day {
  readonly implied: number;
  readonly realised: number;
  readonly isWeaker: boolean;
}

/**
 * Daily volatility, one row for each symbol and date: `date`, `ticker` or `symbol`, `iv`, `hv`, `source`. Days that are
 * no session are refused: nothing traded, so that they repeat the day before. Where two sources tell the same day, the
 * weaker one gives way; the same source may say it once.
 */
export async function* volatilityTable(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { where } = file;
  const bySymbol = new Map<string, Map<number, Day>>();
  let days = 0;
  let cells: Cells | null = null;
  const take = (of: Cells): RefusalReason | null => {
    const symbol = pricedTickerOf(of.text('ticker') || of.text('symbol'));
    if (symbol === null) return 'bad_symbol';
    const time = midnightUtc(of.text('date'));
    if (Number.isNaN(time)) return 'bad_time';
    if (!calendar.isSession(dateOf(time))) return 'outside_session';
    const told = { implied: of.number('iv'), realised: of.number('hv') };
    if (of.isBroken) return 'not_a_number';
    if (Number.isNaN(told.implied)) return 'missing_value';
    if (told.implied < 0 || told.realised < 0) return 'negative_amount';
    if (told.implied === 0 || told.implied > VOLATILITY_MAX || told.realised > VOLATILITY_MAX) {
      return 'out_of_range';
    }
    const own = bySymbol.getOrInsertComputed(symbol, () => new Map<number, Day>());
    const isWeaker = WEAKER_SOURCES.has(of.text('source').toLowerCase());
    const known = own.get(time);
    if (known !== undefined && known.isWeaker === isWeaker) return 'duplicate';
    if (known === undefined && days++ >= DAYS_MAX) return 'too_large';
    if (known === undefined || known.isWeaker) own.set(time, { ...told, isWeaker });
    // One of the two is left out, whichever came first.
    return known === undefined ? null : 'duplicate';
  };
  const lines = lineReader(
    (bytes, start, end, line) => {
      if (cells === null) {
        const header = Buffer.from(bytes.subarray(start, end)).toString('utf8');
        cells = cellsOf(headerNames(header), delimiterOf(header));
        return;
      }
      const reason = cells.scan(bytes, start, end) ? take(cells) : 'wrong_columns';
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    },
    (line, text) => tally.note('too_large', `${where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) lines.push(chunk);
  lines.end();
  for (const [symbol, own] of bySymbol) {
    const sorted = [...own].sort(([a], [b]) => a - b);
    yield {
      kind: 'volatility',
      symbol,
      columns: {
        time: Float64Array.from(sorted, ([time]) => time),
        implied: Float64Array.from(sorted, ([, day]) => day.implied),
        realised: Float64Array.from(sorted, ([, day]) => day.realised),
      },
    };
  }
}
