import { ema, sma } from '../analysis/indicators/averages.ts';
import { atr } from '../analysis/indicators/true-range.ts';
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
import { sessionBars } from '../analysis/records/level-events.ts';
import { movingLevels } from '../analysis/records/moving-levels.ts';
import { intradayBars, MINUTE_MS, priceRange, regularRows, sliceBars } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { instantOrNull } from '../base/wire.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import type { Known, NestedOf } from './block.ts';
import { patterns } from './patterns.ts';

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

/** Says of a level of the ladder what became of it in the session so far. */
export function levelsToday(view: StockView, known: Known): (level: Named) => LevelToday {
  const session = seenSession(view);
  if (session === null) return () => UNKNOWN;
  const { bars } = session;
  const last = bars.minute.length - 1;
  const all = { from: 0, to: last + 1 };
  const traded = priceRange(bars, all);
  const placeOf = placesOf(view, known, session);
  const closedBy = view.asOf >= view.session.close ? last : -1;
  const endOf = (row: number): string | null =>
    row < 0 ? null : instantOrNull(session.columns.time[row]! + session.barMs);
  return (level) => {
    const place = placeOf(level);
    if (place === null) return UNKNOWN;
    const isOut = place.length === 1 && !(isDownTo(traded.low, place[0]!) && isUpTo(traded.high, place[0]!));
    if (isOut) return UNTOUCHED;
    const track = newTrack();
    trackBars(track, session, place, all, level.family === 'opening' ? madeInMinutes(level.name) : 0);
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
function seenSession(view: StockView): SeenSession | null {
  const { daily, priorRow, session, intradayWhole, intradayCutAt, part } = view;
  const all = intradayBars(view.intraday, view.intradayInterval, view.asOf);
  const rows = regularRows(all, session);
  if (rows === null || rows.from >= rows.to) return null;
  if (!intradayWhole || intradayCutAt !== null || part !== null) return null;
  const { high, low, close } = sliceBars(daily, { from: 0, to: priorRow + 1 });
  const priorAtr = atr(high, low, close, 14)[priorRow] ?? Number.NaN;
  if (!(priorAtr > 0)) return null;
  const columns = sliceBars(all.columns, rows);
  return {
    bars: sessionBars(columns, session.open),
    atr: priorAtr,
    gapMinutes: gapMinutesOf(all.barMs / MINUTE_MS),
    columns,
    barMs: all.barMs,
  };
}

/** Where a level was over the session: one price, or where it was at the end of each bar. Null where that is not known. */
function placesOf(
  view: StockView,
  known: Known,
  session: SeenSession,
): (level: Named) => Float64Array | null {
  const { asOf, daily, priorRow } = view;
  const isClosed = priorRow < daily.time.length - 1;
  const still = new Float64Array(1);
  let paths: Readonly<Record<string, Float64Array>> | null = null;
  const pathOf = (name: string): Float64Array | null => {
    paths ??= Object.fromEntries(movingLevels(session.columns).map((level) => [level.name, level.path]));
    return paths[name] ?? null;
  };
  const averageOf = averagesAfterFirstMinute(view, session);
  return ({ name, family, price }) => {
    if (family === 'vwap' || family === 'developing_profile') return pathOf(name);
    if (family === 'moving_average') return averageOf(name);
    if (family === 'pattern' && isClosed && !isFrozen(name, price, view, known(patterns).nested)) return null;
    if (family === 'opening' && asOf < view.session.open + madeInMinutes(name) * MINUTE_MS) return null;
    still[0] = price;
    return still;
  };
}

/**
 * Says where the moving averages of daily closes were for the records: with the close of the first minute as the newest.
 */
function averagesAfterFirstMinute(
  { daily, priorRow }: StockView,
  { bars, columns, barMs }: SeenSession,
): (name: string) => Float64Array {
  const isFirst = bars.minute[0] === 0 && barMs === MINUTE_MS;
  const closes = new Float64Array(priorRow + (isFirst ? 2 : 1));
  closes.set(daily.close.subarray(0, priorRow + 1));
  if (isFirst) closes[priorRow + 1] = columns.close[0]!;
  return (name) => {
    const [kind, digits] = name.split('_');
    const period = Number(digits);
    return (kind === 'ema' ? ema(closes, period) : sma(closes.slice(-period), period)).slice(-1);
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
