import { withLate } from '../base/with-late.ts';

/** Reach within which levels support one another, in daily ATR. */
export const CONFLUENCE_ATR = 0.25;
/** Prices no further apart are one zone, daily ATR: a move within it is noise. */
export const NOISE_ATR = 0.1;
/** Levels further away, in daily ATR, are left out; as a rule they are defects of the data. */
export const FARTHEST_ATR = 25;
/** Distances closer than this share of the price are one distance. */
const DUST = 1e-12;

/**
 * Where a level comes from, and how much a level of the family weighs alone, 0 to 1: what more traders watch, and for
 * longer, weighs more. Levels cut from the same prints are one family, or each would confirm the other for nothing: the
 * central pivot range always encloses the pivot, and the opening ranges share the first hour's extremes.
 */
const FAMILY_WEIGHT = {
  prior_day: 0.4,
  prior_week: 0.45,
  prior_month: 0.5,
  pivot: 0.3,
  opening: 0.3,
  overnight: 0.3,
  vwap: 0.35,
  prior_profile: 0.4,
  developing_profile: 0.3,
  recent_range: 0.35,
  moving_average: 0.3,
  pattern: 0.35,
  options: 0.4,
  round_number: 0.15,
};
export type LevelFamily = keyof typeof FAMILY_WEIGHT;

export const LEVEL_FAMILIES = Object.keys(FAMILY_WEIGHT) as LevelFamily[];
// A set of families is an integer, one bit each, in the table's order: ladders are built for every stock of a pass.
const FAMILY_BIT = Object.fromEntries(LEVEL_FAMILIES.map((family, at) => [family, 1 << at])) as Record<
  LevelFamily,
  number
>;

export interface Level {
  readonly name: string;
  readonly family: LevelFamily;
  /** Dollars; a level that is not a positive number is left out. */
  readonly price: number;
}

type LevelSide = 'support' | 'resistance';

/** A level seen from the last price. Distances are level minus price: negative for support. */
export interface LadderRung extends Level {
  /** A level at the last price is support. */
  readonly side: LevelSide;
  readonly distance: number;
  readonly distancePct: number;
  /** In daily ATR; NaN without one. */
  readonly distanceAtr: number;
  /** 0 to 1: one minus the product of (1 - weight) over the families within 0.25 ATR of the level, its own included. */
  readonly strength: number;
}

/** Levels of at least two families within 0.25 daily ATR. */
export interface ConfluenceZone {
  readonly low: number;
  readonly high: number;
  /** `inside` when the last price lies in the zone. */
  readonly side: LevelSide | 'inside';
  /** From the last price to the zone's nearer edge, 0 inside, in daily ATR. */
  readonly distanceAtr: number;
  /** As of a rung, over the zone's families. */
  readonly strength: number;
  /** Without repeats, in the order of `LEVEL_FAMILIES`. */
  readonly families: readonly LevelFamily[];
  /** Names of the levels, highest first. */
  readonly levels: readonly string[];
}

/** True when a level is near enough to be listed; without a daily ATR every level is. */
export function isWithinReach(level: number, lastPrice: number, dailyAtr: number): boolean {
  return !(Math.abs(level - lastPrice) > FARTHEST_ATR * dailyAtr);
}

/**
 * The levels within reach as a ladder around the last price, highest first, levels at one price by name and then family.
 *
 * @param lastPrice dollars, positive
 * @param dailyAtr dollars; NaN (or not positive) leaves everything out that is measured in it
 */
export function levelLadder(levels: readonly Level[], lastPrice: number, dailyAtr: number) {
  const atr = dailyAtr > 0 ? dailyAtr : Number.NaN;
  const known = levels.filter((level) => isListed(level, lastPrice, atr));
  const nearest = (level: Level | null): LadderRung | null =>
    level === null ? null : rung(level, lastPrice, atr, strengthAmong(known, level, CONFLUENCE_ATR * atr));
  const nearestSupport = nearest(highestAtOrBelow(known, lastPrice));
  const nearestResistance = nearest(lowestAbove(known, lastPrice));
  return withLate(
    {
      nearestSupport,
      nearestResistance,
      /** Side of the nearer one within 0.25 daily ATR; `neutral` for none or both; null without levels or an ATR. */
      nearestLevelType: nearestLevelType(nearestSupport, nearestResistance, lastPrice, CONFLUENCE_ATR * atr),
    },
    {
      /** Highest price first; worked out when they are read, as the zones are. */
      rungs: () => ladderRungs(known, lastPrice, dailyAtr),
      /** Highest first; no level is in two. Empty without an ATR. */
      zones: () => ladderZones(known, lastPrice, dailyAtr),
    },
  );
}

const isListed = ({ price }: Level, lastPrice: number, atr: number): boolean =>
  price > 0 && Number.isFinite(price) && isWithinReach(price, lastPrice, atr);

/** Of levels at one price the first in the order of the ladder, as for resistance. */
function highestAtOrBelow(levels: readonly Level[], lastPrice: number): Level | null {
  let found: Level | null = null;
  for (const level of levels) {
    if (!(level.price - lastPrice > 0) && (found === null || byPriceDown(level, found) < 0)) found = level;
  }
  return found;
}

function lowestAbove(levels: readonly Level[], lastPrice: number): Level | null {
  let found: Level | null = null;
  for (const level of levels) {
    if (!(level.price - lastPrice > 0)) continue;
    const isFirst = found === null || level.price < found.price;
    if (isFirst || (level.price === found!.price && byPriceDown(level, found!) < 0)) found = level;
  }
  return found;
}

function strengthAmong(levels: readonly Level[], { family, price }: Level, reach: number): number {
  let set = FAMILY_BIT[family];
  for (const other of levels) {
    const away = other.price > price ? other.price - price : price - other.price;
    if (away <= reach) set |= FAMILY_BIT[other.family];
  }
  return strengthOf(set);
}

export const ladderRungs = (levels: readonly Level[], lastPrice: number, dailyAtr: number): LadderRung[] =>
  rungsOf(sortedLevels(levels, lastPrice, dailyAtr), lastPrice);

export const ladderZones = (
  levels: readonly Level[],
  lastPrice: number,
  dailyAtr: number,
): ConfluenceZone[] => zonesOf(sortedLevels(levels, lastPrice, dailyAtr), lastPrice);

/** Levels in the order of a ladder, with price and family as columns. */
type SortedLevels = Readonly<ReturnType<typeof sortedLevels>>;

function sortedLevels(all: readonly Level[], lastPrice: number, dailyAtr: number) {
  const atr = dailyAtr > 0 ? dailyAtr : Number.NaN;
  const levels = all.filter((level) => isListed(level, lastPrice, atr)).sort(byPriceDown);
  const prices = new Float64Array(levels.length);
  const families = new Int32Array(levels.length);
  for (let at = 0; at < levels.length; at++) {
    prices[at] = levels[at]!.price;
    families[at] = FAMILY_BIT[levels[at]!.family];
  }
  return {
    levels,
    prices,
    /** The family of each as a set of one. */
    families,
    /** NaN without a daily ATR, as is the reach. */
    atr,
    reach: CONFLUENCE_ATR * atr,
  };
}

const rungsOf = (sorted: SortedLevels, lastPrice: number): LadderRung[] =>
  sorted.levels.map((level, at) => rung(level, lastPrice, sorted.atr, strengthAround(sorted, at)));

function byPriceDown(one: Level, other: Level): number {
  return other.price - one.price || compare(one.name, other.name) || compare(one.family, other.family);
}

// Code units, not the locale's order: the same ladder on every machine.
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function rung(level: Level, lastPrice: number, atr: number, strength: number): LadderRung {
  const distance = level.price - lastPrice;
  return {
    name: level.name,
    family: level.family,
    price: level.price,
    side: distance > 0 ? 'resistance' : 'support',
    distance,
    distancePct: (distance / lastPrice) * 100,
    distanceAtr: distance / atr,
    strength,
  };
}

function familyNames(set: number): LevelFamily[] {
  return LEVEL_FAMILIES.filter((family) => set & FAMILY_BIT[family]);
}

function familyCount(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The product of (1 - weight) over every set of families, in the table's order. */
const OPEN = new Float64Array(1 << LEVEL_FAMILIES.length).fill(1);
for (let set = 1; set < OPEN.length; set++) {
  const last = 31 - Math.clz32(set);
  OPEN[set] = OPEN[set ^ (1 << last)]! * (1 - FAMILY_WEIGHT[LEVEL_FAMILIES[last]!]);
}

/** One minus that product: grows with every family and never reaches 1. */
const strengthOf = (set: number): number => 1 - OPEN[set]!;

function strengthAround({ prices, families, reach }: SortedLevels, at: number): number {
  const price = prices[at]!;
  let set = families[at]!;
  for (let up = at - 1; up >= 0 && prices[up]! - price <= reach; up--) set |= families[up]!;
  for (let down = at + 1; down < prices.length && price - prices[down]! <= reach; down++) {
    set |= families[down]!;
  }
  return strengthOf(set);
}

function nearestLevelType(
  support: LadderRung | null,
  resistance: LadderRung | null,
  lastPrice: number,
  reach: number,
): LevelSide | 'neutral' | null {
  if ((support === null && resistance === null) || Number.isNaN(reach)) return null;
  const below = support === null ? Number.POSITIVE_INFINITY : -support.distance;
  const above = resistance === null ? Number.POSITIVE_INFINITY : resistance.distance;
  if (Math.min(below, above) > reach || Math.abs(below - above) <= DUST * lastPrice) return 'neutral';
  return below < above ? 'support' : 'resistance';
}

/** A run of neighbouring levels, `from` up to but not including `to` of a list. */
interface Cluster {
  readonly from: number;
  readonly to: number;
  readonly families: number;
  readonly span: number;
}

/**
 * Zones by greed: of all runs of levels no wider than the reach, the one with most families becomes a zone (then with
 * most levels, then the narrowest, then the highest), and the search goes on without its levels.
 */
function zonesOf(sorted: SortedLevels, lastPrice: number): ConfluenceZone[] {
  const zones: ConfluenceZone[] = [];
  const left = { prices: sorted.prices.slice(), families: sorted.families.slice() };
  const levels = [...sorted.levels];
  for (;;) {
    const best = bestCluster(left.prices, left.families, levels.length, sorted.reach);
    if (best === null) break;
    const { from, to } = best;
    zones.push(zone(levels.splice(from, to - from), lastPrice, sorted.atr));
    left.prices.copyWithin(from, to);
    left.families.copyWithin(from, to);
  }
  return zones.sort((one, other) => other.high - one.high);
}

/** Null too where the reach is NaN. */
function bestCluster(prices: Float64Array, sets: Int32Array, length: number, reach: number): Cluster | null {
  let best: Cluster | null = null;
  for (let from = 0; from < length; from++) {
    const top = prices[from]!;
    let set = 0;
    let to = from;
    while (to < length && top - prices[to]! <= reach) set |= sets[to++]!;
    const families = familyCount(set);
    if (families < 2 || (best !== null && families < best.families)) continue;
    const found = { from, to, families, span: top - prices[to - 1]! };
    if (best === null || isBetter(found, best)) best = found;
  }
  return best;
}

function isBetter(one: Cluster, other: Cluster): boolean {
  const families = one.families - other.families;
  const levels = one.to - one.from - (other.to - other.from);
  return (families || levels || other.span - one.span) > 0;
}

function zone(levels: readonly Level[], lastPrice: number, atr: number): ConfluenceZone {
  const high = levels[0]!.price;
  const low = levels[levels.length - 1]!.price;
  const set = levels.reduce((found, level) => found | FAMILY_BIT[level.family], 0);
  const gap = Math.max(0, low - lastPrice) - Math.max(0, lastPrice - high);
  return {
    low,
    high,
    side: gap > 0 ? 'resistance' : gap < 0 ? 'support' : 'inside',
    distanceAtr: gap / atr,
    strength: strengthOf(set),
    families: familyNames(set),
    levels: levels.map((level) => level.name),
  };
}
