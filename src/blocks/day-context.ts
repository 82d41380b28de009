import { dayType } from '../analysis/day-type.ts';
import * as wire from '../base/schema.ts';
import { nestedBlock } from './block.ts';
import { columnsOf, sessionColumns } from './session-columns.ts';
import { volumeProfile } from './volume-profile.ts';

const DayContext = wire.record(
  'DayContext',
  'What kind of day the regular session has been so far.',
  {
    day_type: wire.oneOf(['trending', 'rotational', 'uncertain'], 'Kind of day.'),
    day_type_detail: wire.nullableOneOf(
      ['strong_trend', 'trending', 'mixed', 'rotational', 'strong_rotational'],
      'Finer band of the two scores.',
    ),
    trend_score: wire.number('Direction and strength of the trend, -1 (down) to 1 (up).', wire.SIGNED_UNIT),
    rotation_score: wire.number('Two-sided trade, 0 (none) to 1.', wire.FRACTION),
    strategy_bias: wire.nullableString(
      'What suits the day: follow_trend_long, follow_trend_short, fade_extremes, wait.',
    ),
    size_modifier: wire.withDefault(
      wire.number('Factor on the usual position size.', { minimum: 0.5, maximum: 2 }),
      1,
    ),
  },
  ['day_type', 'trend_score', 'rotation_score'],
);

/** Null in the first half hour of the regular session, and for a past session that the tape has only in part. */
export const dayContext = nestedBlock({
  name: 'day_context',
  ofBars: true,
  schema: DayContext,
  reads: [sessionColumns, volumeProfile],
  derive(view, known) {
    if (!view.intradayWhole) return null;
    const profiles = known(volumeProfile).nested;
    const { bars, vwap, trend } = columnsOf(known);
    const day = dayType({
      bars,
      session: view.session,
      priorValue: profiles?.prior ?? null,
      developingValue: profiles?.developing ?? null,
      vwap: vwap.vwap,
      trend,
    });
    if (day === null) return null;
    return {
      day_type: day.dayType,
      day_type_detail: day.dayTypeDetail,
      trend_score: day.trendScore,
      rotation_score: day.rotationScore,
      strategy_bias: day.strategyBias,
      size_modifier: day.sizeModifier,
    };
  },
});
