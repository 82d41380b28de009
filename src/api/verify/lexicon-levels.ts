import { level, measure, type Measure, notKnown, open } from './lexicon-measure.ts';

/** Both ends of the opening range of so many minutes, and the range itself, which no single price is. */
const openingRange = (minutes: number): Measure[] => [
  ...['high', 'low'].map((end) =>
    level(
      `${minutes}-minute opening range ${end}`,
      [`levels.orb_${minutes}m_${end}`],
      `${minutes} minute orb ${end} | orb ${minutes} ${end} | ${minutes} m orb ${end}${minutes === 30 ? ` | half hour ${end}` : ''}`,
    ),
  ),
  ...notKnown(`${minutes} minute opening range | ${minutes} minute orb | ${minutes} m orb | orb ${minutes}`),
];

/** Prices that others watch. */
export const LEVELS: readonly Measure[] = [
  level(
    'VWAP',
    ['levels.vwap', 'price.order_flow.vwap'],
    'vwap | volume weighted average price | volume weighted average | session vwap',
  ),
  level('pivot', ['levels.pivot_pp'], 'pivot point | floor pivot | daily pivot | central pivot'),
  level(
    'pivot r1',
    ['levels.pivot_r1'],
    'r 1 | pivot r 1 | first pivot resistance | pivot first resistance | floor pivot r 1',
  ),
  level(
    'pivot r2',
    ['levels.pivot_r2'],
    'r 2 | pivot r 2 | second pivot resistance | pivot second resistance | floor pivot r 2',
  ),
  level(
    'pivot r3',
    ['levels.pivot_r3'],
    'r 3 | pivot r 3 | third pivot resistance | pivot third resistance | floor pivot r 3',
  ),
  level(
    'pivot s1',
    ['levels.pivot_s1'],
    's 1 | pivot s 1 | first pivot support | pivot first support | floor pivot s 1',
  ),
  level(
    'pivot s2',
    ['levels.pivot_s2'],
    's 2 | pivot s 2 | second pivot support | pivot second support | floor pivot s 2',
  ),
  level(
    'pivot s3',
    ['levels.pivot_s3'],
    's 3 | pivot s 3 | third pivot support | pivot third support | floor pivot s 3',
  ),
  level('top of the central pivot range', ['levels.cpr_tc'], 'cpr top | tc'),
  level('bottom of the central pivot range', ['levels.cpr_bc'], 'cpr bottom | bc'),
  level('initial balance high', ['levels.ib_high'], 'ib high'),
  level('initial balance low', ['levels.ib_low'], 'ib low'),
  measure('initial balance range', ['levels.ib_range'], 'ib range'),
  ...[5, 15, 30].flatMap(openingRange),
  open(
    'opening range high',
    ['levels.orb_5m_high', 'levels.orb_15m_high', 'levels.orb_30m_high'],
    'orb high',
  ),
  open('opening range low', ['levels.orb_5m_low', 'levels.orb_15m_low', 'levels.orb_30m_low'], 'orb low'),
  level(
    "prior day's high",
    ['levels.pdh'],
    `
    prior day high | previous day high | pdh | yesterday 's high | prior session high |
    previous high
  `,
  ),
  level(
    "prior day's low",
    ['levels.pdl'],
    "prior day low | previous day low | pdl | yesterday 's low | prior session low | previous low",
  ),
  level(
    'prior week high',
    ['levels.prior_week_high'],
    "last week 's high | previous week high | weekly high",
  ),
  level('prior week low', ['levels.prior_week_low'], "last week 's low | previous week low | weekly low"),
  level(
    'prior month high',
    ['levels.prior_month_high'],
    "last month 's high | previous month high | monthly high",
  ),
  level(
    'prior month low',
    ['levels.prior_month_low'],
    "last month 's low | previous month low | monthly low",
  ),
  level('overnight high', ['levels.overnight_high']),
  level('overnight low', ['levels.overnight_low']),
  level('3-day high', ['range_3d.high'], '3 day high | three day high | three session high | 3 session high'),
  level('3-day low', ['range_3d.low'], '3 day low | three day low | three session low | 3 session low'),
  open(
    'point of control',
    ['levels.prior_poc', 'levels.developing_poc', 'volume_profile.*.poc'],
    'poc | volume point of control',
  ),
  open('value area high', ['levels.prior_vah', 'levels.developing_vah', 'volume_profile.*.vah'], 'vah'),
  open('value area low', ['levels.prior_val', 'levels.developing_val', 'volume_profile.*.val'], 'val'),
  open('value area', [
    'levels.prior_val',
    'levels.prior_vah',
    'levels.developing_val',
    'levels.developing_vah',
    'volume_profile.*.val',
    'volume_profile.*.vah',
  ]),
  level(
    'prior point of control',
    ['levels.prior_poc', 'volume_profile.prior.poc'],
    "prior poc | previous point of control | yesterday 's point of control | yesterday 's poc",
  ),
  level('prior value area high', ['levels.prior_vah', 'volume_profile.prior.vah'], 'prior vah'),
  level('prior value area low', ['levels.prior_val', 'volume_profile.prior.val'], 'prior val'),
  level(
    'developing point of control',
    ['levels.developing_poc', 'volume_profile.developing.poc'],
    'developing poc',
  ),
  level(
    'developing value area high',
    ['levels.developing_vah', 'volume_profile.developing.vah'],
    'developing vah',
  ),
  level(
    'developing value area low',
    ['levels.developing_val', 'volume_profile.developing.val'],
    'developing val',
  ),
  open(
    'threshold',
    ['@pattern.*.invalidation', '@pattern.*.trigger', '@level.*.*.price', 'range_3d.*'],
    'close below | close above',
  ),
  level(
    'nearest support',
    ['level_ladder.nearest_support.price', '@level.support.1.price'],
    'immediate support | closest support | level ladder nearest support price',
  ),
  level(
    'nearest resistance',
    ['level_ladder.nearest_resistance.price', '@level.resistance.1.price'],
    'immediate resistance | closest resistance | level ladder nearest resistance price',
  ),
  open(
    'support',
    ['level_ladder.nearest_support.price', '@level.support.*.price', '@level.support.*.away'],
    `
    supports | support level | support zone | support area | floor | first support | second support |
    third support | key support | support 1 | support 2
  `,
  ),
  open(
    'resistance',
    ['level_ladder.nearest_resistance.price', '@level.resistance.*.price', '@level.resistance.*.away'],
    `
    resistances | resistance level | resistance zone | overhead resistance | ceiling |
    first resistance | second resistance | third resistance | key resistance | resistance 1 |
    resistance 2
  `,
  ),
];
