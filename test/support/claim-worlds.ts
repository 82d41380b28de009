import { WITHIN_ONE_DEVIATION } from '../../src/records/expected-move.ts';
import { impliedMove } from '../../src/analysis/records/implied-move.ts';
import {
  levelEvents,
  movingLevelEvents,
  placeboWeights,
  rangeSoFar,
  type SessionBars,
  STRATA,
  stratumOf,
} from '../../src/analysis/records/level-events.ts';
import {
  type MovingLevel,
  movingLevels,
  withoutTwinPaths,
} from '../../src/analysis/records/moving-levels.ts';
import { barColumns } from '../../src/market/observations.ts';
import type { StratifiedCounts } from '../../src/records/estimate/estimate.ts';
import { mulberry32 } from './daily-recipe.ts';

/**
 * Worlds in which the worth of claims is known, so that intervals can be held to how often they cover it. What makes
 * events depend on each other is in both: a factor of the whole market, days of trend, clustered volatility.
 */

/** Two draws of the normal distribution at a time (G. E. P. Box, M. E. Muller, 1958). */
export function normalsOf(seed: number) {
  const random = mulberry32(seed);
  let spare = Number.NaN;
  const normal = (): number => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  return { random, normal };
}

/** Bars of a session, five minutes apart. */
const BARS = 78;
const BAR_MINUTES = 5;
const WARM_UP = 14;
/** Real levels of a symbol and day, and dates whose levels serve as placebos. */
const REAL = 4;
const PLACEBO_DATES = 4;
const PLACEBO_BACK = 10;
/** So long, and so far in ATR, a level that holds by nature pushes price away. */
const PUSH_BARS = 8;
const PUSH_ATR = 0.35;

/** Sums by date and stratum of what the product makes of a world's bars, and by date of the first symbol alone. */
export interface LevelSums {
  readonly events: StratifiedCounts;
  readonly controls: StratifiedCounts;
  readonly ofFirst: { readonly events: Float64Array; readonly true: Float64Array };
}

/**
 * A world of levels at the prior day's high, low, close and middle.
 *
 * @param pushed share of the touches of real levels from which price is pushed away; 0 makes levels useless
 */
export function levelWorld(seed: number, symbols: number, dates: number, pushed: number): LevelSums {
  const { random, normal } = normalsOf(seed);
  const shape = Float64Array.from(
    { length: BARS },
    (_, bar) => 1 + 1.2 * (Math.abs(bar - BARS / 2) / (BARS / 2)) ** 3,
  );
  const scale = Math.sqrt(shape.reduce((sum, value) => sum + value * value, 0));
  const sums = (): { strata: number; events: Float64Array; true: Float64Array } => ({
    strata: STRATA,
    events: new Float64Array(dates * STRATA),
    true: new Float64Array(dates * STRATA),
  });
  const [events, controls] = [sums(), sums()];
  const ofFirst = { events: new Float64Array(dates), true: new Float64Array(dates) };
  const states = Array.from({ length: symbols }, () => ({
    close: 100,
    atr: 1.6,
    ranges: [] as number[],
    /** Distances of the levels of each day from the close before it, in ATR. */
    distances: [] as Float64Array[],
  }));
  const minute = Int32Array.from({ length: BARS }, (_, bar) => bar * BAR_MINUTES);
  const column = () => new Float64Array(BARS);
  const bars: SessionBars = {
    minute,
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    range: column(),
  };
  const market = new Float64Array(BARS);
  let volatility = 0;
  for (let day = 0; day < dates + WARM_UP; day++) {
    volatility = 0.9 * volatility + 0.25 * normal();
    const trend = random() < 0.2 ? (Math.sign(normal()) * 1.1) / BARS : 0;
    for (let bar = 0; bar < BARS; bar++) market[bar] = Math.sqrt(0.4) * normal();
    const night = normal();
    for (const [at, state] of states.entries()) {
      const own = Math.exp(volatility - 0.1 + 0.2 * normal());
      const { close: prior, atr } = state;
      const date = day - WARM_UP;
      const distances = state.distances.at(-1) ?? new Float64Array(0);
      const real = distances.map((distance) => prior + distance * atr);
      let price = prior + 0.35 * own * (Math.sqrt(0.4) * night + Math.sqrt(0.6) * normal());
      const first = price;
      const armed = new Int8Array(REAL);
      let pushes = 0;
      let direction = 0;
      let before = 0;
      let [top, bottom] = [price, price];
      for (let bar = 0; bar < BARS; bar++) {
        const noise = own * (shape[bar]! / scale) * (market[bar]! + Math.sqrt(0.6) * normal());
        bars.open[bar] = price;
        // A print at the bid follows one at the ask.
        price +=
          noise - 0.12 * before + own * trend + (pushes-- > 0 ? (direction * PUSH_ATR * atr) / PUSH_BARS : 0);
        before = noise;
        bars.close[bar] = price;
        bars.high[bar] = Math.max(bars.open[bar]!, price);
        bars.low[bar] = Math.min(bars.open[bar]!, price);
        top = Math.max(top, price);
        bottom = Math.min(bottom, price);
        if (pushed === 0) continue;
        for (const [level, value] of real.entries()) {
          const away = (price - value) / atr;
          if (armed[level]! * away < 0) {
            if (away * armed[level]! > -0.25 && random() < pushed) {
              pushes = PUSH_BARS;
              direction = armed[level]!;
            }
            armed[level] = 0;
          }
          if (Math.abs(away) >= 0.15) armed[level] = Math.sign(away);
        }
      }
      if (date >= 0) {
        const drawn = Array.from(
          { length: PLACEBO_DATES },
          () => state.distances.at(-2 - Math.floor(random() * PLACEBO_BACK))!,
        );
        bars.range.set(rangeSoFar(bars));
        const placebo = Float64Array.from(
          drawn.flatMap((own) => [...own]),
          (far) => prior + far * atr,
        );
        const weights = placeboWeights([...placebo], [...real], atr);
        for (const [levels, into] of [
          [real, events],
          [placebo, controls],
        ] as const) {
          const fromMinute = new Int32Array(levels.length);
          for (const event of levelEvents(bars, { price: levels, fromMinute }, atr)) {
            if (event.outcome !== 'true' && event.outcome !== 'false') continue;
            const cell = date * STRATA + stratumOf(event, levels[event.level]!, first, atr);
            const weight = into === controls ? weights[event.level]! : 1;
            const held = event.outcome === 'true' ? weight : 0;
            into.events[cell]! += weight;
            into.true[cell]! += held;
            if (at > 0 || into === controls) continue;
            ofFirst.events[date]!++;
            ofFirst.true[date]! += held;
          }
        }
      }
      state.ranges.push(Math.max(top, prior) - Math.min(bottom, prior));
      state.atr =
        state.ranges.slice(-WARM_UP).reduce((sum, range) => sum + range, 0) /
        Math.min(state.ranges.length, WARM_UP);
      state.close = price;
      state.distances.push(
        Float64Array.of(top - price, bottom - price, 0, (top + bottom + price) / 3 - price).map(
          (away) => away / state.atr,
        ),
      );
    }
  }
  return { events, controls, ofFirst };
}

const MINUTES = 390;
/** Moves within a bar. */
const MOVES = 3;

/** Sums of the moving levels of a family, and of the paths that they took on the sessions before. */
type MovingSums = Readonly<Record<'vwap' | 'developing_profile', Pick<LevelSums, 'events' | 'controls'>>>;

/** A world in which price walks at random, of a volatility that clusters, so that no level that moves is worth anything. */
export function movingWorld(seed: number, symbols: number, dates: number): MovingSums {
  const { normal } = normalsOf(seed);
  const shape = Float64Array.from(
    { length: MINUTES },
    (_, bar) => 1 + 1.2 * (Math.abs(bar - MINUTES / 2) / (MINUTES / 2)) ** 3,
  );
  const scale = Math.sqrt(MOVES * shape.reduce((sum, value) => sum + value * value, 0));
  const sums = () => ({
    strata: STRATA,
    events: new Float64Array(dates * STRATA),
    true: new Float64Array(dates * STRATA),
  });
  const world = {
    vwap: { events: sums(), controls: sums() },
    developing_profile: { events: sums(), controls: sums() },
  };
  const states = Array.from({ length: symbols }, () => ({
    close: 100,
    ranges: [] as number[],
    /** What moved on the sessions before, as far from the prior close, in ATR. */
    days: [] as MovingLevel[][],
  }));
  const minute = Int32Array.from({ length: MINUTES }, (_, bar) => bar);
  let volatility = 0;
  for (let day = 0; day < dates + WARM_UP; day++) {
    volatility = 0.9 * volatility + 0.25 * normal();
    const market = Float64Array.from({ length: MINUTES * MOVES }, () => Math.sqrt(0.4) * normal());
    for (const state of states) {
      const own = Math.exp(volatility - 0.1 + 0.2 * normal());
      const prior = state.close;
      const atr = state.ranges.slice(-WARM_UP).reduce((sum, range) => sum + range / WARM_UP, 0);
      const bars = barColumns(() => new Float64Array(MINUTES));
      let price = prior + 0.35 * own * normal();
      for (let bar = 0; bar < MINUTES; bar++) {
        const seen = [price];
        for (let move = 0; move < MOVES; move++) {
          const common = market[bar * MOVES + move]!;
          price += own * (shape[bar]! / scale) * (common + Math.sqrt(0.6) * normal());
          seen.push(price);
        }
        bars.open[bar] = seen[0]!;
        bars.high[bar] = Math.max(...seen);
        bars.low[bar] = Math.min(...seen);
        bars.close[bar] = price;
        bars.volume[bar] = Math.round(10_000 * shape[bar]! * Math.exp(normal() / 2));
      }
      const moving = day < WARM_UP ? [] : withoutTwinPaths(movingLevels(bars), atr);
      const session = { minute, ...bars, range: rangeSoFar(bars) };
      const count = (into: LevelSums['events'], path: Float64Array): void => {
        for (const event of movingLevelEvents(session, path, atr)) {
          if (event.outcome !== 'true' && event.outcome !== 'false') continue;
          const cell = (day - WARM_UP) * STRATA + stratumOf(event, event.price, bars.open[0]!, atr);
          into.events[cell]!++;
          into.true[cell]! += event.outcome === 'true' ? 1 : 0;
        }
      };
      for (const { family, path } of moving) count(world[family as keyof MovingSums].events, path);
      for (const { family, path } of state.days.flat())
        count(
          world[family as keyof MovingSums].controls,
          path.map((far) => prior + far * atr),
        );
      state.days.push(
        moving.map((level) => ({ ...level, path: level.path.map((at) => (at - prior) / atr) })),
      );
      if (state.days.length > PLACEBO_BACK) state.days.shift();
      state.ranges.push(Math.max(...bars.high, prior) - Math.min(...bars.low, prior));
      state.close = price;
    }
  }
  return world;
}

const STOCKS = 60;
/** Sessions within which a pattern reaches its target or its invalidation, and how far both are, in daily ATR. */
export const HORIZON = 20;
const TARGET = 2;
const INVALIDATION = 1.5;
const TREND_DATES = 10;

export interface ExcessSums {
  readonly events: Float64Array;
  readonly true: Float64Array;
  /** What events had above the share of that date's stocks without one that reached the same target. */
  readonly excess: Float64Array;
}

/**
 * A world of patterns that appear together after the market rose, in regimes of some 50 sessions.
 *
 * @param drift of a stock in the sessions after its pattern, in daily ATR; 0 makes patterns useless
 */
export function patternWorld(seed: number, dates: number, drift: number): ExcessSums {
  const { random, normal } = normalsOf(seed);
  const length = dates + HORIZON + TREND_DATES;
  const market = new Float64Array(length);
  const paths = Array.from({ length: STOCKS }, () => new Float64Array(length));
  let regime = 1;
  let volatility = 0;
  for (let day = 0; day < length; day++) {
    if (random() < 0.02) regime = -regime;
    volatility = 0.95 * volatility + 0.12 * normal();
    const deviation = 0.62 * Math.exp(volatility - 0.07);
    market[day] = deviation * Math.sqrt(0.35) * (normal() + 0.12 * regime);
    for (const path of paths)
      path[day] = (path[day - 1] ?? 0) + market[day]! + deviation * Math.sqrt(0.65) * normal();
  }
  /** Whether the target comes before the invalidation. */
  const wins = (path: Float64Array, from: number, lift: number): boolean => {
    for (let after = 1; after <= HORIZON; after++) {
      const move = path[from + after]! - path[from]! + lift * after;
      if (move <= -INVALIDATION) return false;
      if (move >= TARGET) return true;
    }
    return false;
  };
  const sums = {
    events: new Float64Array(dates),
    true: new Float64Array(dates),
    excess: new Float64Array(dates),
  };
  const busyUntil = new Int32Array(STOCKS);
  for (let date = 0; date < dates; date++) {
    const day = date + TREND_DATES - 1;
    const trend = market.subarray(day - 4, day + 1).reduce((sum, move) => sum + move, 0);
    const chance = { events: 0, true: 0 };
    for (const [stock, path] of paths.entries()) {
      if (busyUntil[stock]! <= date && random() < 0.012 * Math.exp(0.9 * trend)) {
        busyUntil[stock] = date + HORIZON;
        sums.events[date]!++;
        if (wins(path, day, drift)) sums.true[date]!++;
      } else {
        chance.events++;
        if (wins(path, day, 0)) chance.true++;
      }
    }
    sums.excess[date] = sums.true[date]! - (sums.events[date]! * chance.true) / Math.max(chance.events, 1);
  }
  return sums;
}

/** Sessions up to the expirations of a chain, and those that a trade is held. */
const LIVES = [2, 5, 10, 21, 63];
export const HOLDING = 5;

/** Volatility of each session and its shocks of the market, which come in clusters. */
function clustered(normal: () => number, length: number) {
  const deviation = new Float64Array(length);
  const market = new Float64Array(length);
  let volatility = 0;
  for (let day = 0; day < length; day++) {
    volatility = 0.95 * volatility + 0.12 * normal();
    deviation[day] = 0.016 * Math.exp(volatility);
    market[day] = normal();
  }
  const moveOn = (day: number): number =>
    deviation[day]! * (Math.sqrt(0.4) * market[day]! + Math.sqrt(0.6) * normal());
  return { deviation, moveOn };
}

/**
 * A world of moves of a session that options know the deviation of.
 *
 * @param dearness by which they quote it too wide
 */
export function expectedMoveWorld(
  seed: number,
  symbols: number,
  dates: number,
  dearness: number,
): ExcessSums {
  const { normal } = normalsOf(seed);
  const { deviation, moveOn } = clustered(normal, dates);
  const sums = emptySums(symbols, dates);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (let date = 0; date < dates; date++) {
      const came = Number(Math.abs(Math.expm1(moveOn(date))) <= dearness * deviation[date]!);
      sums.true[date]! += came;
      sums.excess[date]! += came - WITHIN_ONE_DEVIATION;
    }
  }
  return sums;
}

const emptySums = (symbols: number, dates: number) => ({
  events: new Float64Array(dates).fill(symbols),
  true: new Float64Array(dates),
  excess: new Float64Array(dates),
});

/**
 * A world of chains whose premiums are right but for noise, on stocks without drift.
 *
 * @param isCheapest whether the cheapest expiration is recommended, else any, which is useless
 */
export function expirationWorld(
  seed: number,
  symbols: number,
  dates: number,
  isCheapest: boolean,
): ExcessSums {
  const { random, normal } = normalsOf(seed);
  const length = dates + HOLDING;
  const { deviation, moveOn } = clustered(normal, length);
  const sums = emptySums(symbols, dates);
  for (let symbol = 0; symbol < symbols; symbol++) {
    // The price at each close, the first before the first session.
    const price = new Float64Array(length + 1).fill(100);
    for (let day = 0; day < length; day++) {
      price[day + 1] = price[day]! * Math.exp(moveOn(day) - deviation[day]! ** 2 / 2);
    }
    for (let date = 0; date < dates; date++) {
      const quoted = LIVES.map(() => deviation[date]! * Math.sqrt(252) * Math.exp(0.12 * normal()));
      const best = isCheapest ? quoted.indexOf(Math.min(...quoted)) : Math.floor(random() * LIVES.length);
      const came = LIVES.map((sessions, at) => {
        const move = price[date + Math.min(sessions, HOLDING)]! / price[date]! - 1;
        return move > impliedMove(quoted[at]!, sessions / 252, sessions, HOLDING) ? 1 : 0;
      });
      const all = came.reduce<number>((total, one) => total + one, 0);
      sums.true[date]! += came[best]!;
      sums.excess[date]! += came[best]! - (all - came[best]!) / (LIVES.length - 1);
    }
  }
  return sums;
}
