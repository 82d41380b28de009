import { minutesFrom } from '../analysis/records/level-events.ts';
import type { SessionBounds } from '../base/calendar.ts';
import { confluence } from '../blocks/confluence.ts';
import { entryV2 } from '../blocks/entry-v2.ts';
import { fundamental } from '../blocks/fundamental.ts';
import { gates } from '../blocks/gates.ts';
import type { Kept } from '../blocks/kept.ts';
import { regimeV5 } from '../blocks/regime-v5.ts';
import { scoreInputs } from '../blocks/score-inputs.ts';
import type { MarketView } from '../market/market-view.ts';
import { type BarColumns, barColumns, INTERVAL_MS } from '../market/observations.ts';
import { rowAtOrAfter } from '../market/series.ts';
import type { StockView } from '../market/stock-view.ts';
import type { SymbolTape } from '../tape/index.ts';
import { readBarsView, readStockView } from '../tape/read-view.ts';
import { BAR_FIELDS, blocksOf } from './compose.ts';
import { FieldColumns } from './field-columns.ts';
import { rowDeriver } from './projection.ts';
import type { TapeSource } from './tape-source.ts';

/** Which minutes of a trade date count: those of the regular session, or all from 04:00 to 20:00. */
export const HOURS = ['regular', 'all'] as const;
export type Hours = (typeof HOURS)[number];

export interface MomentsRequest {
  readonly tape: SymbolTape;
  readonly tradeDate: string;
  /** Moments after the one, up to and including the other, epoch milliseconds. */
  readonly after: number;
  readonly until: number;
  readonly hours: Hours;
  /** Paths of scalar fields. */
  readonly fields: readonly string[];
  /** By instant the market, where a field needs it (see `readsMarket`): moments without theirs are left out. */
  readonly markets: Readonly<Record<number, MarketView>>;
}

/** Fields of a stock at the ends of consecutive bars of one trade date: its moments, by columns. */
export interface DayMoments {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly session: Pick<SessionBounds, 'open' | 'close'>;
  /** Ends of bars, ascending, epoch milliseconds. */
  readonly at: Float64Array;
  /** By path, as screen rows have them: NaN where absent. */
  readonly numbers: ReadonlyMap<string, Float64Array>;
  readonly texts: ReadonlyMap<string, readonly (string | null)[]>;
  readonly bars: SessionBarsSoFar;
  readonly barMs: number;
}

/** Bars of the regular session so far, oldest first, with the minutes from the open to the beginning of each. */
export interface SessionBarsSoFar extends BarColumns {
  readonly minute: Int32Array;
}

/** Blocks that read the market; `NO_MARKET` finds one that is missing here. */
const OF_MARKET = new Set<unknown>([confluence, entryV2, fundamental, gates, regimeV5, scoreInputs]);
const NO_MARKET = new Proxy({} as MarketView, {
  get() {
    throw new Error('A block reads the market and is not among those of moments.ts that do.');
  },
});

const topOf = (path: string): string => path.split('.', 1)[0]!;

/** Whether some fields follow from the market at their instant too. */
export const readsMarket = (fields: readonly string[]): boolean =>
  blocksOf(new Set(fields.map(topOf))).list.some((block) => OF_MARKET.has(block));

/** Derives the moments of a stock on a trade date by the blocks of its fields; null where it has no bar. */
export function dayMoments(
  { reader, calendar }: TapeSource,
  { tape, tradeDate, after, until, hours, fields, markets }: MomentsRequest,
  kept: Kept | null,
  isCalledOff: () => boolean,
): DayMoments | null {
  const session = calendar.session(tradeDate);
  if (session === null) return null;
  const last = Math.min(until, session.postClose);
  const whole = readBarsView(reader, tape, calendar, tradeDate, last);
  if (whole === null || whole.intradayInterval === null) return null;
  const barMs = INTERVAL_MS[whole.intradayInterval];
  const isKnown = readsMarket(fields) ? (end: number) => end in markets : () => true;
  const at = endsOf(whole.intraday.time, barMs, session, hours).filter(
    (end) => end > after && end <= last && isKnown(end),
  );
  const tops = new Set(fields.map(topOf));
  const derive = rowDeriver(tops);
  const isOfBars = [...tops].every((top) => BAR_FIELDS.has(top));
  const readView = isOfBars ? readBarsView : readStockView;
  const columns = new FieldColumns(fields, at.length);
  for (const [row, instant] of at.entries()) {
    if (isCalledOff()) return null;
    const view = readView(reader, tape, calendar, tradeDate, instant);
    if (view === null) continue;
    columns.put(row, derive(view as StockView, markets[instant] ?? NO_MARKET, kept));
  }
  const { numbers, texts } = columns;
  const bars = barsInSession(whole.intraday, session);
  return { symbol: tape.symbol, tradeDate, session, at, numbers, texts, bars, barMs };
}

/** Ends of bars that begin in some hours. */
export function endsOf(
  time: Float64Array,
  barMs: number,
  { open, close }: Pick<SessionBounds, 'open' | 'close'>,
  hours: Hours,
): Float64Array {
  const [from, to] =
    hours === 'all' ? [0, time.length] : [rowAtOrAfter(time, open), rowAtOrAfter(time, close)];
  return time.slice(from, to).map((begin) => begin + barMs);
}

/** Of bars of a trade date those of its regular session. */
export function barsInSession(
  bars: BarColumns,
  { open, close }: Pick<SessionBounds, 'open' | 'close'>,
): SessionBarsSoFar {
  const [from, to] = [rowAtOrAfter(bars.time, open), rowAtOrAfter(bars.time, close)];
  const columns = barColumns((name) => bars[name].subarray(from, to));
  return { ...columns, minute: minutesFrom(columns, open) };
}
