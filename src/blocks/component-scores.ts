import type { ComponentName } from '../analysis/scoring/components.ts';
import type { ScoreSide } from '../analysis/scoring/ramps.ts';
import { nullableNumber } from '../base/schema.ts';
import { flatBlock } from './block.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const score = (description: string) => nullableNumber(description);
const ten = (description: string) => nullableNumber(description, { minimum: 0, maximum: 10 });

const flat = {
  proximity_bull: score('Nearness of price to support below, bullish score, points.'),
  proximity_bear: score('Nearness of price to resistance above, bearish score, points.'),
  volatility_bull: score('Volatility in favour of longs, points.'),
  volatility_bear: score('Volatility in favour of shorts, points.'),
  volume_bull: score('Volume in favour of longs, points.'),
  volume_bear: score('Volume in favour of shorts, points.'),
  pattern_bull: score('Active bullish patterns, points.'),
  pattern_bear: score('Active bearish patterns, points.'),
  iv_bull: score('Implied volatility in favour of longs, points.'),
  iv_bear: score('Implied volatility in favour of shorts, points.'),
  day_type_bull: score('Day type in favour of longs, points.'),
  day_type_bear: score('Day type in favour of shorts, points.'),
  vix_regime_bull: score('VIX regime in favour of longs, points.'),
  vix_regime_bear: score('VIX regime in favour of shorts, points.'),
  event_proximity_bull: score('Nearness of events, bullish score, points.'),
  event_proximity_bear: score('Nearness of events, bearish score, points.'),
  momentum_trend_bull: ten('V4.2 momentum, bullish, points.'),
  momentum_trend_bear: ten('V4.2 momentum, bearish, points.'),
  pricing_edge_bull: ten(
    'Binomial pricer: value of calls at forecast volatility against the market, points.',
  ),
  pricing_edge_bear: ten('Binomial pricer: value of puts at forecast volatility against the market, points.'),
  greek_alignment_bull: ten('Greeks in favour of longs, based on VIX regime, points.'),
  greek_alignment_bear: ten('Greeks in favour of shorts, based on VIX regime, points.'),
  orb_structure_bull: ten('Trap and breakout patterns of the opening range, bullish, points.'),
  orb_structure_bear: ten('Trap and breakout patterns of the opening range, bearish, points.'),
  orb_proximity_bull: ten('Nearness of price to the opening range, bullish, points.'),
  orb_proximity_bear: ten('Nearness of price to the opening range, bearish, points.'),
  intraday_return_bull: ten('Return of the day in favour of longs, points.'),
  intraday_return_bear: ten('Return of the day in favour of shorts, points.'),
};

const FIELDS = Object.keys(flat).map((field): [field: string, component: ComponentName, side: ScoreSide] => {
  const at = field.lastIndexOf('_');
  return [field, field.slice(0, at) as ComponentName, field.slice(at + 1) as ScoreSide];
});

/** The component scores of the confluence scores, 0 to 10; null when an input is missing. */
export const componentScores = flatBlock({
  name: 'component_scores',
  flat,
  reads: [scoreInputs],
  derive(_view, known) {
    const { table } = scoreState(known);
    // A copy keeps the shape of the literal, which a record of so many fields filled one by one has not.
    const values: Record<string, unknown> = { ...flat };
    for (const [field, component, side] of FIELDS) values[field] = table[component]?.[side] ?? null;
    return values as Record<keyof typeof flat, number | null>;
  },
});
