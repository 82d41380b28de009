import type { TextFile } from './archive.ts';
import { contentOf } from './content-of.ts';
import type { NoReading } from './findings.ts';
import { wholeText } from './source-file.ts';

/**
 * What thinkorswim writes of a strategy's orders. It exports no bars, so people put them into the names of orders that a
 * strategy gives on every bar, behind a tag with a letter for each value: `SOHLCV|SPY|529.1|529.4|529|529.3|91200`.
 */
export const isStrategyReport = (beginning: string): boolean => /^\uFEFF?Strategy report\b/i.test(beginning);

const REPORT_BYTES_MAX = 64 * 2 ** 20;
/** A bar in the name of an order, and behind it the order's time, month first. */
const ORDER =
  /\b(?<tag>[A-Z]*OHLC[A-Z]*)\|(?<values>[^();]*).*;(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?:20)?(?<year>\d\d),?(?<clock>[^;]*);/i;
const SYMBOL = /Symbol: *(\S+)/i;

/** The bars in a report as a table, each in the line of its order. */
export async function reportAsTable(file: TextFile): Promise<TextFile | NoReading> {
  const text = await wholeText(file, REPORT_BYTES_MAX);
  if (text === null)
    return { reason: 'too_large', example: `a report of more than ${REPORT_BYTES_MAX} bytes: part it` };
  const [first = '', ...orders] = text.split(/\r?\n/);
  const [, symbol = ''] = SYMBOL.exec(first) ?? [];
  const lines = orders.map((order) => barIn(order, symbol));
  if (!lines.some((line) => line !== ''))
    return {
      reason: 'wrong_columns',
      example:
        'a strategy report of thinkorswim without bars: name the orders "SOHLCV|" with symbol, open, high, low, close and volume behind it, "|" between',
    };
  const table = Buffer.from(`symbol,date,open,high,low,close,volume\n${lines.join('\n')}\n`);
  return { ...file, ...contentOf(table) };
}

/** An order as a line of the table, empty where its name holds no bar with a volume. */
function barIn(order: string, symbol: string): string {
  const { tag = '', values = '', month, day, year, clock } = ORDER.exec(order)?.groups ?? {};
  const cells = values.split('|').map((value) => value.trim().replaceAll(',', ''));
  // The report names the symbol too, and some leave it out of the order.
  const letters = tag.toUpperCase().replace(cells.length === tag.length - 1 ? 'S' : '', '');
  const of = (letter: string): string => cells[letters.indexOf(letter)] ?? '';
  if (letters.length !== cells.length || of('V') === '') return '';
  const date = `20${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return [of('S') || symbol, date + clock!, ...['O', 'H', 'L', 'C', 'V'].map(of)].join(',');
}
