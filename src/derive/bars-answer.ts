import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { type Calendar, DAY_MS, dateOf } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { instantText } from '../base/wire.ts';
import type { SymbolTape } from '../tape/index.ts';
import { type BarInterval, type Bars, type BarsQuestion, barsOf, isIntradayInterval } from './bars.ts';
import type * as Arrow from './bars-arrow.ts';
import type { TapeSource } from './tape-source.ts';

export type BarsFormat = 'json' | 'arrow';

export interface BarsRequest {
  readonly tape: SymbolTape;
  readonly question: BarsQuestion;
  readonly format: BarsFormat;
  /** The label of the caller's feed. */
  readonly source: string;
  /** Begins the cursors of these pages; the time of the next bar ends them. */
  readonly cursor: string;
}

/** Bars as JSON text, or as the bytes of an Arrow IPC stream. */
export interface BarsAnswer {
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** SHA-1 of the body, base64url: the event loop does not read megabytes for a tag. */
  readonly digest: string;
}

/** What an answer says besides its columns. */
type BarsHead = Readonly<Record<string, string | boolean | null>>;

const COLUMNS = ['open', 'high', 'low', 'close', 'volume', 'vwap', 'delta'] as const;
/** Adjusted prices are quotients; beyond the sixth place they are noise. */
const PLACES = 1e6;
/** Above it a double has no six places to round. */
const ROUNDED_MAX = 1e9;
const require = createRequire(import.meta.url);

/** Answers a question about the bars of one symbol, from the tape alone. */
export function barsAnswer(source: TapeSource, request: BarsRequest): BarsAnswer {
  const { tape, question, format, cursor } = request;
  const bars = barsOf(source, tape, question);
  const head: BarsHead = {
    symbol: tape.symbol,
    interval: question.interval,
    session: isIntradayInterval(question.interval) ? question.session : 'regular',
    adjusted: question.adjusted,
    as_of: instantText(question.asOf),
    source: request.source,
    simulated: tape.slices.some((slice) => slice.simulated) || tape.running.some((rows) => rows.simulated),
    partial: bars.volume.includes(Number.NaN),
    unfinished: bars.unfinished,
    next_cursor: bars.next === null ? null : `${cursor}.${bars.next}`,
  };
  const body = format === 'arrow' ? arrowOf(head, bars) : jsonOf(head, bars, source.calendar);
  return { body, digest: hash('sha1', body, 'base64url') };
}

/** The closes before 16:00 of the sessions of bars; undefined, which JSON leaves out, where there is none. */
function earlyCloses(calendar: Calendar, time: Float64Array): string[] | undefined {
  if (time.length === 0) return undefined;
  const dates = calendar.sessionsBetween(calendar.tradeDateOf(time[0]!), calendar.tradeDateOf(time.at(-1)!));
  const closes = dates.flatMap((date) => {
    const { earlyClose, close } = calendar.session(date)!;
    return earlyClose ? [instantText(close)] : [];
  });
  return closes.length === 0 ? undefined : closes;
}

function jsonOf(head: BarsHead, bars: Bars, calendar: Calendar): string {
  const early_closes = head.session === 'all' ? earlyCloses(calendar, bars.time) : undefined;
  const isIntraday = isIntradayInterval(head.interval as BarInterval);
  const times = isIntraday ? instantTexts(bars.time) : Array.from(bars.time, dateOf);
  const columns: Record<string, readonly number[]> = {};
  for (const name of COLUMNS) {
    const column = bars[name];
    const numbers = new Array<number>(column.length);
    for (let row = 0; row < column.length; row++) numbers[row] = rounded(column[row]!);
    columns[name] = numbers;
  }
  return JSON.stringify({ ...head, early_closes, time: times, ...columns });
}

/** By minute of the day what follows the date in the text of an instant; each is worked out when it is needed. */
const CLOCKS: string[] = [];

/** Texts of ascending instants, of which many share the date, and the minute with those of other days. */
function instantTexts(time: Float64Array): string[] {
  const texts = new Array<string>(time.length);
  let day = Number.NEGATIVE_INFINITY;
  let date = '';
  for (let row = 0; row < time.length; row++) {
    const instant = time[row]!;
    if (instant >= day + DAY_MS) {
      day = Math.floor(instant / DAY_MS) * DAY_MS;
      date = dateOf(day);
    }
    const minute = (instant - day) / MINUTE_MS;
    const clock = CLOCKS[minute] ?? instantText(instant).slice(date.length);
    if (Number.isInteger(minute)) CLOCKS[minute] = clock;
    texts[row] = date + clock;
  }
  return texts;
}

/** Loads the library of Arrow with the first answer: it would double the time in which a thread starts. */
function arrowOf(head: BarsHead, bars: Bars): Uint8Array<ArrayBuffer> {
  const { arrowStream } = require('./bars-arrow.ts') as typeof Arrow;
  const known = Object.entries(head).filter(([, value]) => value !== null);
  return arrowStream(
    new Map(known.map(([name, value]) => [name, String(value)])),
    bars.time,
    new Map(COLUMNS.map((name) => [name, bars[name]])),
    rounded,
  );
}

/** NaN stays, which JSON writes as null. */
const rounded = (value: number): number =>
  Math.abs(value) < ROUNDED_MAX ? Math.round(value * PLACES) / PLACES : value;
