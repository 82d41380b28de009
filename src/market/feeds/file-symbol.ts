import { isForeign, pricedTickerOf } from './fields.ts';

/** Parts of a file's name that name a vendor, a venue, a length of bars, or what a table is; never a stock. */
const NO_TICKERS = new Set(
  `adj adjusted all alpaca alphavantage alpha amex arca bar bars barchart bats candles cboe chart close csv daily data databento
  day days dbeq delayed dly download eod equities equity etf etfs export extended finance firstrate full generic hist historical
  historicaldata history hour hourly hours ibkr index indices intraday investing iqfeed json kibot last list market massive max
  min mins minute minutes month monthly nasdaq nyse ohlc ohlcv otc output polygon price prices quote quotes raw regular rth
  sample schwab series split stock stocks stooq table test tiingo tick ticks timeseries tos tradingview twelvedata txt
  unadjusted universe us usa vantage volume week weekly xnas xnys yahoo yf yfinance year`.split(/\s+/),
);
/** `spy_us_d`: of the United States, daily. */
const STOOQ = /_us_[dwm]$/i;
const LENGTH = /^\d+ ?(s|m|min|mins|minute|minutes|h|hour|d|day|w|wk|mo)?$/i;
/** `Apple`: a name. */
const WORD = /^[A-Z][a-z]+$/;
/** What a chart's export or a vendor puts around a symbol: a date, a count, a length of bars, `adjsplit`. */
const isNoTicker = (part: string): boolean =>
  NO_TICKERS.has(part.toLowerCase()) ||
  WORD.test(part) ||
  LENGTH.test(part) ||
  !/[a-z]/i.test(part) ||
  /^(adj|unadj)/i.test(part);

/** A symbol, or a sentence that says why the name spells none. */
export type NamedSymbol = { readonly symbol: string } | { readonly fault: string };

/**
 * The symbol that a file's name spells: `SPY_1min.csv`, `BATS_SPY, 1D.csv`, `spy.us.txt` and `SPY Historical Data.csv` are
 * SPY, `BRK-B.csv` is BRK.B. A name that spells none, or several, is not guessed at.
 *
 * @param pattern `DA-{symbol}-*.csv`, where the caller knows the names
 */
export function symbolOfFile(name: string, pattern?: string): NamedSymbol {
  if (pattern !== undefined) {
    const symbol = pricedTickerOf(patternExpression(pattern).exec(name)?.[1] ?? '');
    return symbol === null ? { fault: `${name} does not fit ${pattern}` } : { symbol };
  }
  const stem = name.replace(/\.(csv|txt|tsv|dat|json|prn|asc)$/i, '').replace(STOOQ, '');
  const parts = stem.split(/[_ ,()]+/);
  const foreign = parts.find((part) => isForeign(part.toUpperCase()));
  if (foreign !== undefined) {
    return {
      fault: `${foreign} is listed in another country, whose stocks are not read; --symbol where it is not`,
    };
  }
  const found = new Set(parts.flatMap(tickersIn));
  if (found.size === 1) return { symbol: [...found][0]! };
  const what =
    found.size === 0 ? 'no symbol' : `${found.size} that could be symbols (${[...found].join(', ')})`;
  return {
    fault: `${name} has no column for symbol, and its name spells ${what}: name it with --symbol, or with --file-name`,
  };
}

/** The tickers in a part of a name that has no blanks. */
function tickersIn(part: string): string[] {
  if (part === '' || isNoTicker(part)) return [];
  const pieces = part.split('.');
  while (pieces.length > 1 && isNoTicker(pieces.at(-1)!)) pieces.pop();
  while (pieces.length > 1 && isNoTicker(pieces[0]!)) pieces.shift();
  const whole = pieces.join('.');
  const symbol = isNoTicker(whole) ? null : pricedTickerOf(whole);
  if (symbol !== null) return [symbol];
  return whole.split(/[-.]/).flatMap((piece) => (isNoTicker(piece) ? [] : (pricedTickerOf(piece) ?? [])));
}

/** The expression behind a file name pattern; throws a RangeError when it does not hold `{symbol}` once. */
export function patternExpression(pattern: string): RegExp {
  const parts = pattern.split('{symbol}');
  if (parts.length !== 2) throw new RangeError(`the file name pattern "${pattern}" must hold {symbol} once`);
  const [before, after] = parts.map((part) => part.split('*').map(RegExp.escape).join('.*?'));
  return new RegExp(`^${before}(.+?)${after}$`, 'i');
}
