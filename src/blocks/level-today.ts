import { DevelopingProfile } from '../analysis/developing-profile.ts';
import { ema, nextEma, sma } from '../analysis/indicators/averages.ts';
import type { LevelFamily } from '../analysis/level-ladder.ts';
import {
  gapMinutesOf,
  LEVEL_STATES,
  type LevelOutcome,
  newTrack,
  outcomeOf,
  type TrackedSession,
  trackBars,
} from '../analysis/level-state.ts';
import { madeInMinutes } from '../analysis/levels.ts';
import { isDownTo, isUpTo } from '../analysis/records/barriers.ts';
import { minutesFrom } from '../analysis/records/level-events.ts';
import { BANDS, bandOf } from '../analysis/records/moving-levels.ts';
import { MINUTE_MS, priceRange, sliceBars } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { instantOrNull } from '../base/wire.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import type { Known, NestedOf } from './block.ts';
import type { Kept } from './kept.ts';
import { patterns } from './patterns.ts';
import { columnsOf, type SessionColumns } from './session-columns.ts';

/** What became of a level in the session of the trade date. */
export const today = {
  state: wire.nullableOneOf(
    LEVEL_STATES,
    'What became of it in the regular session so far, by its bars: untouched; touched (exactly, or jumped over) and not decided; held (price went 0.25 ATR back, or closed the session on its side); broken (price went 0.25 ATR beyond, or closed the session beyond), which it stays. Opening ranges from the end of their window on; VWAP and the developing profile where they were before each bar, a moving average where it was after the first minute. Null before the first bar, while a range forms, for a level that is of the next session or without a path (developing_hvn), and where the session is not seen whole.',
  ),
  touched_at: wire.nullableDateTime('End of the first bar that reached it.'),
  decided_at: wire.nullableDateTime('End of the bar that broke it, else of the last one by which it held.'),
  holds: wire.nullableInteger('How many times it held.', wire.NOT_NEGATIVE),
};

export interface LevelToday {
  readonly state: LevelOutcome['state'] | null;
  readonly touched_at: string | null;
  readonly decided_at: string | null;
  readonly holds: number | null;
}

const UNKNOWN: LevelToday = { state: null, touched_at: null, decided_at: null, holds: null };
const UNTOUCHED: LevelToday = { state: 'untouched', touched_at: null, decided_at: null, holds: 0 };

type Named = { readonly name: string; readonly family: LevelFamily; readonly price: number };

/** Bars for which the developing profile is worked out at once, while one of its levels is not broken. */
const BARS_AT_ONCE = 32;

/** Says of a level of the ladder what became of it in the session so far. */
export function levelsToday(view: StockView, known: Known, kept: Kept | null): (level: Named) => LevelToday {
  const session = seenSession(view, columnsOf(known));
  if (session === null) return () => UNKNOWN;
  const { bars } = session;
  const rows = bars.minute.length;
  const traded = priceRange(bars, { from: 0, to: rows });
  const placeOf = placesOf(view, known, session, kept);
  const closedBy = view.asOf >= view.session.close ? rows - 1 : -1;
  const endOf = (row: number): string | null =>
    row < 0 ? null : instantOrNull(session.columns.time[row]! + session.barMs);
  return (level) => {
    const place = placeOf(level);
    if (place === null) return UNKNOWN;
    const { price, fill } = place;
    const isOut = typeof price === 'number' && !(isDownTo(traded.low, price) && isUpTo(traded.high, price));
    if (isOut) return UNTOUCHED;
    const track = newTrack();
    const fromMinute = level.family === 'opening' ? madeInMinutes(level.name) : 0;
    const atOnce = fill === undefined ? rows : BARS_AT_ONCE;
    for (let from = 0; from < rows && track.broken < 0; from += atOnce) {
      const to = Math.min(rows, from + atOnce);
      fill?.(to);
      trackBars(track, session, price, { from, to }, fromMinute);
    }
    const { state, touched, decided, holds } = outcomeOf(track, bars, closedBy);
    return { state, touched_at: endOf(touched), decided_at: endOf(decided), holds };
  };
}

interface SeenSession extends TrackedSession {
  /** The regular bars so far, at least one. */
  readonly columns: BarColumns;
  readonly barMs: number;
}

/** Null before the first bar, where a part of the session is not seen, and without an ATR. */
function seenSession(view: StockView, { bars, rows, priorAtr }: SessionColumns): SeenSession | null {
  const { session, intradayWhole, intradayCutAt, part } = view;
  if (rows === null || rows.from >= rows.to) return null;
  if (!intradayWhole || intradayCutAt !== null || part !== null) return null;
  if (!(priorAtr > 0)) return null;
  const columns = sliceBars(bars.columns, rows);
  return {
    bars: { ...columns, minute: minutesFrom(columns, session.open) },
    atr: priorAtr,
    gapMinutes: gapMinutesOf(bars.barMs / MINUTE_MS),
    columns,
    barMs: bars.barMs,
  };
}

/** Where a level was over the session. */
interface Place {
  /** One price, or where it was at the end of each bar. */
  readonly price: number | Float64Array;
  /** Works the prices out up to a row; absent where they are there. */
  readonly fill?: (to: number) => void;
}

/** Where the levels were over the session; null where that is not known. */
function placesOf(
  view: StockView,
  known: Known,
  session: SeenSession,
  kept: Kept | null,
): (level: Named) => Place | null {
  const { asOf, daily, priorRow } = view;
  const isClosed = priorRow < daily.time.length - 1;
  const { vwap } = columnsOf(known);
  const profileOf = developingOf(view, session, kept);
  const averageOf = averagesAfterFirstMinute(view, columnsOf(known), session);
  return ({ name, family, price }) => {
    if (family === 'vwap') return { price: bandOf(vwap, BANDS[name as keyof typeof BANDS]) };
    if (family === 'developing_profile') return profileOf(name);
    if (family === 'pattern' && isClosed && !isFrozen(name, price, view, known(patterns).nested)) return null;
    if (family === 'opening' && asOf < view.session.open + madeInMinutes(name) * MINUTE_MS) return null;
    return { price: family === 'moving_average' ? averageOf(name) : price };
  };
}

/** Where a level of the developing profile was; null for its nodes, which have no path. */
function developingOf(
  { symbol, tradeDate }: StockView,
  { columns }: SeenSession,
  kept: Kept | null,
): (name: string) => Place | null {
  let profile: DevelopingProfile | null = null;
  return (name) => {
    const field = /^developing_(poc|vah|val)$/.exec(name)?.[1] as 'poc' | 'vah' | 'val' | undefined;
    if (field === undefined) return null;
    profile ??= kept?.developingProfile(`${symbol} ${tradeDate}`, columns) ?? new DevelopingProfile(columns);
    const whole = profile;
    whole.fill(1);
    return { price: whole[field].subarray(0, columns.time.length), fill: (to) => whole.fill(to) };
  };
}

/**
 * Says where the moving averages of daily closes were for the records: with the close of the first minute as the newest.
 */
function averagesAfterFirstMinute(
  { daily, priorRow }: StockView,
  { prior: { ema9, ema20 } }: SessionColumns,
  { bars, columns, barMs }: SeenSession,
): (name: string) => number {
  const isFirst = bars.minute[0] === 0 && barMs === MINUTE_MS;
  const closesOf = (rows: number): Float64Array => {
    const before = daily.close.subarray(0, priorRow + 1);
    if (!isFirst) return before.slice(-rows);
    const closes = new Float64Array(Math.min(rows, before.length + 1));
    closes.set(before.subarray(before.length + 1 - closes.length));
    closes[closes.length - 1] = columns.close[0]!;
    return closes;
  };
  return (name) => {
    const [kind, digits] = name.split('_');
    const period = Number(digits);
    if (kind !== 'ema') return sma(closesOf(period), period).at(-1)!;
    const prior = period === 9 ? ema9 : ema20;
    // A recurrence of all closes goes on from the last of them.
    if (!Number.isNaN(prior)) return isFirst ? nextEma(prior, columns.close[0]!, period) : prior;
    return ema(closesOf(priorRow + 2), period).at(-1)!;
  };
}

/** Once the session is over patterns are read from its own bar too: only a trigger confirmed before it was a level in it. */
const isFrozen = (
  name: string,
  price: number,
  { session }: StockView,
  found: NestedOf<typeof patterns>,
): boolean =>
  found?.some(
    ({ type, trigger, confirmed_at }) =>
      name === `${type}_trigger` &&
      trigger === price &&
      confirmed_at !== null &&
      Date.parse(confirmed_at) < session.open,
  ) ?? false;
