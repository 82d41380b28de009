import type { LevelFamily } from '../../src/analysis/level-ladder.ts';
import {
  type LevelEvent,
  levelEvents,
  placeboPrice,
  placeboWeights,
  rangeSoFar,
  type SessionBars,
  stratumOf,
} from '../../src/analysis/records/level-events.ts';
import { DAY_MS, dateOf } from '../../src/base/calendar.ts';
import type { CountedDate } from '../../src/records/estimate/record.ts';
import { controlsOf, SUM_FIELDS, type Sum } from '../../src/records/events.ts';
import { normalsOf } from './claim-worlds.ts';

/**
 * Worlds of one-minute bars in which prints bounce between bid and ask, volatility clusters from day to day and minute to
 * minute, tails are fat and stocks move together; with the fixed levels of each day by the rules of their families.
 */

export interface BounceRecipe {
  readonly symbols: number;
  readonly dates: number;
  /** Between bid and ask, from the middle, in basis points of the price. */
  readonly bounceBps: number;
  /** Share of the variance that all stocks have in common. */
  readonly common: number;
  /** Family whose touches push price away, and the share of them that do. */
  readonly planted?: { readonly family: LevelFamily; readonly share: number } | undefined;
  /** Families that have levels; absent for all that this world knows. */
  readonly families?: readonly LevelFamily[] | undefined;
}

interface WorldLevel {
  readonly family: LevelFamily;
  readonly price: number;
  readonly fromMinute: number;
}

/** A session of one stock. */
interface WorldSession {
  readonly symbol: number;
  readonly date: number;
  readonly atr: number;
  readonly priorClose: number;
  readonly bars: SessionBars;
  readonly levels: readonly WorldLevel[];
}

const MINUTES = 390;
const PRINTS = 4;
const WARM_UP = 30;
const DAILY = 0.014;
/** So long, and so far in ATR, a level that holds by nature pushes price away. */
const PUSH_MINUTES = 25;
const PUSH_ATR = 0.3;

interface Day {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volumeAt: readonly [poc: number, high: number, low: number];
}

/** The sessions of a world, one date after the other, of all its stocks. */
function* bounceWorld(seed: number, recipe: BounceRecipe): Generator<WorldSession> {
  const { symbols, dates, bounceBps, common, planted } = recipe;
  const [ofMarket, ofStock] = [Math.sqrt(common), Math.sqrt(1 - common)];
  const { random, normal } = normalsOf(seed);
  const isWanted = (family: LevelFamily): boolean => recipe.families?.includes(family) ?? true;
  const shape = Float64Array.from(
    { length: MINUTES },
    (_, at) => 1 + 1.2 * (Math.abs(at - MINUTES / 2) / (MINUTES / 2)) ** 3,
  );
  const scale = Math.sqrt(PRINTS * shape.reduce((sum, value) => sum + value * value, 0));
  const stocks = Array.from({ length: symbols }, () => ({
    middle: 60 + 240 * random(),
    close: Number.NaN,
    days: [] as Day[],
  }));
  const market = new Float64Array(MINUTES * PRINTS);
  const minute = Int32Array.from({ length: MINUTES }, (_, at) => at);
  let volatility = 0;
  for (let day = 0; day < dates + WARM_UP; day++) {
    volatility = 0.92 * volatility + 0.2 * normal();
    // One move in twenty is three times as large: a kurtosis of about nine.
    for (let at = 0; at < market.length; at++) market[at] = normal() * (random() < 0.05 ? 3 : 0.77);
    const night = normal();
    for (const [symbol, stock] of stocks.entries()) {
      const own = DAILY * Math.exp(volatility + 0.3 * normal());
      const prior = stock.close;
      const { days } = stock;
      const atr = atrOf(days);
      stock.middle *= Math.exp(0.5 * own * (ofMarket * night + ofStock * normal()));
      const nightEnds = [stock.middle, stock.middle * Math.exp(0.3 * own * normal()), prior];
      const standing =
        day < WARM_UP
          ? []
          : standingLevels(days, Math.max(...nightEnds), Math.min(...nightEnds), atr, normal).filter(
              ({ family }) => isWanted(family),
            );
      const push = planted && standing.filter(({ family }) => family === planted.family);
      const armed = new Int8Array(push?.length ?? 0);
      let [pushes, direction] = [0, 0];
      const column = () => new Float64Array(MINUTES);
      const bars = { minute, open: column(), high: column(), low: column(), close: column() };
      let busy = 0;
      const printed = (): number => {
        const side = random() < 0.5 ? -1 : 1;
        return Math.round(stock.middle * (1 + side * bounceBps * 1e-4) * 100) / 100;
      };
      for (let at = 0; at < MINUTES; at++) {
        busy = 0.95 * busy + 0.15 * normal();
        const size = (own * Math.exp(busy - 0.1) * shape[at]!) / scale;
        let [high, low, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
        for (let print = 0; print < PRINTS; print++) {
          const fat = normal() * (random() < 0.05 ? 3 : 0.77);
          stock.middle *= Math.exp(size * (ofMarket * market[at * PRINTS + print]! + ofStock * fat));
          last = printed();
          if (print === 0) bars.open[at] = last;
          if (last > high) high = last;
          if (last < low) low = last;
        }
        bars.high[at] = high;
        bars.low[at] = low;
        bars.close[at] = last;
        if (pushes-- > 0) stock.middle += (direction * PUSH_ATR * atr) / PUSH_MINUTES;
        for (const [level, { price }] of push?.entries() ?? []) {
          const away = (stock.middle - price) / atr;
          if (armed[level]! * away < 0) {
            if (random() < planted!.share) [pushes, direction] = [PUSH_MINUTES, armed[level]!];
            armed[level] = 0;
          }
          if (Math.abs(away) >= 0.15) armed[level] = Math.sign(away);
        }
      }
      const top = bars.high.reduce((a, b) => Math.max(a, b));
      const bottom = bars.low.reduce((a, b) => Math.min(a, b));
      stock.close = bars.close[MINUTES - 1]!;
      days.push({ high: top, low: bottom, close: stock.close, volumeAt: valueArea(bars.close) });
      if (day < WARM_UP) continue;
      const opening = isWanted('opening') ? openingLevels(bars) : [];
      yield {
        symbol,
        date: day - WARM_UP,
        atr,
        priorClose: prior,
        bars: { ...bars, range: rangeSoFar(bars) },
        levels: withoutTwins([...standing, ...opening], atr),
      };
    }
  }
}

function withoutTwins(levels: readonly WorldLevel[], atr: number): WorldLevel[] {
  const kept: WorldLevel[] = [];
  for (const level of levels)
    if (
      !kept.some(({ family, price }) => family === level.family && Math.abs(price - level.price) <= 0.1 * atr)
    )
      kept.push(level);
  return kept;
}

function atrOf(days: readonly Day[]): number {
  const last = days.slice(-15);
  const ranges = last
    .slice(1)
    .map(({ high, low }, at) => Math.max(high, last[at]!.close) - Math.min(low, last[at]!.close));
  return ranges.reduce((sum, range) => sum + range, 0) / ranges.length;
}

/** Median of the closes and the tenths around it: where most traded, and about seven tenths of it. */
function valueArea(close: Float64Array): Day['volumeAt'] {
  const sorted = close.toSorted();
  return [sorted[195]!, sorted[331]!, sorted[58]!];
}

function standingLevels(
  days: readonly Day[],
  nightHigh: number,
  nightLow: number,
  atr: number,
  normal: () => number,
): WorldLevel[] {
  const prior = days.at(-1)!;
  const { high, low, close } = prior;
  const pivot = (high + low + close) / 3;
  const top = (count: number, upTo = days.length) =>
    Math.max(...days.slice(upTo - count, upTo).map((day) => day.high));
  const bottom = (count: number, upTo = days.length) =>
    Math.min(...days.slice(upTo - count, upTo).map((day) => day.low));
  const mean = (count: number) => days.slice(-count).reduce((sum, day) => sum + day.close, 0) / count;
  const week = days.length - (days.length % 5);
  const round = close > 100 ? 5 : 2.5;
  const of = (family: LevelFamily, ...prices: number[]): WorldLevel[] =>
    prices.map((price) => ({ family, price, fromMinute: 0 }));
  const range = high - low;
  return [
    ...of('prior_day', high, low, close),
    ...of('prior_week', top(5, week), bottom(5, week)),
    ...of('prior_month', top(20, week), bottom(20, week)),
    ...of('pivot', pivot, 2 * pivot - low, 2 * pivot - high, pivot + range, pivot - range),
    ...of('pivot', high + 2 * (pivot - low), low - 2 * (high - pivot), (high + low) / 2),
    ...of('overnight', nightHigh, nightLow),
    ...of('prior_profile', ...prior.volumeAt),
    ...of('recent_range', top(3), bottom(3)),
    ...of('moving_average', mean(5), mean(10), mean(20)),
    ...of('round_number', Math.floor(close / round) * round, Math.ceil(close / round) * round),
    ...of(
      'options',
      close + 0.6 * atr * normal(),
      close + 0.6 * atr * normal(),
      close + 0.6 * atr * normal(),
    ),
  ];
}

function openingLevels({ high, low }: Pick<SessionBars, 'high' | 'low'>): WorldLevel[] {
  return [5, 15, 30, 60].flatMap((minutes) => {
    const top = Math.max(...high.subarray(0, minutes));
    const bottom = Math.min(...low.subarray(0, minutes));
    const far = minutes < 60 ? [] : [top + (top - bottom) / 2, bottom - (top - bottom) / 2];
    return [top, bottom, ...far].map((price) => ({ family: 'opening' as const, price, fromMinute: minutes }));
  });
}

/** Sessions before, whose levels serve as placebos. */
const PLACEBO_SESSIONS = 10;

/** What the rules of records count in a world, by date. */
export function countedWorld(seed: number, recipe: BounceRecipe): CountedDate[] {
  const days = Array.from({ length: recipe.dates }, (_, at) => ({
    tradeDate: dateOf((at + 1) * DAY_MS),
    sums: new Map<string, Map<number, Sum>>(),
  }));
  const earlier = Array.from({ length: recipe.symbols }, () => [] as WorldSession[]);
  for (const session of bounceWorld(seed, recipe)) {
    const { symbol, date, atr, bars, levels } = session;
    const { sums } = days[date]!;
    const count = (key: string, event: LevelEvent, weight = 1) => {
      if (weight === 0 || (event.outcome !== 'true' && event.outcome !== 'false')) return;
      const cells = sums.getOrInsertComputed(key, () => new Map<number, Sum>());
      const sum = cells.getOrInsertComputed(stratumOf(event, event.price, bars.open[0]!, atr), (stratum) => ({
        ...(Object.fromEntries(SUM_FIELDS.map((field) => [field, 0])) as Sum),
        stratum,
      }));
      sum.controls++;
      sum.events += weight;
      if (event.outcome === 'true') sum.true += weight;
    };
    const eventsAt = (price: readonly number[], of: readonly WorldLevel[]) => {
      const fromMinute = Int32Array.from(of, (level) => level.fromMinute);
      return levelEvents(bars, { price: Float64Array.from(price), fromMinute }, atr);
    };
    const pricesOf = (of: readonly WorldLevel[]) => of.map(({ price }) => price);
    for (const event of eventsAt(pricesOf(levels), levels)) count(levels[event.level]!.family, event);
    const past = earlier[symbol]!;
    const was = Map.groupBy(
      past.flatMap((before) => before.levels.map((level) => ({ ...level, before }))),
      ({ family }) => family,
    );
    for (const [family, own] of was) {
      const price = own.map((level) => placeboPrice(level.price, level.before, session));
      const standing = levels.filter((level) => level.family === family && level.fromMinute === 0);
      const weights = placeboWeights(price, pricesOf(standing), atr);
      for (const event of eventsAt(price, own)) count(controlsOf(family), event, weights[event.level]);
    }
    past.push(session);
    if (past.length > PLACEBO_SESSIONS) past.shift();
  }
  return days.map(({ tradeDate, sums }) => ({
    tradeDate,
    sums: Object.fromEntries([...sums].map(([key, cells]) => [key, [...cells.values()]])),
  }));
}
