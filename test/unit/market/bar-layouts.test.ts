import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { INTERVAL_MS, type Interval } from '../../../src/market/observations.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { barsIn, deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

/**
 * Known bars in layouts drawn at random: what comes in equals them to the last digit, or the file is refused by name. A
 * file that is read wrongly is the one failure.
 */

const calendar = newYorkCalendar();
const FILES = inFull(3_000, 60);
const root = temporaryFolder();

interface Bar {
  /** Start of the bar; of a day its date as midnight UTC. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

type Draw = ReturnType<typeof drawOf>;

function drawOf(seed: number) {
  const random = mulberry32(seed);
  return {
    random,
    of: <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!,
    chance: (share: number): boolean => random() < share,
  };
}

const cents = (value: number): number => Math.round(value * 100) / 100;

function walk(draw: Draw, times: readonly number[], sharesAt: (time: number) => number): Bar[] {
  let price = 20 + draw.random() * 300;
  return times.map((time) => {
    const open = cents(price * (1 + (draw.random() - 0.5) * 0.002));
    const close = cents(open * (1 + (draw.random() - 0.5) * 0.01));
    const high = cents(Math.max(open, close) + draw.random() * 0.5);
    const low = cents(Math.min(open, close) - draw.random() * 0.5);
    price = close;
    return { time, open, high, low, close, volume: Math.ceil(sharesAt(time) * (0.8 + 0.4 * draw.random())) };
  });
}

/** Sessions of half a year, so that both clocks of New York occur. */
const SESSIONS = calendar.sessionsBetween('2024-01-08', '2024-06-28');

function drawnBars(draw: Draw, interval: Interval): Bar[] {
  const first = Math.floor(draw.random() * (SESSIONS.length - 60));
  if (interval === '1d') {
    const dates = SESSIONS.slice(first, first + 15 + Math.floor(draw.random() * 40));
    return walk(
      draw,
      dates.map((date) => Date.parse(date)),
      () => 3_000_000,
    );
  }
  const length = INTERVAL_MS[interval];
  const isByClock = interval === '1h' && draw.chance(0.5);
  const isExtended = draw.chance(0.4) && interval !== '1h';
  const sessions = 2 + Math.floor(draw.random() * (length < INTERVAL_MS['5m'] ? 1.3 : 4));
  const times = SESSIONS.slice(first, first + sessions).flatMap((date) => {
    const { open, close, preOpen, postClose } = calendar.session(date)!;
    const [from, to] = isExtended ? [preOpen, postClose] : [open, close];
    // Nobody trades in every minute before the open.
    const minutes = Array.from({ length: Math.ceil((to - from) / length) }, (_, at) => from + at * length);
    // Hours by the clock begin with half of one.
    if (isByClock) return minutes.map((time, at) => (at === 0 ? time : Math.floor(time / length) * length));
    return minutes.filter((time) => (time >= open && time < close) || draw.chance(0.3));
  });
  return walk(draw, times, (time) => {
    const { open, close } = calendar.sessionHolding(time)!;
    if (time < open || time >= close) return 400;
    return time === open ? 90_000 : time + length >= close ? 120_000 : 9_000;
  });
}

interface Layout {
  readonly interval: Interval;
  readonly zone: 'America/New_York' | 'UTC' | 'America/Chicago' | 'Europe/London';
  readonly stamps: 'start' | 'end';
  readonly isWritten: boolean;
}

const offsets = new Map<string, number>();

/** The wall clock of a zone; no clock changes within a session. */
function wallOf(time: number, zone: string): string {
  const offset = offsets.getOrInsertComputed(`${zone} ${Math.floor(time / 86_400_000)}`, () => {
    return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
  });
  return new Date(time + offset).toISOString().slice(0, 19);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** Formatters are slow to make. */
const grouped = new Intl.NumberFormat('en');
const groupedCents = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

/** Ways to write a date, and a clock behind it. */
const DATES = [
  (date: string) => date,
  (date: string) => date.replaceAll('-', ''),
  (date: string) => date.replaceAll('-', '/'),
  (date: string) => date.replaceAll('-', '.'),
  (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`,
  (date: string) => `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(0, 4)}`,
  (date: string) => {
    const month = MONTHS[Number(date.slice(5, 7)) - 1];
    return `${month} ${date.slice(8)}, ${date.slice(0, 4)}`;
  },
];
const CLOCKS = [
  (clock: string) => clock,
  (clock: string) => clock.slice(0, 5),
  (clock: string) => {
    const hour = Number(clock.slice(0, 2));
    return `${hour % 12 || 12}${clock.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
  },
];
const POINTS: readonly ((value: number) => string)[] = [
  (value) => String(value),
  (value) => value.toFixed(2),
  (value) => value.toFixed(4),
  (value) => `$${value.toFixed(2)}`,
  (value) => groupedCents.format(value),
];
const SHARES: readonly ((value: number) => string)[] = [
  (value) => String(value),
  (value) => grouped.format(value),
  (value) => `${value / 1000}K`,
  (value) => `${value}.0`,
];
const NAMES = [
  ['date', 'open', 'high', 'low', 'close', 'volume'],
  ['Date', 'Open', 'High', 'Low', 'Close/Last', 'Volume'],
  ['timestamp', 'o', 'h', 'l', 'c', 'v'],
  ['<DATE>', '<OPEN>', '<HIGH>', '<LOW>', '<CLOSE>', '<VOL>'],
  ['datetime', '1. open', '2. high', '3. low', '4. close', '5. volume'],
];

function timesOf(draw: Draw, bars: readonly Bar[], { interval, zone, stamps, isWritten }: Layout): string[] {
  const length = INTERVAL_MS[interval];
  const isCutAtClose = draw.chance(0.5);
  /** An hour ends with the next whole one, or a whole one later; some vendors end the last at the close. */
  const endOf = ({ time }: Bar, at: number): number => {
    const next = bars[at + 1]?.time ?? Number.POSITIVE_INFINITY;
    const { close } = calendar.sessionHolding(time)!;
    const last = isCutAtClose && interval === '1h' ? close : Number.POSITIVE_INFINITY;
    return Math.min(time + length, next, last);
  };
  const writeDate = draw.of(DATES);
  if (interval === '1d') return bars.map(({ time }) => writeDate(new Date(time).toISOString().slice(0, 10)));
  const instants = bars.map((bar, at) => (stamps === 'end' ? endOf(bar, at) : bar.time));
  if (isWritten) {
    return draw.of([
      () => instants.map((at) => new Date(at).toISOString()),
      () => instants.map((at) => String(at / 1000)),
      () => instants.map(String),
      () => instants.map((at) => `${at}000000`),
      () => instants.map((at) => `${wallOf(at, zone).replace('T', ' ')} ${zone}`),
    ])();
  }
  const writeClock = draw.of(CLOCKS);
  return instants.map((at) => {
    const [date = '', clock = ''] = wallOf(at, zone).split('T');
    return `${writeDate(date)} ${writeClock(clock)}`;
  });
}

/** @param other bars of another symbol at the same times, which a column then tells apart */
function table(draw: Draw, bars: readonly Bar[], other: readonly Bar[] | null, layout: Layout): string {
  const delimiter = draw.of([',', ',', ';', '\t', '|']);
  const isComma = delimiter !== ',' && draw.chance(0.3);
  const price = draw.of(POINTS);
  const shares = draw.of(SHARES);
  const number = (text: string): string =>
    isComma ? text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) : text;
  const times = timesOf(draw, bars, layout);
  const order = draw.of([
    [0, 1, 2, 3, 4, 5],
    [0, 4, 5, 1, 2, 3],
    [5, 1, 2, 3, 4, 0],
  ]);
  const quote = (cell: string): string => (cell.includes(delimiter) || /"/.test(cell) ? `"${cell}"` : cell);
  const rowOf = ({ open, high, low, close, volume }: Bar, at: number, symbol: string): string => {
    const cells = [
      times[at]!,
      number(price(open)),
      number(price(high)),
      number(price(low)),
      number(price(close)),
      number(shares(volume)),
    ];
    const written = order.map((column) => quote(cells[column]!)).join(delimiter);
    return other === null ? written : `${symbol}${delimiter}${written}`;
  };
  const ofOne = bars.map((bar, at) => rowOf(bar, at, 'QZZA'));
  const ofOther = (other ?? []).map((bar, at) => rowOf(bar, at, 'QZZB'));
  const isMixed = draw.chance(0.5);
  const rows = isMixed
    ? ofOne.flatMap((row, at) => [row, ...ofOther.slice(at, at + 1)])
    : [...ofOne, ...ofOther];
  if (draw.chance(0.3)) rows.reverse();
  const names = draw.of(NAMES);
  const isHeadless = other === null && order[0] === 0 && order[1] === 1 && draw.chance(0.15);
  const named = order.map((column) => names[column]).join(delimiter);
  const head = isHeadless ? [] : [other === null ? named : `Symbol${delimiter}${named}`];
  const remark = draw.chance(0.15) ? ['"Downloaded from a vendor as of 07-01-2024 07:29pm CDT"'] : [];
  return [...head, ...rows, ...remark].join(draw.of(['\n', '\r\n'])) + draw.of(['', '\n']);
}

function json(draw: Draw, bars: readonly Bar[], layout: Layout): string {
  const times = timesOf(draw, bars, layout).map((text) =>
    /^\d+$/.test(text) && text.length < 16 ? Number(text) : text,
  );
  const records = bars.map((bar, at) => ({
    t: times[at],
    o: bar.open,
    h: bar.high,
    l: bar.low,
    c: bar.close,
    v: bar.volume,
  }));
  const columns = Object.fromEntries(
    (['t', 'o', 'h', 'l', 'c', 'v'] as const).map((name) => [name, records.map((record) => record[name])]),
  );
  return JSON.stringify(
    draw.of<unknown>([records, columns, { bars: { QZZA: records } }, { ticker: 'QZZA', results: records }]),
  );
}

function drawnFile(draw: Draw) {
  const interval = draw.of<Interval>(['1d', '1d', '1m', '1m', '5m', '1h', '2m', '3m', '10m', '15m', '30m']);
  const layout: Layout = {
    interval,
    zone: draw.of(['America/New_York', 'America/New_York', 'UTC', 'America/Chicago', 'Europe/London']),
    stamps: interval === '1d' ? 'start' : draw.of(['start', 'start', 'end']),
    isWritten: draw.chance(0.4),
  };
  const bars = drawnBars(draw, interval);
  const isJson = draw.chance(0.2);
  const other =
    !isJson && draw.chance(0.2)
      ? bars.map((bar) => ({
          ...bar,
          open: cents(bar.open / 3),
          high: cents(bar.high / 3),
          low: cents(bar.low / 3),
          close: cents(bar.close / 3),
        }))
      : null;
  const text = isJson ? json(draw, bars, layout) : table(draw, bars, other, layout);
  const extension = isJson ? 'json' : draw.of(['csv', 'txt']);
  const name = draw.of([
    `QZZA.${extension}`,
    `QZZA_1min.${extension}`,
    `BATS_QZZA, 1.${extension}`,
    `qzza.us.${extension}`,
    `QZZA Historical Data.${extension}`,
  ]);
  const packed = draw.of(['plain', 'plain', 'gz', 'zip'] as const);
  const within = { plain: name, gz: `${name}.gz`, zip: `${name}.zip/${name}` }[packed];
  const path = fileIn(root, within, (draw.chance(0.1) ? '\uFEFF' : '') + text);
  return { path, series: { QZZA: bars, ...(other === null ? {} : { QZZB: other }) }, layout, text };
}

it(`reads ${FILES} drawn files equal to what they hold, or refuses them by name`, async () => {
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  for (let number = 0; number < FILES; number++) {
    const draw = drawOf(SEED * 100_000 + number);
    const { path, series, layout, text } = drawnFile(draw);
    const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar }));
    const [refused] = refusalsIn(deliveries);
    const read = barsIn(deliveries);
    const outcome = refused === undefined ? 'equal' : refused.reason;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const rows = read
      .toSorted((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0))
      .flatMap(({ symbol, columns: { time, open, high, low, close, volume } }) =>
        Array.from(time, (at, row) =>
          [symbol, at, open[row], high[row], low[row], close[row], volume[row]].join(' '),
        ),
      );
    const known = Object.entries(series).flatMap(([symbol, bars]) =>
      bars.map((bar) => [symbol, bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume].join(' ')),
    );
    const isEqual =
      read.every(({ interval }) => interval === layout.interval) &&
      rows.length === known.length &&
      rows.every((row, at) => row === known[at]);
    if (isEqual ? refused === undefined : rows.length === 0 && refused !== undefined) continue;
    wrong.push(
      `${number} ${JSON.stringify(layout)} ${path.split('/').at(-1)} ${refused?.reason} ${refused?.example}: ${rows[0]} for ${known[0]}, ${rows.length} of ${known.length} rows\n${text.slice(0, 300)}`,
    );
  }
  console.log(`${FILES} drawn files: ${JSON.stringify(outcomes)}`);
  expect(wrong.slice(0, 3)).toEqual([]);
  // A reader that refuses everything reads nothing wrongly either.
  expect(outcomes.equal).toBeGreaterThan(FILES * 0.8);
});
