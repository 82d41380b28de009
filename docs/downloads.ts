import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { csvFeed } from '../src/files/bars/csv.ts';
import { isRefused } from '../src/files/findings.ts';

/**
 * Small files of own values in the layouts that known sources write, and how each is read without an option. A test holds
 * them to the values; `docs/import.md` shows the readings.
 */

export interface Download {
  readonly source: string;
  readonly file: string;
  readonly text: string;
  /** Where the file names none. */
  readonly symbol?: string;
}

/** Date, open, high, low, close, shares of three days without a split. */
export const DAYS = [
  ['2024-06-10', 100.1, 102.25, 99.5, 101.4, 3_120_400],
  ['2024-06-11', 101.5, 103.75, 101.05, 103.2, 2_870_100],
  ['2024-06-12', 103.3, 104.5, 102.8, 102.95, 3_402_900],
] as const;

/** Minute after 09:30 New York of 2024-06-12, open, high, low, close, shares. */
export const MINUTES = [
  [0, 103.3, 103.6, 103.1, 103.5, 91_200],
  [1, 103.5, 103.55, 103.2, 103.25, 18_300],
  [2, 103.25, 103.4, 103.2, 103.35, 15_900],
  [3, 103.35, 103.5, 103.3, 103.45, 12_400],
] as const;

const OPEN = Date.parse('2024-06-12T13:30:00Z');

type Day = (typeof DAYS)[number];
type Minute = (typeof MINUTES)[number];

const days = (line: (day: Day) => string, newestFirst = false): string => lines(DAYS, line, newestFirst);
const minutes = (line: (minute: Minute, at: Date, clock: string) => string, newestFirst = false): string =>
  lines(
    MINUTES,
    (minute) => line(minute, new Date(OPEN + minute[0] * 60_000), `09:${30 + minute[0]}:00`),
    newestFirst,
  );

function lines<Row>(rows: readonly Row[], line: (row: Row) => string, newestFirst: boolean): string {
  const written = rows.map(line);
  return `${(newestFirst ? written.toReversed() : written).join('\n')}\n`;
}

const american = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
const named = (date: string): string =>
  new Date(date).toLocaleString('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
const seconds = (at: Date): number => at.getTime() / 1000;

export const DOWNLOADS: readonly Download[] = [
  {
    source: 'yfinance, `download`',
    file: 'QQAA_daily.csv',
    text: `Price,Close,High,Low,Open,Volume\nTicker,QQAA,QQAA,QQAA,QQAA,QQAA\nDate,,,,,\n${days(([date, o, h, l, c, v]) => [date, c, h, l, o, v].join(','))}`,
  },
  {
    source: 'yfinance, `download` of several',
    file: 'watchlist.csv',
    text: `Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume\nTicker,QQAA,QQAB,QQAA,QQAB,QQAA,QQAB,QQAA,QQAB,QQAA,QQAB\nDate,,,,,,,,,,\n${days(([date, o, h, l, c, v]) => [date, c, '', h, '', l, '', o, '', v, ''].join(','))}`,
  },
  {
    source: 'yfinance, `history`',
    file: 'QQAA.csv',
    text: `Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n${days(([date, o, h, l, c, v]) => [`${date} 00:00:00-04:00`, o, h, l, c, v, '0.0', '0.0'].join(','))}`,
  },
  {
    source: 'yfinance, minutes',
    file: 'QQAA_1m.csv',
    text: `Price,Close,High,Low,Open,Volume\nTicker,QQAA,QQAA,QQAA,QQAA,QQAA\nDatetime,,,,,\n${minutes(([, o, h, l, c, v], at) => [`${at.toISOString().slice(0, 19).replace('T', ' ')}+00:00`, c, h, l, o, v].join(','))}`,
  },
  {
    source: 'Stooq, daily',
    file: 'qqaa_us_d.csv',
    text: `Date,Open,High,Low,Close,Volume\n${days((row) => row.join(','))}`,
  },
  {
    source: 'Stooq, bulk',
    file: 'qqaa.us.txt',
    text: `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n${days(([date, ...values]) => ['QQAA.US', 'D', date.replaceAll('-', ''), '000000', ...values, 0].join(','))}`,
  },
  {
    source: 'Nasdaq.com',
    file: 'HistoricalData_1718236800000.csv',
    symbol: 'QQAA',
    text: `Date,Close/Last,Volume,Open,High,Low\n${days(([date, o, h, l, c, v]) => [american(date), `$${c}`, v, `$${o}`, `$${h}`, `$${l}`].join(','), true)}`,
  },
  {
    source: 'Investing.com',
    file: 'QQAA Historical Data.csv',
    text: `\uFEFF"Date","Price","Open","High","Low","Vol.","Change %"\n${days(([date, o, h, l, c, v]) => [american(date), c, o, h, l, `${v / 1e6}M`, '0.12%'].map((cell) => `"${cell}"`).join(','), true)}`,
  },
  {
    source: "Yahoo's history page",
    file: 'QQAA.txt',
    text: `Date\tOpen\tHigh\tLow\tClose Close price adjusted for splits.\tAdj Close Adjusted close price adjusted for splits and dividend and/or capital gain distributions.\tVolume\n${days(([date, o, h, l, c, v]) => [named(date), o, h, l, c, c, v.toLocaleString('en')].join('\t'), true)}`,
  },
  {
    source: 'Alpha Vantage, CSV',
    file: 'daily_adjusted_QQAA.csv',
    text: `timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient\n${days(([date, o, h, l, c, v]) => [date, o, h, l, c, c - 1, v, '0.0000', '1.0'].join(','), true)}`,
  },
  {
    source: 'Alpha Vantage, JSON',
    file: 'query.json',
    text: JSON.stringify({
      'Meta Data': { '2. Symbol': 'QQAA', '4. Interval': '1min', '6. Time Zone': 'US/Eastern' },
      'Time Series (1min)': Object.fromEntries(
        MINUTES.toReversed().map(([minute, o, h, l, c, v]) => [
          `2024-06-12 09:${30 + minute}:00`,
          {
            '1. open': String(o),
            '2. high': String(h),
            '3. low': String(l),
            '4. close': String(c),
            '5. volume': String(v),
          },
        ]),
      ),
    }),
  },
  {
    source: 'Alpaca, JSON',
    file: 'bars.json',
    text: JSON.stringify({
      bars: {
        QQAA: MINUTES.map(([minute, o, h, l, c, v]) => ({
          t: new Date(OPEN + minute * 60_000).toISOString().replace('.000', ''),
          o,
          h,
          l,
          c,
          v,
          n: 12,
          vw: c,
        })),
      },
      next_page_token: null,
    }),
  },
  {
    source: 'Alpaca, alpaca-py',
    file: 'bars.csv',
    text: `symbol,timestamp,open,high,low,close,volume,trade_count,vwap\n${minutes(([, o, h, l, c, v], at) => ['QQAA', `${at.toISOString().slice(0, 19).replace('T', ' ')}+00:00`, o, h, l, c, `${v}.0`, '12.0', c].join(','))}`,
  },
  {
    source: 'Interactive Brokers, ib_insync',
    file: 'QQAA_1_min.csv',
    text: `,date,open,high,low,close,volume,average,barCount\n${minutes(([minute, o, h, l, c, v], _, clock) => [minute, `2024-06-12 ${clock}-04:00`, o, h, l, c, `${v}.0`, c, 12].join(','))}`,
  },
  {
    source: 'TradingView, chart export',
    file: 'BATS_QQAA, 1.csv',
    text: `time,open,high,low,close,Volume,Volume MA\n${minutes(([, o, h, l, c, v], at) => [seconds(at), o, h, l, c, v, ''].join(','))}`,
  },
  {
    source: 'Barchart',
    file: 'qqaa_intraday-1min_historical-data-06-12-2024.csv',
    text: `Time,Open,High,Low,Latest,Change,%Change,Volume\n${minutes(([, o, h, l, c, v], _, clock) => [`"2024-06-12 ${clock.replace('09:', '08:').slice(0, 5)}"`, o, h, l, c, 0.1, '"+0.10%"', v].join(','), true)}"Downloaded from Barchart.com as of 06-12-2024 04:29pm CDT"\n`,
  },
  {
    source: 'Databento, `ohlcv-1m`',
    file: 'xnas-itch-20240612.ohlcv-1m.csv',
    text: `ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol\n${minutes(([, o, h, l, c, v], at) => [`${BigInt(at.getTime()) * 1_000_000n}`, 33, 2, 38, ...[o, h, l, c].map((price) => Math.round(price * 100) * 1e7), v, 'QQAA'].join(','))}`,
  },
  {
    source: 'Massive, flat file',
    file: '2024-06-12.csv',
    text: `ticker,volume,open,close,high,low,window_start,transactions\n${minutes(([, o, h, l, c, v], at) => ['QQAA', v, o, c, h, l, `${at.getTime()}000000`, 12].join(','))}`,
  },
  {
    source: 'Massive, aggregates',
    file: 'aggs.json',
    text: JSON.stringify({
      ticker: 'QQAA',
      status: 'OK',
      adjusted: true,
      results: MINUTES.map(([minute, o, h, l, c, v]) => ({
        v,
        vw: c,
        o,
        c,
        h,
        l,
        t: OPEN + minute * 60_000,
        n: 12,
      })),
    }),
  },
  {
    source: 'Tiingo',
    file: 'QQAA_tiingo.csv',
    text: `date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor\n${days(([date, o, h, l, c, v]) => [date, c, h, l, o, v, c, h, l, o, v, '0.0', '1.0'].join(','))}`,
  },
  {
    source: 'Twelve Data, CSV',
    file: 'QQAA_1min.csv',
    text: `datetime;open;high;low;close;volume\n${minutes(([, o, h, l, c, v], _, clock) => [`2024-06-12 ${clock}`, o, h, l, c, v].join(';'), true)}`,
  },
  {
    source: 'Twelve Data, JSON',
    file: 'time_series.json',
    text: JSON.stringify({
      meta: {
        symbol: 'QQAA',
        interval: '1min',
        currency: 'USD',
        exchange_timezone: 'America/New_York',
        exchange: 'NASDAQ',
        type: 'Common Stock',
      },
      values: MINUTES.toReversed().map(([minute, o, h, l, c, v]) => ({
        datetime: `2024-06-12 09:${30 + minute}:00`,
        open: String(o),
        high: String(h),
        low: String(l),
        close: String(c),
        volume: String(v),
      })),
      status: 'ok',
    }),
  },
  {
    source: 'Kibot',
    file: 'QQAA.txt',
    text: minutes(([, o, h, l, c, v], _, clock) =>
      ['06/12/2024', clock.slice(0, 5), o, h, l, c, v].join(','),
    ),
  },
  {
    source: 'FirstRate',
    file: 'QQAA_full_1min_adjsplit.txt',
    text: minutes(([, o, h, l, c, v], _, clock) => [`2024-06-12 ${clock}`, o, h, l, c, v].join(',')),
  },
  {
    source: 'thinkorswim, report of a strategy',
    file: 'StrategyReports_QQAA_61224.csv',
    text: `Strategy report Symbol: QQAA Work Time: 6/12/24 9:30 AM - 6/12/24 4:00 PM\n\nId;Strategy;Side;Amount;Price;Date/Time;Trade P/L;P/L;Position;\n${minutes(([minute, o, h, l, c, v]) => [minute + 1, `Bars(SOHLCV|QQAA|${[o, h, l, c, v].join('|')})`, 'Buy to Open', '1.0', `$${o}`, `6/12/24 9:${30 + minute} AM`, '', '', '1.0', ''].join(';'))}Total P/L: $0.00; Total order(s): 4;\n`,
  },
];

const calendar = newYorkCalendar();

/** A table of how each is read. */
export async function downloadsTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-downloads-'));
  try {
    const rows: ReadDownload[] = [];
    for (const { source, file, text, symbol } of DOWNLOADS) {
      const path = join(folder, file);
      writeFileSync(path, text);
      for await (const { read } of csvFeed({ paths: [path], calendar, symbol }).readings()) {
        if (isRefused(read)) throw new Error(`${source}: ${read.example}`);
        if (!('delimiter' in read)) throw new Error(`${source}: no bars`);
        const { interval, stamps, clock, prices } = read.parts;
        if (stamps.value !== 'start') throw new Error(`${source}: the table has no column of times`);
        const option = symbol === undefined ? '' : ' `--symbol`';
        rows.push({
          file: `${source} (\`${file}\`${option})`,
          read: [interval.value, clock.value, prices.value],
        });
      }
    }
    return tableOfReadings(['source (file)', 'bars', 'clock', 'prices'], rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface ReadDownload {
  readonly file: string;
  readonly read: readonly string[];
}

/** Files that are read alike share a row. */
export function tableOfReadings(head: readonly string[], downloads: readonly ReadDownload[]): string {
  const alike = Map.groupBy(downloads, ({ read }) => read.join(' | '));
  const rows = Array.from(
    alike,
    ([read, files]) => `| ${files.map(({ file }) => file).join('; ')} | ${read} |`,
  );
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n');
}
