import { dateTime, listOf, nullableNumber, nullableOneOf, record, string } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const RegimeV5 = record(
  'RegimeV5',
  'The regime that the market and the stock are in, with the rules that fired.',
  {
    regime: nullableOneOf(
      ['trend_up', 'trend_down', 'range', 'volatile', 'transition'],
      'The regime that the stock trades in.',
    ),
    trend_regime: nullableOneOf(['up', 'down', 'sideways'], 'Trend of the stock on daily bars.'),
    volatility_regime: nullableOneOf(
      ['low', 'normal', 'high', 'extreme'],
      'Volatility of the stock against its year.',
    ),
    vix_regime: nullableOneOf(['COMPLACENT', 'NORMAL', 'ELEVATED', 'EXTREME_FEAR'], 'Regime of the VIX.'),
    vix: nullableNumber('VIX, index points.', { minimum: 0 }),
    vix_percentile: nullableNumber('Share of the last 252 sessions with a lower VIX, percent.', {
      minimum: 0,
      maximum: 100,
    }),
    breadth: nullableNumber('Share of stocks above their SMA50, 0-1.', { minimum: 0, maximum: 1 }),
    index_trend: nullableOneOf(['up', 'down', 'sideways'], 'Trend of the index on daily bars.'),
    confidence: nullableNumber('Share of the rules that agree, 0-1.', { minimum: 0, maximum: 1 }),
    rules_fired: listOf(string('Rule.'), 'Names of the rules that fired.'),
    formula_version: string('Version of the rules.'),
    computed_at: dateTime('When the regime was computed.'),
  },
);

/** The regime. Needs the market-wide pass, which does not exist yet. */
export const regimeV5 = defineBlock({
  name: 'regime_v5',
  schema: RegimeV5,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
