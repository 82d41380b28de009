import {
  type ConfluenceZone,
  type LadderRung,
  LEVEL_FAMILIES,
  type Level,
  type LevelFamily,
  levelLadder as ladderOf,
} from '../analysis/level-ladder.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import { defineBlock, type Known } from './block.ts';
import { type LevelToday, levelsToday, today } from './level-today.ts';
import { levels } from './levels.ts';
import { patterns } from './patterns.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { record } from './record-beside.ts';
import { sessionColumns } from './session-columns.ts';
import { technical } from './technical.ts';
import { volumeProfile } from './volume-profile.ts';

/** A level of the ladder as others show it. */
export const rung = {
  name: wire.string('Name of the level, as in the block that it comes from.'),
  family: wire.oneOf(
    LEVEL_FAMILIES,
    'Where the level comes from; levels cut from the same prints are one family.',
  ),
  price: wire.number('Price of the level, USD.'),
  side: wire.oneOf(['support', 'resistance'], 'support at or below the last price, resistance above.'),
  distance: wire.number('Distance, USD; negative for support.'),
  distance_pct: wire.number('Distance, percent of the last price.'),
  distance_atr: wire.nullableNumber('Distance in daily_atr 14; null without one.'),
  strength: wire.number(
    '1 - product of (1 - weight) over the families within 0.25 ATR of the level.',
    wire.FRACTION,
  ),
  ...today,
};
const SEEN = 'A level seen from the last price; distances are level minus price.';

const Rung = wire.record('LadderLevel', SEEN, rung);

const RecordedRung = wire.record('RecordedLevel', SEEN, { ...rung, record });

const Zone = wire.record('ConfluenceZone', 'Levels of at least two families within 0.25 daily ATR.', {
  low: wire.number('Lower edge, USD.'),
  high: wire.number('Upper edge, USD.'),
  side: wire.oneOf(['support', 'resistance', 'inside'], 'inside when the last price lies in the zone.'),
  distance_atr: wire.nullableNumber('From the last price to the nearer edge in daily_atr 14; 0 inside.'),
  strength: wire.number('As of a level, over the families of the zone.', wire.FRACTION),
  families: wire.listOf(wire.oneOf(LEVEL_FAMILIES, 'Family.'), 'Families that meet here, by name.'),
  levels: wire.listOf(wire.string('Level.'), 'Names of the levels, highest first.'),
});

const Ladder = wire.record('LevelLadder', 'All levels as a ladder with ATR distances and confluence zones.', {
  last_price: wire.number('Price that the distances are measured from, USD.'),
  atr: wire.nullableNumber('Daily ATR(14) of the completed sessions that distances are measured in, USD.'),
  levels: wire.listOf(RecordedRung, 'The levels, highest price first.'),
  zones: wire.listOf(Zone, 'Confluence zones, highest first; empty without an ATR.'),
  nearest_support: wire.nullable(Rung),
  nearest_resistance: wire.nullable(Rung),
});

const flat = {
  nearest_level_type: wire.nullableOneOf(
    ['support', 'resistance', 'neutral'],
    'Side of the nearest level when it lies within 0.25 daily ATR; neutral when none does or both sides are equally near.',
  ),
};

/** Null without a last price or without a level. */
export const levelLadder = defineBlock({
  name: 'level_ladder',
  include: 'level_ladder',
  schema: Ladder,
  flat,
  reads: [levels, patterns, priceVolume, range3d, sessionColumns, technical, volumeProfile],
  derive(view, known, _market, kept) {
    const lastPrice = known(priceVolume).flat.last_price;
    if (lastPrice === null) return { nested: null, flat: { nearest_level_type: null } };
    const atr = known(technical).nested?.daily_atr['14'] ?? null;
    const ofPatterns = (known(patterns).nested ?? [])
      .filter(({ family, status }) => family === 'chart' && status !== 'failed')
      .flatMap(({ type, trigger, counter_trigger }) => levelsOfPattern(type, trigger, counter_trigger));
    const ladder = ladderOf(everyLevel(known, ofPatterns), lastPrice, atr ?? Number.NaN);
    if (ladder.nearestSupport === null && ladder.nearestResistance === null) {
      return { nested: null, flat: { nearest_level_type: null } };
    }
    const outcomeOf = levelsToday(view, known, kept);
    const wireOf = (each: LadderRung) => wireRung(each, outcomeOf(each));
    const nearest = (each: LadderRung | null) => (each === null ? null : wireOf(each));
    return {
      nested: withLate(
        {
          last_price: lastPrice,
          atr,
        },
        {
          levels: () => ladder.rungs.map(wireOf),
          zones: () => ladder.zones.map(wireZone),
        },
        {
          nearest_support: nearest(ladder.nearestSupport),
          nearest_resistance: nearest(ladder.nearestResistance),
        },
      ),
      flat: { nearest_level_type: ladder.nearestLevelType },
    };
  },
  leaves: (ladder, { symbol, tradeDate }) =>
    ladder.levels.map(({ name, family, price, side, strength }) => ({
      type: 'HAS_LEVEL',
      label: 'Level',
      key: `${symbol}|${tradeDate}|${name}|${price}`,
      props: { symbol, name, family, price },
      edgeProps: { side, strength },
    })),
});

export const PIVOT_FIELDS = [
  'pivot_pp',
  'pivot_r1',
  'pivot_r2',
  'pivot_r3',
  'pivot_s1',
  'pivot_s2',
  'pivot_s3',
  'cpr_tc',
  'cpr_bc',
] as const;

export const OPENING_FIELDS = [
  'ib_high',
  'ib_low',
  'ib_1_5x_high',
  'ib_2x_high',
  'ib_1_5x_low',
  'ib_2x_low',
  'orb_5m_high',
  'orb_5m_low',
  'orb_15m_high',
  'orb_15m_low',
  'orb_30m_high',
  'orb_30m_low',
] as const;

/** Fields of the levels block on the ladder, by family. */
const LEVEL_FIELDS = {
  prior_day: ['pdh', 'pdl', 'pdc'],
  prior_week: ['prior_week_high', 'prior_week_low'],
  prior_month: ['prior_month_high', 'prior_month_low'],
  pivot: PIVOT_FIELDS,
  opening: OPENING_FIELDS,
  overnight: ['overnight_high', 'overnight_low'],
  vwap: ['vwap', 'vwap_upper_1', 'vwap_lower_1', 'vwap_upper_2', 'vwap_lower_2'],
  prior_profile: ['prior_poc', 'prior_vah', 'prior_val'],
  developing_profile: ['developing_poc', 'developing_vah', 'developing_val'],
} as const;

type SessionFamily = keyof typeof LEVEL_FIELDS;

/** The family of a level by its path in the answer, e.g. `levels.pdh`; null for what is no level. */
export function familyOfLevelField(path: string): LevelFamily | null {
  if (/^range_3d\.(high|low)$/.test(path)) return 'recent_range';
  if (/^technical\.moving_averages\./.test(path)) return 'moving_average';
  const [block, field] = path.split('.');
  if (block !== 'levels') return null;
  const known = Object.entries(LEVEL_FIELDS).find(([, fields]) =>
    (fields as readonly string[]).includes(field!),
  );
  return (known?.[0] as LevelFamily | undefined) ?? null;
}

/** Levels of some families of the levels block, and the three-day range. */
export function sessionLevels(known: Known, families: readonly SessionFamily[]): Level[] {
  const day = known(levels).nested;
  const range = known(range3d).nested;
  const found: Level[] = [];
  for (const family of families)
    for (const name of LEVEL_FIELDS[family]) add(found, family, name, day?.[name]);
  add(found, 'recent_range', 'range_3d_high', range?.high);
  add(found, 'recent_range', 'range_3d_low', range?.low);
  return found;
}

function add(to: Level[], family: LevelFamily, name: string, price: number | null | undefined): void {
  if (price !== null && price !== undefined) to.push({ name, family, price });
}

const SESSION_FAMILIES = Object.keys(LEVEL_FIELDS) as SessionFamily[];

/** The levels of a chart pattern that has not failed; dollars, null without one. */
export function levelsOfPattern(
  type: string,
  trigger: number | null,
  counterTrigger: number | null,
): Level[] {
  const found: Level[] = [];
  add(found, 'pattern', `${type}_trigger`, trigger);
  add(found, 'pattern', `${type}_counter_trigger`, counterTrigger);
  return found;
}

/** Blocks that have the levels of a ladder, but for those of patterns. */
export const LADDER_BLOCKS = [levels, priceVolume, range3d, technical, volumeProfile] as const;

/** Every level of these blocks, and some levels of patterns. */
export function everyLevel(known: Known, ofPatterns: readonly Level[]): Level[] {
  const ladder = sessionLevels(known, SESSION_FAMILIES);
  const averages = known(technical).nested?.moving_averages;
  for (const name of ['ema_9', 'ema_20', 'sma_20', 'sma_50', 'sma_200'] as const) {
    add(ladder, 'moving_average', name, averages?.[name]);
  }
  ladder.push(...ofPatterns);
  const profiles = known(volumeProfile).nested;
  for (const { price } of profiles?.prior?.high_volume_nodes ?? [])
    add(ladder, 'prior_profile', 'prior_hvn', price);
  for (const { price } of profiles?.developing?.high_volume_nodes ?? []) {
    add(ladder, 'developing_profile', 'developing_hvn', price);
  }
  return ladder;
}

function wireRung(rung: LadderRung, ofToday: LevelToday) {
  return {
    name: rung.name,
    family: rung.family,
    price: rung.price,
    side: rung.side,
    distance: rung.distance,
    distance_pct: rung.distancePct,
    distance_atr: finiteOrNull(rung.distanceAtr),
    strength: rung.strength,
    // One by one: a spread behind them costs as much as all else of a rung.
    state: ofToday.state,
    touched_at: ofToday.touched_at,
    decided_at: ofToday.decided_at,
    holds: ofToday.holds,
  };
}

function wireZone(zone: ConfluenceZone) {
  return {
    low: zone.low,
    high: zone.high,
    side: zone.side,
    distance_atr: finiteOrNull(zone.distanceAtr),
    strength: zone.strength,
    families: [...zone.families],
    levels: [...zone.levels],
  };
}
