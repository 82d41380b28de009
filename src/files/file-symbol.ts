import { choice } from './choices.ts';
import { isForeign, pricedTickerOf } from './fields.ts';

/** Parts of a file's name that name a vendor, a venue, a length of bars, or what a table is; never a stock. */
const NO_TICKERS = new Set(
  `adj adjusted all alpaca alphavantage alpha amex arca bar bars barchart bats book candles cboe chart close closes copy
  csv daily data databento
  day days dbeq delayed df dly datos daten donnees données download eod equities equity etf etfs export extended file files final finance firstrate full generic hist historical historische historiques historicos históricos
  historicaldata history hour hourly hours ibkr index indices intraday investing iqfeed json kibot last latest list market massive max
  min mins minute minutes month monthly new nasdaq nyse ohlc ohlcv old otc out output parquet polygon prepost price prices quandl query quote quotes raw regular rth
  result sample schwab series sheet since sp split stock stocks stooq table temp test tiingo tmp tick ticks timeseries tos tradingview tvc twelvedata txt
  unadjusted universe us usa usd vantage volume week weekly wiki xnas xnys yahoo yf yfinance year`.split(
    /\s+/,
  ),
);
/** `spy_us_d`, `^spx_d`: of the United States, daily. */
const STOOQ = /(?:_us)?_[dwm]$/i;
/** Stocks have letters, a class behind a dot, and no digits; an index may have them. */
const LETTERS = /^(?:[A-Z]+(?:\.[A-Z]{1,3})?|\^[A-Z0-9]{1,8})$/;
/** Letters of a stock; a longer word is one only in capitals. */
const LETTERS_MAX = 5;
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

/** Endings of tables, of which a name may have two: `QQAA.csv.txt`. */
const ENDINGS =
  /(?:\.(?:csv|txt|tsv|tab|dat|data|json|jsonl|ndjson|prn|asc|psv|ssv|xlsx|xlsm|parquet|pq|parq))+$/i;

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
  const stem = name
    .replace(ENDINGS, '')
    .replace(STOOQ, '')
    .replace(/^([A-Z]{1,5})_([A-C])$/, '$1.$2')
    .replace(/^([A-Z]{1,5})(?=\d+ ?(?:min|minute|m|h|hour|d|day)s?$)/, '$1_');
  const parts = stem.split(/[_ ,()]+/);
  const foreign = parts.find((part) => isForeign(part.toUpperCase()));
  if (foreign !== undefined) {
    return {
      fault: `${foreign} is listed in another country, whose stocks are not read; ${choice('symbol')} where it is not`,
    };
  }
  const named = parts.map(tickersIn);
  // Beside a word that means nothing here only what is written in capitals is a stock.
  const isOther = (part: string): boolean =>
    part.split(/[-.]/).some((piece) => piece !== '' && !isNoTicker(piece));
  const hasOther = parts.some((part, at) => named[at]!.length === 0 && isOther(part));
  const found = new Set(named.filter((_, at) => !hasOther || parts[at] === parts[at]!.toUpperCase()).flat());
  if (found.size === 1) return { symbol: [...found][0]! };
  const what =
    found.size === 0 ? 'no symbol' : `${found.size} that could be symbols (${[...found].join(', ')})`;
  return {
    fault: `${name} has no column for symbol, and its name spells ${what}: name it with ${choice('symbol')}, or with ${choice('file_name_pattern')}`,
  };
}

/** The tickers in a part of a name that has no blanks. */
function tickersIn(part: string): string[] {
  if (part === '' || isNoTicker(part)) return [];
  const pieces = part.split('.');
  while (pieces.length > 1 && (isNoTicker(pieces.at(-1)!) || /^[dwm]$/i.test(pieces.at(-1)!))) pieces.pop();
  while (pieces.length > 1 && isNoTicker(pieces[0]!)) pieces.shift();
  const whole = pieces.join('.');
  const symbol = isNoTicker(whole) ? null : tickerIn(whole);
  if (symbol !== null) return [symbol];
  return whole.split(/[-.]/).flatMap((piece) => (isNoTicker(piece) ? [] : (tickerIn(piece) ?? [])));
}

/** A ticker of the form that stocks and indices have; other words of a name are none. */
function tickerIn(text: string): string | null {
  const ticker = pricedTickerOf(text);
  if (ticker === null || !LETTERS.test(ticker)) return null;
  return ticker.split('.')[0]!.length <= LETTERS_MAX || text === text.toUpperCase() ? ticker : null;
}

/** The expression behind a file name pattern; throws a RangeError when it does not hold `{symbol}` once. */
export function patternExpression(pattern: string): RegExp {
  const parts = pattern.split('{symbol}');
  if (parts.length !== 2) throw new RangeError(`the file name pattern "${pattern}" must hold {symbol} once`);
  const [before, after] = parts.map((part) => part.split('*').map(RegExp.escape).join('.*?'));
  return new RegExp(`^${before}(.+?)${after}$`, 'i');
}
